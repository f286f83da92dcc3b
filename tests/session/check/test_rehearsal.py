"""Several virtual subjects rehearse a protocol, until every state was entered; what was not is told."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.session.check import rehearsal
from rig.session.check.check import FileReport, check
from rig.session.check.rehearsal import rehearse
from rig.session.spec.build import spec_from_file
from rig.session.spec.request import SessionRequest

HEAD = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
RIG = """
boards: {sim: {driver: sim, reference: true}}
devices: {button: {kind: ttl_in, pin: 4}}
"""
PORT, BUTTON, SCREEN = "left: Annotated[Port, Needs('valve')]", "button: TtlIn", "screen: Touchscreen"
RIGS = {PORT: "sim_nose_ports", BUTTON: "buttons", SCREEN: "sim_screen"}

Lab = Callable[..., Path]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a rehearsal give up sooner."""
    monkeypatch.setattr(rehearsal, "MAX_LINES", 15_000)


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """Return a function that writes a protocol with these states, and returns its file."""

    def write(device: str, *states: str, simulation: str = "") -> Path:
        (tmp_path / "rigs").mkdir()
        (tmp_path / "protocols").mkdir()
        (tmp_path / "rigs" / "buttons.yaml").write_text(RIG)
        (tmp_path / "protocols" / "lab.py").write_text(HEAD.format(device=device) + "\n".join(states))
        path = tmp_path / "protocols" / "lab.yaml"
        path.write_text(
            f"protocol: ./lab.py\nsimulation: {{rig: {RIGS[device]}{simulation}}}\n"
            "stop: {session_s: 600, max_rewards: 50}\n"
        )
        return path

    return write


def state(name: str, to: str, *lines: str, more: str = "can_end=True") -> str:
    body = "".join(f"        {line}\n" for line in lines)
    return f"    @state(to=({to},), {more})\n    async def {name}(self) -> Next:\n{body}"


def report(path: Path) -> FileReport:
    return check(path, SessionRequest())


ON = state("off", "'lit'", "await self.first(self.box.button.rose)", "self.count()", "return self.lit")
FALLS = state("lit", "'off'", "await self.first(self.box.button.fell)", "return self.off")
POKED = state("wait", "'pay'", "await self.first(self.box.left.poked)", "self.count()", "return self.pay")


def test_a_button_is_pressed_and_released(lab: Lab) -> None:
    found = report(lab(BUTTON, ON, FALLS))
    assert (found.mistakes, found.warnings) == ((), ())
    assert "2 of 2 states" in found.notes[0]


def test_a_subject_is_silent_where_a_poke_starts_the_interval_again(lab: Lab) -> None:
    silent = state(
        "pause",
        "'wait'",
        "while await self.first(self.box.left.poked, within=20) is not None:",
        "    pass",
        "return self.wait",
    )
    found = report(lab(PORT, POKED.replace("pay", "pause"), silent))
    assert found.warnings == ()
    assert found.mistakes == ()


def test_a_mistake_in_a_state_that_only_a_long_stay_reaches_is_told(lab: Lab) -> None:
    hold = state(
        "hold",
        "'wait', 'deliver'",
        "left = await self.first(self.box.left.freed, within=60)",
        "return self.deliver if left is None else self.wait",
    )
    deliver = state("deliver", "'wait'", "self.no_such_thing += 1", "return self.wait")
    (mistake,) = report(lab(PORT, POKED.replace("pay", "hold"), hold, deliver)).mistakes
    assert "in state 'deliver': AttributeError" in mistake
    assert "'Lab' object has no attribute 'no_such_thing'" in mistake


NEVER = state("pay", "'wait', 'jackpot'", "return self.jackpot if self.now_s > 1e6 else self.wait")
JACKPOT = state("jackpot", "'wait'", "return self.wait")


def test_a_state_that_no_subject_reaches_is_a_warning_with_its_line(lab: Lab) -> None:
    path = lab(PORT, POKED, NEVER, JACKPOT)
    (warning,) = report(path).warnings
    source = path.with_name("lab.py").read_text().splitlines()
    line = int(warning.split(":")[1])
    assert "async def jackpot" in source[line]
    assert "state 'jackpot' was not rehearsed: random_explorer, a guided subject did not come from pay to it" in warning
    assert "simulation.model" in warning


def test_a_state_that_no_other_names_is_a_warning(lab: Lab) -> None:
    (warning,) = report(lab(PORT, POKED.replace("pay", "wait"), JACKPOT)).warnings
    assert "state 'jackpot' is never entered: no other state names it in to=" in warning


