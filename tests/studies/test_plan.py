"""A study: what each arm runs, what is taken from it, and every mistake at its line before anything starts."""

from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from rig.session.curriculum.stage_planner import StagePlanner
from rig.studies.plan import Study
from tests.config_writer import Write, write

__all__ = ["write"]

GOOD = """\
title: two odds
arms:
  80-20:
    protocol: two_armed_bandit
    model: rflr
    model_params: {alpha: 1.2, beta: 2}
    params: {p_high: 0.8, trials_from: null}
    stop: {session_s: 60}
    subjects: 3
  90-10: {like: 80-20, params: {p_high: 0.9}, same_subjects_as: 80-20, sessions: 5}
analyses:
  all: {options: {skip_first: 10, models: true}}
  high: {analysis: two_armed_bandit, arms: [90-10]}
"""


def read(write: Write, text: str) -> Study:
    return Study(write("studies/odds.yaml", text))


def mistakes(write: Write, text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read(write, text)
    return sorted(said.removeprefix("configs/studies/odds.yaml:") for said in caught.value.mistakes)


def one_arm(arm: str, rest: str = "") -> str:
    return f"title: t\narms:\n  base: {{{arm}}}\n{rest}"


MOUSE = """\
from sim_hardware.models.base import Model


class Mouse(Model):
    async def live(self, body):
        pass
"""
BANDIT = "protocol: two_armed_bandit, model: rflr, stop: {session_s: 60}"


def test_each_arm_has_the_request_of_its_sessions(write: Write) -> None:
    study = read(write, GOOD)
    low, high = study.arms.values()
    assert study.name == "odds"
    assert (low.name, low.subjects, low.sessions, low.total) == (
        "80-20",
        ("80-20-s1-001", "80-20-s1-002", "80-20-s1-003"),
        1,
        3,
    )
    assert (high.subjects, high.sessions, study.total) == (low.subjects, 5, 18)
    assert low.request.protocol is not None
    assert Path(low.request.protocol).is_absolute()
    assert high.request.sets == ("params.p_high=0.9", "params.trials_from=null", "stop.session_s=60")
    assert (high.request.simulation.model, high.request.simulation.options) == ("rflr", {"alpha": "1.2", "beta": "2"})
    (spec,) = StagePlanner(high.request).everything()
    assert (spec.params.p_high, spec.stop.session_s) == (0.9, 60)


def test_each_analysis_has_the_places_and_the_pictures_that_are_taken_of_it(write: Write) -> None:
    figure = "  - {name: n, of: %s, take: %s, at_least: 0, source: s}\n"
    figures = "".join(figure % taken for taken in (("all", "groups/a"), ("high", "groups/b"), ("all", "groups/c")))
    picture = "pictures: [{of: all, picture: rates, paper: Figure 1, shows: rates}]\n"
    everything, high = read(write, f"{GOOD}figures:\n{figures}{picture}").analyses.values()
    assert (everything.takes, everything.pictures) == (("groups/a", "groups/c"), ("rates",))
    assert (high.takes, high.pictures) == (("groups/b",), ())
    assert high.arms == {"90-10": ("80-20-s1-001", "80-20-s1-002", "80-20-s1-003")}


def test_each_analysis_has_the_values_of_its_options(write: Write) -> None:
    everything, high = read(write, GOOD).analyses.values()
    assert (everything.found.name, tuple(everything.arms)) == ("two_armed_bandit", ("80-20", "90-10"))
    assert (everything.options["skip_first"], everything.options["models"], everything.options["seed"]) == (10, True, 1)
    assert (high.name, tuple(high.arms), high.options["skip_first"]) == ("high", ("90-10",), 0)
    assert high.analysis().given == high.options


def test_files_are_found_beside_the_study_and_by_name_in_its_folders(write: Write) -> None:
    write("studies/mine.yaml", "extends: two_armed_bandit.yaml\nparams: {q_stay: 0.5}\n")
    write("rigs/ours.yaml", "extends: sim_nose_ports.yaml\n")
    write("studies/mouse.py", MOUSE)
    study = read(write, one_arm("protocol: mine.yaml, rig: ours, model: ./mouse.py"))
    spec = study.arms["base"].specs[""]
    assert (spec.params.q_stay, spec.plan.name) == (0.5, "ours")


def test_a_file_of_a_virtual_subject_is_counted_from_the_study(write: Write, tmp_path: Path) -> None:
    write("studies/pokes.csv", "t_us,place,level\n1000000,left,1\n1100000,left,0\n")
    study = read(write, one_arm("protocol: free_water, model: scripted, model_params: {file: ./pokes.csv}"))
    options = study.arms["base"].request.simulation.options
    assert options == {"file": str(tmp_path / "configs/studies/pokes.csv")}


def test_an_arm_may_run_a_curriculum(write: Write) -> None:
    study = read(
        write,
        one_arm(
            "curriculum: two_armed_bandit, model: rflr, sessions: 30", "analyses: {last: {stages: [final, task]}}\n"
        ),
    )
    assert study.analyses["last"].found.name == "two_armed_bandit"


def test_all_mistakes_are_told_at_once_with_their_lines(write: Write) -> None:
    text = """\
title: t
arms:
  a: {protocol: two_arm_bandit, model: rflr}
  b: {protocol: two_armed_bandit, model: rflr, params: {p_hihg: 1}, stop: {session_s: -1}}
  c: {protocol: two_armed_bandit, model: rlfr}
  d: {protocol: two_armed_bandit, model: rflr, model_params: {alhpa: 1, beta: high}}
  e: {protocol: two_armed_bandit, model: rflr, rig: nowhere}
analyses:
  one: {analysis: two_armed_bandit, options: {skip: 1, seed: much, models: 1}}
"""
    found = mistakes(write, text)
    assert [said.split(": ")[:2] for said in found] == [
        ["3", "arms.a.protocol"],
        ["4", "arms.b.params.p_hihg"],
        ["4", "arms.b.stop.session_s"],
        ["5", "arms.c.model"],
        ["6", "arms.d.model_params.alhpa"],
        ["6", "arms.d.model_params.beta"],
        ["7", "arms.e.rig"],
        ["9", "analyses.one.options.models"],
        ["9", "analyses.one.options.seed"],
        ["9", "analyses.one.options.skip"],
    ]


def test_a_mistake_elsewhere_in_the_file_does_not_hide_those_of_the_arms(write: Write) -> None:
    text = one_arm("protocol: two_arm_bandit, model: rflr", "figures: [{name: n, of: x, take: y, source: s}]\n")
    first, second = mistakes(write, text)
    assert first.startswith("3: arms.base.protocol: no protocol is called 'two_arm_bandit'")
    assert second.startswith("4: figures[0]: expects nothing")


def test_a_mistake_in_another_file_is_told_there_and_names_the_arm(write: Write) -> None:
    write("protocols/mine.yaml", "extends: two_armed_bandit.yaml\nparams: {p_high: 9}\n")
    study, other = mistakes(
        write, one_arm("protocol: mine, model: rflr", "  good: {like: base, params: {p_high: 0.8}}\n")
    )
    assert study == "3: arms.base: cannot run: there are mistakes in configs/protocols/mine.yaml"
    assert other.startswith("configs/protocols/mine.yaml:2: params.p_high: must be <= 1, got 9")


def test_a_mistake_of_an_arm_that_others_are_like_is_told_once_at_its_line(write: Write) -> None:
    text = one_arm(f"{BANDIT}, params: {{p_high: 9}}", "  more: {like: base, params: {q_stay: 0.5}}\n")
    (said,) = mistakes(write, text)
    assert said.startswith("3: arms.base.params.p_high: must be <= 1, got 9")


@pytest.mark.parametrize(
    ("arm", "said"),
    [
        ("protocol: two_armed_bandit, model: keyboard", "arms.base.model: keyboard is a person"),
        (
            "protocol: two_armed_bandit, model: rflr, model_params: {alpha: [1]}",
            "model_params.alpha: must be a word, a",
        ),
        ("protocol: two_armed_bandit, model: ./mouse.py:Mouse", "arms.base.model: model '/"),
        (
            "protocol: two_armed_bandit, model: rflr, rig: sim_pigeon_chamber",
            "devices: 'center' is missing; the protocol needs a port",
        ),
        ("protocol: disk_bandit, model: rflr", "arms.base.model: model 'rflr' needs"),
        (f"{BANDIT}, rig: nose_ports_uno", "arms.base.rig: nose_ports_uno has a real board (serial)"),
        (f"{BANDIT}, subjects: [sim]", "arms.base.subjects[0]: subject 'sim': "),
        (f"{BANDIT}, subjects: [studies]", "arms.base.subjects[0]: subject 'studies': "),
        (
            "curriculum: grid_bandit, model: random_explorer, subjects: [anna]",
            "arms.base.subjects[0]: anna: the curric",
        ),
        (
            "curriculum: grid_bandit, model: random_explorer, params: {payoff: maximum}",
            "arms.base.params.payoff: the s",
        ),
        ("curriculum: nothing, model: rflr", "arms.base.curriculum: no curriculum is called 'nothing'"),
    ],
)
def test_a_mistake_in_an_arm_says_what_would_be_right(write: Write, arm: str, said: str) -> None:
    found = mistakes(write, one_arm(arm))
    assert any(said in mistake for mistake in found), found


@pytest.mark.parametrize(
    ("arm", "run", "said"),
    [
        (BANDIT, "analysis: delay_discounting", "analyses.a.analysis: delay_discounting does not suit arm base"),
        (BANDIT, "analysis: sesions", "analyses.a.analysis: analysis 'sesions' is not installed; did you mean 'sess"),
        (BANDIT, "stages: [stage1]", "analyses.a.stages: arm base runs a protocol, which has no stages"),
        (
            BANDIT,
            "options: {skip-first: 1}",
            "options.skip-first: two_armed_bandit has no such option; did you mean 's",
        ),
        (BANDIT, "options: {skip_first: 1.5}", "options.skip_first: wanted a whole number, 0 or more, got 1.5"),
        (BANDIT, "options: {public: ../../out.csv}", "options.public: writes files, which an analysis of a study does"),
        (BANDIT, "options: {skip_first: true}", "options.skip_first: must be a value (N), got true"),
        (
            "curriculum: two_armed_bandit, model: rflr",
            "stages: [finale]",
            "analyses.a.stages[0]: there is no stage 'finale'; did you mean 'final'?",
        ),
    ],
)
def test_a_mistake_in_an_analysis_says_what_would_be_right(write: Write, arm: str, run: str, said: str) -> None:
    found = mistakes(write, one_arm(arm, f"analyses:\n  a: {{{run}}}\n"))
    assert any(said in mistake for mistake in found), found


def test_a_file_that_an_analysis_reads_is_beside_the_study(write: Write) -> None:
    arm = "protocol: disk_bandit, model: pigeon"
    study = read(write, one_arm(arm, "analyses:\n  a: {options: {people: birds.csv}}\n"))
    assert study.analyses["a"].options["people"] == str(Path("configs/studies/birds.csv").absolute())


def test_an_arm_has_one_table_of_trials(write: Write) -> None:
    stages = "stages:\n  maze: {protocol: delay_discounting}\n  ports: {protocol: two_armed_bandit}\n"
    write("curricula/two.yaml", stages)
    found = mistakes(write, one_arm("curriculum: two, model: random_explorer"))
    assert any("stages maze and ports write tables of different columns" in mistake for mistake in found), found


def test_arms_of_different_tasks_have_no_analysis_in_common(write: Write) -> None:
    text = one_arm(BANDIT, "  maze: {protocol: delay_discounting, model: rat}\nanalyses: {a: {}}\n")
    (said,) = mistakes(write, text)
    assert "analyses.a: two_armed_bandit suits arm base, and delay_discounting arm maze: give analysis" in said


def test_the_number_of_a_power_question_has_an_analysis_too(write: Write) -> None:
    statistic = "statistic: {take: sessions, name: n, options: {sed: 1}}"
    power = f"power: {{baseline: base, effect: more, subjects: [4], {statistic}}}\n"
    arms = BANDIT.replace("model: rflr", "model: rflr, subjects: 4", 1)
    text = one_arm(arms, f"  more: {{like: base, params: {{p_high: 0.9}}}}\n{power}")
    (said,) = mistakes(write, text)
    assert "power.statistic.options.sed: two_armed_bandit has no such option; did you mean 'seed'?" in said
    study = read(write, text.replace("sed:", "seed:"))
    assert study.statistic is not None
    assert (tuple(study.statistic.arms), study.statistic.options["seed"], study.analyses) == (("base", "more"), 1, {})


def test_the_first_step_of_a_place_is_one_that_the_analysis_has(write: Write) -> None:
    figures = "figures: [{name: n, of: all, take: gruops/80-20/x, at_least: 0, source: s}]\n"
    power = "power: {baseline: 80-20, effect: other, subjects: [2], statistic: {take: rates, name: n}}\n"
    arms = "  other: {like: 80-20, subjects: 4}\nanalyses"
    text = GOOD.replace("analyses", arms).replace("subjects: 3", "subjects: 4")
    first, second = mistakes(write, text + figures + power)
    said = "figures[0].take: the answer of two_armed_bandit has no 'gruops'; did you mean 'groups'?"
    assert said in first
    assert "power.statistic.take: the answer of two_armed_bandit has no 'rates'; accepted: selection, boots" in second


def test_the_number_that_tests_an_explanation_is_taken_too(write: Write) -> None:
    explained = "{text: t, at_most: 0, without: beside, take: groups/y}"
    figure = f"{{name: n, of: all, take: groups/x, at_least: 0, source: s, explanation: {explained}}}"
    text = GOOD.replace("analyses:\n", "analyses:\n  beside: {}\n") + f"figures: [{figure}]\n"
    study = read(write, text)
    assert (study.analyses["all"].takes, study.analyses["beside"].takes) == (("groups/x",), ("groups/y",))
    (said,) = mistakes(write, text.replace("groups/y", "gruops/y"))
    assert "figures[0].explanation.take: the answer of two_armed_bandit has no 'gruops'" in said
    both = mistakes(write, text.replace(", take: groups/y", "").replace("groups/x", "gruops/x"))
    assert ["explanation.without: the answer" in said for said in both] == [True, False]


def test_a_study_with_another_seed_has_another_name(write: Write) -> None:
    path = write("studies/odds.yaml", GOOD)
    assert [(study.name, study.file.seed) for study in (Study(path), Study(path, 1), Study(path, 2))] == [
        ("odds", 1),
        ("odds", 1),
        ("odds-seed-2", 2),
    ]


@pytest.mark.parametrize("name", ["two odds", "2026"])
def test_the_name_of_a_study_can_be_a_folder_and_a_text_in_its_tables(name: str, write: Write) -> None:
    with pytest.raises(ConfigError, match=rf"{name}\.yaml: a study's results lie in a folder of its name"):
        Study(write(f"studies/{name}.yaml", GOOD))


def test_a_study_may_extend_another(write: Write) -> None:
    write("studies/odds.yaml", GOOD)
    longer = Study(write("studies/longer.yaml", "extends: odds.yaml\narms: {80-20: {subjects: 9}}\n"))
    assert longer.total == 9 + 9 * 5
