"""``rig searches environments``: draw environments for tasks on grids and lines, and write them to a file."""

from __future__ import annotations

import argparse
import re
from typing import get_args

import numpy as np

from protocols.searching.grids.environment_files import MOST_TILES, environments_text
from protocols.searching.grids.environments import adjacent_correlation, draw_environment
from protocols.searching.grids.kernels import KERNELS, LARGEST, SMALLEST, Convention, Kernel
from protocols.searching.grids.places import Grid
from rig.core.errors import ConfigError
from rig.core.task.random_streams import RandomStreams
from rig.system.atomic_files import write_atomic, write_new
from rig.system.statuses import OK
from rig.terminal.format import pluralize

STREAM = "environments"
MOST = 1000
MOST_SIDE = 1000
"""The covariances of a side are a square matrix."""
_SIZE = re.compile(r"([1-9]\d{0,4})(?:x([1-9]\d{0,4}))?")


def run(arguments: argparse.Namespace) -> int:
    """Write the file, and print how correlated adjacent tiles are. Raises ``ConfigError``, ``RecordError``."""
    kernel = _kernel(arguments.kernel)
    grid = _grid(arguments.size, arguments.step)
    if not 1 <= arguments.count <= MOST:
        raise ConfigError(f"--count {arguments.count}: wanted 1 to {MOST}")
    random = RandomStreams(arguments.seed)(STREAM).random
    drawn = [draw_environment(kernel, grid, random) for _ in range(arguments.count)]
    text = environments_text(drawn)
    if arguments.force:
        write_atomic(arguments.file, text, synced=True)
    elif not write_new(arguments.file, text):
        raise ConfigError(f"{arguments.file}: exists: --force replaces it")
    mean = np.mean([adjacent_correlation(values) for values in drawn])
    tiles = f"{grid.width} x {grid.height} tiles" if grid.height > 1 else f"{grid.width} points"
    print(f"{arguments.file}: {pluralize(len(drawn), 'environment')} of {tiles}, exp(-d^2 / {kernel.lam:g})")
    print(f"mean correlation of adjacent tiles: {mean:.3f}")
    return OK


def _kernel(text: str) -> Kernel:
    if text in KERNELS:
        return KERNELS[text]
    name, _, value = text.partition("=")
    for convention in get_args(Convention):
        if name == convention:
            try:
                return Kernel.of(convention, float(value))
            except ValueError:
                break
    raise ConfigError(f"kernel {text}: wanted {', '.join(KERNELS)}, length=L or lambda=L, such as length=2")


def _grid(size: str, step: float) -> Grid:
    match = _SIZE.fullmatch(size)
    width, height = (int(match[1]), int(match[2] or 1)) if match else (0, 0)
    if not (2 <= width * height <= MOST_TILES and max(width, height) <= MOST_SIDE):
        raise ConfigError(
            f"--size {size}: wanted 2 to {MOST_TILES} tiles and {MOST_SIDE} on a side, such as 11x11, or 21 for a line"
        )
    if not SMALLEST <= step <= LARGEST:
        raise ConfigError(f"--step {step:g}: wanted a distance of {SMALLEST:g} to {LARGEST:g}")
    return Grid(width, height, step)
