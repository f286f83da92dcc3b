"""Laps and paths made by hand: `LLr` is two laps to the left, and one to the right that was left early."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from protocols.delay_discounting.analysis.laps import Laps, of_rows
from protocols.delay_discounting.analysis.track import Track, track
from rig.analysis.common.arrays import Floats

HZ = 60.0

Row = dict[str, Any]


def rows(
    history: str, first_delay: int = 10, large: int = 3, delayed: str = "L", **columns: Sequence[Any]
) -> list[Row]:
    """Lap rows of these visits, with the delay that the task would have had; further columns by name."""
    made, delay = [], first_delay
    for place, letter in enumerate(history):
        is_delayed = letter.upper() == delayed
        after = delay + 1 if is_delayed else max(1, delay - 1)
        rewarded = letter.isupper()
        start = 40.0 * place
        made.append(
            {
                "lap": place + 1,
                "side": "left" if letter.upper() == "L" else "right",
                "is_delayed_side": is_delayed,
                "delay_before_s": delay,
                "delay_experienced_s": delay if is_delayed else 1,
                "t_choice_enter": start + 4,
                "t_choice_exit": start + 6,
                "t_site_enter": start + 7,
                "pellets": (large if is_delayed else 1) if rewarded else 0,
                "outcome": "rewarded" if rewarded else "skip",
                "delay_after_s": after,
                "t_lap_end": start + 40,
                **{name: values[place] for name, values in columns.items()},
            }
        )
        delay = after
    return made


def laps(history: str, name: str = "R1_01", **fields: Any) -> Laps:
    """A session of these visits."""
    return of_rows(name, name.partition("_")[0], rows(history, **fields))


def rat(seed: int, large: int = 3, first_delay: int | None = None, count: int = 100) -> str:
    """Visits of a rat that titrates hyperbolically: L is the delayed side. Its parameters are fitted to real rats."""
    draw = np.random.default_rng(seed)
    weight, alternates, settling, s, lapse = 4.504, 2.249, 10.81, 0.631, 0.052
    k = 0.235 * math.exp(0.546 * draw.normal())
    delay, seen, previous, history = first_delay or int(draw.integers(1, 31)), set[str](), 0, ""
    for lap in range(count):
        value = s * math.log(large) - math.log((1 + k * delay) / (1 + k)) if len(seen) == 2 else 0.0
        log_odds = weight * (1 - math.exp(-lap / settling)) * value - alternates * previous
        delayed = draw.random() < lapse / 2 + (1 - lapse) / (1 + math.exp(-log_odds))
        history += "L" if delayed else "R"
        seen.add(history[-1])
        previous = 1 if delayed else -1
        delay = delay + 1 if delayed else max(1, delay - 1)
    return history


def rat_laps(seed: int, large: int = 3, first_delay: int | None = None, **fields: Any) -> Laps:
    """A session of such a rat."""
    first = first_delay or int(np.random.default_rng(seed).integers(1, 31))
    history = rat(seed, large, first)
    return laps(history, first_delay=first, large=large, **({"name": f"R{seed % 10}_{seed:04}"} | fields))


def write_csv(path: Path, table: Sequence[Row]) -> Path:
    """Write rows as a lap file."""
    lines = [",".join(table[0]), *(",".join(str(value) for value in row.values()) for row in table)]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return path


def straight(start: complex, end: complex, speed: float = 30.0) -> Iterator[complex]:
    """Walk a line, one point a frame."""
    steps = round(abs(end - start) / speed * HZ)
    return (start + (end - start) * step / steps for step in range(steps))


def bend(start: complex, heading: float, angle: float, radius: float = 10.0, speed: float = 30.0) -> Iterator[complex]:
    """Turn by an angle on a circle, one point a frame."""
    side = 1 if angle > 0 else -1
    center = start + radius * side * 1j * complex(math.cos(heading), math.sin(heading))
    steps = round(abs(angle) * radius / speed * HZ)
    return (center + (start - center) * complex(math.cos(a), math.sin(a)) for a in angle * np.arange(steps + 1) / steps)


def path(*parts: Iterator[complex], start_s: float = 0.0, noise_cm: float = 0.0, seed: int = 1) -> Track:
    """Put parts of a way together."""
    points = np.array([point for part in parts for point in part])
    points = points + noise_cm * (np.random.default_rng(seed).normal(size=(points.size, 2)) @ [1, 1j])
    found = track(*timed(points, start_s))
    assert found is not None
    return found


def timed(points: Any, start_s: float = 0.0) -> tuple[Floats, Floats, Floats]:
    """Give the frames' times and both coordinates."""
    return start_s + np.arange(len(points)) / HZ, np.real(points), np.imag(points)


def walked(
    history: str, looks: Sequence[int] | None = None, noise_cm: float = 0.15, seed: int = 1, **fields: Any
) -> tuple[list[Row], Any]:
    """Lap rows and the way of a rat, as points one frame apart, which looks so many times down the arms on every lap.

    It looks three times on adjustment laps, unless that is said.
    """
    draw = np.random.default_rng(seed)
    table, points = rows(history, **fields), list[complex]()
    if looks is None:
        looks = [3 * (lap > 0 and letter == history[lap - 1]) for lap, letter in enumerate(history)]
    for row, times in zip(table, looks, strict=True):
        turn = math.pi / 2 if row["side"] == "left" else -math.pi / 2
        speed = draw.uniform(24, 34)
        points += straight(-50j, 0j, speed)
        row["t_choice_enter"] = len(points) / HZ
        points += straight(0j, 20j, speed)
        for time in range(times):
            points += look(20j, (-1) ** time * draw.uniform(6, 10), draw.uniform(0.1, 0.3), draw.uniform(0.3, 0.6))
        points += bend(20j, math.pi / 2, turn, 10, speed)
        row["t_choice_exit"] = row["t_site_enter"] = len(points) / HZ
        arm = points[-1] + (-40 if turn > 0 else 40)
        points += [*straight(points[-1], arm), *([arm] * 60), *straight(arm, -50j, 60)]
        row["t_lap_end"] = len(points) / HZ
    way = np.array(points)
    return table, way + noise_cm * (draw.normal(size=(way.size, 2)) @ [1, 1j])


def look(at: complex, reach: float = 8.0, hold_s: float = 0.2, move_s: float = 0.4) -> Iterator[complex]:
    """Put the head out sideways and back, as a rat that looks down an arm."""
    frames = round(move_s * HZ)
    out = [reach * (1 - math.cos(math.pi * n / frames)) / 2 for n in range(frames)]
    for x in (*out, *([reach] * round(hold_s * HZ)), *reversed(out)):
        yield at + x
