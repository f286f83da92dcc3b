"""Each rule of the house finds its sample, and leaves what is right."""

import pytest

from scripts.house import clocks, docstrings, forbidden_texts, lengths, namespace, platforms, wiring, words
from scripts.house.sources import Finding, Source

PATH = "rig/sample.py"
CALLABLES = "class B:\n    def __init__(self, deliver: Callable[[], None]):\n        self.deliver = deliver\n"
LONGEST = "def f():\n" + "    x = 1\n" * 39


def lines(rule, text: str, path: str = PATH) -> list[int]:
    return [finding.line for finding in rule.findings([Source(path, text)])]


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (forbidden_texts, "a = 1\nb = '/" + "home/me/data'"),
        (forbidden_texts, "\n# from https://pypi" + ".org/simple"),
        (forbidden_texts, "\nx = 1  # pragma" + ": no cover"),
        (words, "\nthe colour of"),
        (words, "\nMAX_ERAS = 1"),
        (docstrings, 'def f():\n    """Tell it."""'),
        (docstrings, 'async def f():\n    """The name."""'),
        (lengths, f"\n{LONGEST}    y = 1"),
        (lengths, f"@once\nasync {LONGEST}    y = 1"),
        (clocks, "import time\nnow = time.monotonic"),
        (clocks, "\nfrom time import sleep"),
        (platforms, "import sys\nif sys.platform == 'win32': ..."),
        (platforms, "import os\nuser = os.geteuid"),
        (platforms, "\nflag = getattr(os, 'O_BINARY', 0)"),
        (platforms, "\nos.replace(new, path)"),
        (platforms, "\nfolder.rename(new)"),
        (wiring, "session.on_opened = begin"),
        (wiring, "world.light = lambda on: None"),
        (wiring, "inbox.wake = self.hear\ndef hear(self): ..."),
        (wiring, "self.done = lambda: None"),
        (wiring, f"cable.deliver = receive\n{CALLABLES}"),
    ],
)
def test_a_rule_finds_its_sample(rule, text: str) -> None:
    assert lines(rule, text) == [1 if rule is wiring else 2]


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (forbidden_texts, "data/home/me https://docs.python.org"),
        (words, "eraser, older colors\ndef test_somebody_waits(): ..."),
        (docstrings, 'def f():\n    """Whether it is."""\ndef g(): ...'),
        (lengths, LONGEST),
        (lengths, f'{LONGEST}    """Its unit."""\n\n    # why\n'),
        (lengths, LONGEST.replace(":", ':\n    """Return.\n\n    It may fail.\n    """', 1) + LONGEST),
        (clocks, "now = loop.time()"),
        (platforms, "os.getpid(), getattr(setting, 'value')"),
        (platforms, "name.replace('a', 'b'), now.replace(hour=1), table.rename(columns=names)"),
        (wiring, f"{CALLABLES}self._done = lambda: None\nrow.outcome = 'win'"),
    ],
)
def test_a_rule_leaves_what_is_right(rule, text: str) -> None:
    assert lines(rule, text) == []


def test_a_file_that_would_hide_a_laboratory_s_protocols_is_found() -> None:
    assert lines(namespace, "", "protocols/__init__.py") == [1]


def test_a_listed_file_may_ask_a_clock_and_a_test_may_use_it() -> None:
    assert lines(clocks, "import time\ntime.sleep(1)", "sim_hardware/loop.py") == []
    assert lines(clocks, "import time\ntime.sleep(1)", "tests/test_it.py") == []


def test_only_the_package_of_the_platform_asks_for_the_system() -> None:
    assert lines(platforms, "import sys\nsys.platform", "rig/platform/keys.py") == []
    assert lines(platforms, "import sys\nsys.platform", "tests/test_it.py") == []


def test_a_finding_says_what_is_wrong_and_what_would_be_right() -> None:
    assert list(words.findings([Source("docs/a.md", "a\ngift")])) == [Finding("docs/a.md", 2, "'gift': write reward")]
