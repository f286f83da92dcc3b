"""Everything that a page names in backticks is there."""

from collections.abc import Callable

import pytest

from tests.docs import named_things as named

ELSEWHERE = {
    "BaseEventLoop": "a class of asyncio",
    "ClassVar": "a name of typing",
    "CsvWriter": "a node of Bonsai",
    "MockClock": "a class of trio",
    "ProcessPoolExecutor": "a class of concurrent.futures",
    "--nthreads 1": "an option of Dask's workers",
    "rig has failed": "the beginning of a message",
    "rig subject water": "a command that a decision has abolished",
    "rig.channels": "a field of the journal's header",
    "rig.kinds": "a field of the journal's header",
    "rig device puff my_rig left_puffer": "a verb of the page's own device",
    "protocols/helper.py": "a file that the reader may write",
}
"""What pages name that is not part of this program, and what it is."""

CHECKS: list[Callable[[str], bool | str]] = [
    named.missing_path,
    named.missing_class,
    named.missing_module,
    named.wrong_command,
    named.wrong_option,
    named.wrong_key,
    named.wrong_target,
    named.missing_test,
]


@pytest.mark.parametrize("is_missing", CHECKS, ids=lambda check: check.__name__)
def test_what_a_page_names_is_there(is_missing: Callable[[str], bool | str]) -> None:
    missing = [f"{where}: {text}" for where, text in named.names() if text not in ELSEWHERE and is_missing(text)]
    assert missing == []


def test_a_name_is_in_the_file_that_a_page_says() -> None:
    assert [place for place in named.names_in_files() if not named.is_in_file(place)] == []


def test_what_is_elsewhere_is_named_and_would_be_missed() -> None:
    there = {text for _, text in named.names()}
    assert [text for text in ELSEWHERE if text not in there] == []
    assert [text for text in ELSEWHERE if not any(check(text) for check in CHECKS)] == []


@pytest.mark.parametrize(
    ("is_missing", "there", "not_there"),
    [
        (named.missing_path, "rig/core/task/task.py", "rig/core/task/tusk.py"),
        (named.missing_path, "configs/studies/NAME.yaml", "configs/study/NAME.yaml"),
        (named.missing_class, "SessionSpec.keeps_mistakes", "SessionSpec.keeps_wrong_cells"),
        (named.missing_class, "TrialRow.shares", "TrialRows"),
        (named.missing_module, "rig.testing", "rig.tasting"),
        (named.missing_module, "python -m benchmarks.window", "python -m benchmarks.windows"),
        (named.wrong_command, "rig subject weigh|give NAME --at TIME", "rig subject weigh|water NAME"),
        (named.wrong_command, "rig sim … --seed", "rig sim … --sead"),
        (named.wrong_option, "--top-up", "--topup"),
        (named.wrong_key, "stop.max_rewards", "stop.max_reward"),
        (named.wrong_target, "make pages", "make page"),
        (named.missing_test, "test_named_things", "test_nothing_of_this_name"),
    ],
)
def test_a_wrong_letter_is_found(is_missing: Callable[[str], bool | str], there: str, not_there: str) -> None:
    assert not is_missing(there)
    assert is_missing(not_there)


def test_a_name_in_another_file_is_found() -> None:
    assert named.is_in_file(named.Defined("page", "ReplayBoard", "rig/session/replay_board.py"))
    assert not named.is_in_file(named.Defined("page", "ReplayBoards", "rig/session/replay.py"))