@pytest.mark.parametrize(
    ("when", "warned", "wrong"),
    [("params.trained", False, False), ("not params.trained", True, False)],
)
def test_a_state_may_say_with_which_parameters_it_is_used(lab: Lab, when: str, warned: bool, wrong: bool) -> None:
    path = lab(PORT, POKED, NEVER, state("jackpot", "'wait'", "return self.wait", more=f"when=lambda params: {when}"))
    found = report(path)
    assert bool(found.warnings) == warned
    assert ("jackpot not used" in found.notes[0]) != warned


def test_a_state_behind_one_that_is_not_used_need_not_say_so(lab: Lab) -> None:
    jackpot = state("jackpot", "'count_up'", "return self.count_up", more="when=lambda params: params.trained")
    found = report(lab(PORT, POKED, NEVER, jackpot, state("count_up", "'wait'", "return self.wait")))
    assert found.warnings == ()
    assert "(count_up, jackpot not used)" in found.notes[0]


def test_a_state_that_says_so_wrongly_is_a_mistake(lab: Lab) -> None:
    pay = state("pay", "'wait'", "return self.wait", more="when=lambda params: params.trained")
    (mistake,) = report(lab(PORT, POKED, pay)).mistakes
    assert "state 'pay' was entered, and its when= says that these parameters do not use it" in mistake


@pytest.mark.parametrize(
    ("trial", "text"),
    [
        ("pass", "no trial began, so the trial table stays empty: a trial begins with self.begin_trial(row)"),
        ("self.now_s > 1e6 and self.begin_trial(Row())", "so nothing that happens in one was rehearsed: name a"),
    ],
)
def test_no_trial_is_a_warning(lab: Lab, trial: str, text: str) -> None:
    path = lab(PORT, state("wait", "'wait'", "await self.first(self.box.left.poked)", trial, "return self.wait"))
    source = path.with_name("lab.py")
    if "begin_trial" not in trial:
        source.write_text(source.read_text().replace("self.begin_trial(Row())", "pass").replace("self.end_trial()", ""))
    (warning,) = report(path).warnings
    assert text in warning


def test_a_rehearsal_is_the_same_every_time(lab: Lab) -> None:
    spec = spec_from_file(lab(PORT, POKED, NEVER, JACKPOT), SessionRequest())
    first, second = (rehearse(spec) for _ in range(2))
    assert [result.decided for result in first.results] == [result.decided for result in second.results]


def test_an_image_that_is_not_there_is_a_mistake_with_the_path_looked_at(lab: Lab) -> None:
    image = "Image(name='x', x_cm=5, y_cm=5, width_cm=2, height_cm=2, file=self.params.file)"
    show = state(
        "show",
        "'show'",
        f"self.box.screen.show(Scene(items=({image},)))",
        "await self.first(self.box.screen.appeared)",
        "await self.first(self.box.screen.pecked)",
        "self.count()",
        "return self.show",
    )
    path = lab(SCREEN, show)
    (mistake,) = report(path).mistakes
    assert f"in state 'show': the image {Path('no_such.png').absolute()} cannot be read" in mistake
    picture = path.with_name("picture.png")
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    assert check(path, SessionRequest(sets=[f"params.file={picture}"])).mistakes == ()
    picture.write_text("no picture")
    assert "cannot be read" in check(path, SessionRequest(sets=[f"params.file={picture}"])).mistakes[0]


@pytest.mark.parametrize(
    ("model", "players"), [("", "with random_explorer, a"), (", model: wsls", "with wsls, random_explorer, a")]
)
def test_the_subject_of_the_file_plays_first(lab: Lab, model: str, players: str) -> None:
    found = report(lab(PORT, POKED.replace("pay", "wait"), simulation=model))
    assert players in found.notes[0]


def test_a_subject_of_the_file_that_does_not_fit_its_rig_is_a_warning_at_its_line(lab: Lab) -> None:
    path = lab(PORT, POKED.replace("pay", "wait"), simulation=", model: rat")
    found = report(path)
    assert found.mistakes == ()
    text = f"{path}:2: simulation.model: model 'rat' needs start, left, right, and this rig has no start"
    assert any(warning.startswith(text) for warning in found.warnings)


def test_a_subject_of_the_file_that_does_not_fit_another_rig_is_a_note(lab: Lab) -> None:
    path = lab(PORT, POKED.replace("pay", "wait"), simulation=", model: rat")
    found = check(path, SessionRequest(rig="sim_nose_ports"))
    assert found.mistakes == ()
    assert any("model 'rat' needs start, left, right, and this rig has no start" in note for note in found.notes)


def test_a_subject_that_does_not_exist_is_a_mistake_at_its_line(lab: Lab) -> None:
    path = lab(PORT, POKED.replace("pay", "wait"), simulation=", model: rta")
    (mistake,) = report(path).mistakes
    assert f"{path}:2: simulation.model: there is no virtual subject of this name; did you mean 'rat'?" in mistake
