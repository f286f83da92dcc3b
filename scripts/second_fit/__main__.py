"""Fit models of the grid bandit to a long table a second time, by other code, and compare R².

    python -m scripts.second_fit TABLE --range 0,50 --people 40 --fits fits.jsonl

The second fit shares no code with `rig analyze --fit`: beliefs are those of scikit-learn's GaussianProcessRegressor,
one for each click, and the parameters are found by a scan of all of them and Nelder-Mead. With ``--published FILE`` the
command also compares with the folds that Schulz, Wu, Ruggeri & Meder (2019) published (B2Modeldata.csv of
github.com/ericschulz/kwg): at their parameters, and fitted by the rules of their code.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from protocols.searching.analysis.reward_range import parsed_range
from rig.core.errors import RigError
from scripts.second_fit.comparison import Comparison
from scripts.second_fit.rounds import read_published
from scripts.second_fit.search import MODELS


def model_names(word: str) -> list[str]:
    """Parse names of models with commas. Raises ``ArgumentTypeError``."""
    names = word.split(",")
    if not set(names) <= set(MODELS):
        raise argparse.ArgumentTypeError(f"{word}: wanted names with commas, of {', '.join(MODELS)}")
    return names


def options_of(words: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("--range", type=parsed_range, metavar="LOW,HIGH", help="of the rewards, as for rig analyze")
    parser.add_argument("--models", type=model_names, default=["gp_ucb"], help=f"with commas, of {', '.join(MODELS)}")
    parser.add_argument("--people", type=int, default=0, metavar="N", help="a random sample (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample (default: 1)")
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="processes (default: none)")
    parser.add_argument("--fits", type=Path, metavar="FILE", help="keep each fit in this file, and go on from it")
    parser.add_argument("--published", type=Path, metavar="FILE", help="B2Modeldata.csv")
    return parser.parse_args(words)


def main(words: Sequence[str]) -> int:
    """Print the comparisons."""
    options = options_of(words)
    try:
        published = None if options.published is None else read_published(options.published)
        for line in Comparison(options).lines(published):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    except (RigError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
