"""Words that came from files, a board or the command line are printed as words, whatever they hold."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rig.boards import identify
from rig.boards.serial import hello
from rig.core.model.board import BoardInfo
from rig.terminal.visible import CONTROL_CHARACTERS
from tests.cli.conftest import BANDIT, UNO, Rig, Said
from tests.cli.processes import posix
from tests.cli.pseudo_terminal import terminal
from tests.journal_lines import sealed_json
from tests.protocols.two_armed_bandit.made import csv_of

FORGED = "ended: all is well"
HOSTILE = (
    f"M1\n{FORGED}",
    f"\r\x1b[2K{FORGED}",
    "\x1b]0;owned\x07\x1b[31m",
    "\x9b2J\x90q\x9c",
    "a\u202ebc\u2066\u200b\ufeff\u2028d",
    "[/][link=http://x]M1[/link]",
    "\x7f\x08\x08\x08\t",
)
ALL = "".join(HOSTILE)
"""For what takes seconds: each of them is found in it as well."""
SHORT = ("run", "two_armed_bandit", "--model", "rflr", "--set", "stop.session_s=0.2", "--set", "stop.grace_s=0")
words = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=20))
few = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
each = pytest.mark.parametrize("word", HOSTILE)


def harmless(answer: Said) -> Said:
    """See that nothing of what was said is a command to a terminal, or a line that we did not begin."""
    said = answer.out + answer.err
    assert not CONTROL_CHARACTERS.search(re.sub("[\n\t]", "", said)), said
    assert not any(line.startswith(FORGED) for line in said.splitlines())
    return answer


def poisoned(session: Path, word: str) -> None:
    """Have a journal say it everywhere, with checksums that fit."""
    path = session / "journal.jsonl"
    header, *others = (json.loads(raw) for raw in path.read_bytes().splitlines())
    note = {"seq": 1, "k": "note", "t": 0, "what": "stuck", "fields": {"channel": "left", "detail": "seen"}}
    lines = []
    for seq, line in enumerate((header, note, *others)):
        said = {key: _poisoned(key, value, word) for key, value in line.items() if key != "crc"} | {"seq": seq}
        lines.append(sealed_json(said))
    path.write_bytes(b"".join(lines))


def _poisoned(key: str, value: Any, word: str) -> Any:
    if key in ("fields", "row"):
        return {name: _poisoned(name, inner, word) for name, inner in value.items()}
    if isinstance(value, str) and key not in ("k", "start", "digest"):
        return f"{value}{word}"
    return value


# --- journals ---------------------------------------------------------------------------------------------------


def test_a_journal_cannot_speak_to_the_terminal(rig: Rig, session: Path) -> None:
    poisoned(session, ALL)
    harmless(rig("watch", session))
    harmless(rig("replay", session))
    harmless(rig("analyze", session))
    harmless(rig("subject", "why", "M1"))
    harmless(rig("recover", session))
    harmless(rig(*SHORT, "--subject", "M1", "--yes"))


def test_a_word_of_a_journal_is_still_read(rig: Rig, session: Path) -> None:
    poisoned(session, "\x1b[2J")
    answer = harmless(rig("watch", session))
    assert "time_limit\\x1b[2J" in answer.out


@posix
@pytest.mark.real_time
def test_on_a_terminal_no_command_but_our_own_is_seen(rig: Rig, session: Path) -> None:
    poisoned(session, "\x1b]0;owned\x07\x1b[31;5mred")
    with terminal("watch", session) as screen:
        screen.ends()
    assert "owned" in screen.text
    assert "\x1b]0" not in screen.text
    assert "\x1b[31;5m" not in screen.text
    assert "\x1b[2m" in screen.text  # our own: a frame is dim


# --- files ------------------------------------------------------------------------------------------------------


@few
@given(word=words)
def test_a_yaml_file_cannot_speak_to_the_terminal(rig: Rig, tmp_path: Path, word: str) -> None:
    text = json.dumps(word)  # YAML reads the escapes of JSON, a lone surrogate apart
    path = tmp_path / "mine.yaml"
    path.write_text(
        f"protocol: two_armed_bandit\nsimulation: {{rig: {text}}}\n{text}: 1\nparams: {{{text}: 2, p_high: {text}}}\n"
        "stop: {session_s: 60, max_ul: 10}\n"
    )
    for command in (("check",), ("check", "--explain"), ("show", "params")):
        harmless(rig(*command, path))
    path.write_text(f"protocol: {text}\nsimulation: {{rig: sim_nose_ports}}\nstop: {{session_s: 60, max_ul: 10}}\n")
    harmless(rig("check", path))


@each
def test_the_name_of_a_file_cannot_speak_to_the_terminal(
    rig: Rig, tmp_path: Path, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = word.replace("/", "")
    (tmp_path / "protocols").mkdir()
    for path in (Path(f"{name}.yaml"), Path("protocols", f"{name}.py")):
        try:
            path.write_text("protocol: nothing\n")
        except (OSError, ValueError):
            pytest.skip("no name of a file here")
    harmless(rig("check", f"./{name}.yaml"))
    harmless(rig("show", "protocols"))
    harmless(rig("replay", f"./{name}.yaml"))
    harmless(rig("analyze", f"./{name}.yaml"))


def test_a_table_cannot_speak_to_the_terminal(rig: Rig, tmp_path: Path) -> None:
    mouse = csv_of(tmp_path / f"{ALL.replace('/', '')}_80-20.csv", "LLLlLLrRRlLLLLlrrRRRLLlL" * 3)
    harmless(rig("analyze", mouse))
    harmless(rig("analyze", mouse, "--json"))
    table = mouse.read_text()
    for word in HOSTILE:  # a file with all of them is no table of text, and no word of it is printed
        mouse.write_text(table.replace(",0.4,", f",{word},"), encoding="utf-8")
        harmless(rig("analyze", mouse))


# --- the command line, and a board ------------------------------------------------------------------------------


@few
@given(word=words.filter(lambda word: "\0" not in word))
def test_the_command_line_cannot_speak_to_the_terminal(rig: Rig, word: str) -> None:
    for line in (
        (word,),
        ("check", word),
        ("show", word),
        ("show", "params", word),
        ("sim", "two_armed_bandit", "--model", word),
        ("sim", "two_armed_bandit", "--model", "rflr", "--set", word),
        ("sim", *BANDIT, "--subject", word),
        ("sim", *BANDIT, "--subject", "M1", "--rig", word),
        ("board", "bench", "--board", word),
    ):
        harmless(rig(*line))


@each
def test_who_runs_a_session_cannot_speak_to_the_terminal(
    rig: Rig, data: Path, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIG_EXPERIMENTER", word)
    harmless(rig(*SHORT, "--subject", "M1", "--yes", "--override", f"weight={word}"))


@each
def test_a_board_cannot_speak_to_the_terminal(
    rig: Rig,
    opened: list[str],
    monkeypatch: pytest.MonkeyPatch,
    word: str,
) -> None:
    true = identify.identify

    async def stranger(*arguments: Any) -> Any:
        found = await true(*arguments)
        said = BoardInfo(word, word, word, found.opened.limits, found.opened.tones)
        return hello.Hello(found.version, said, found.tick_ns, found.power_ons)

    monkeypatch.setattr(identify, "identify", stranger)
    answer = harmless(rig("board", "list", "--probe"))
    assert answer.status == 0
    as_json = harmless(rig("board", "list", "--probe", "--json"))
    (uno,) = (port for port in json.loads(as_json.out)["ports"] if port["port"] == UNO.device)
    assert uno["board"]["name"] == word
