"""Mistyped entries: each is asked about before it is recorded, is refused, or can be voided, and sums are exact."""

import datetime
from collections.abc import Callable
from pathlib import Path

import pytest

from rig.cli.terminal.top_up import ask_top_up
from rig.core.journal.kinds import HandGiven, Remark
from rig.records.subject.deliveries import delivered_between
from rig.records.subject.known_subject import load_facts, load_known_subject
from rig.records.subject.top_up import top_up_of
from rig.records.subject_events import read_events
from tests.cli.conftest import Rig

DAY = datetime.datetime(2026, 11, 21), datetime.datetime(2026, 11, 22)
ANIMALS = {
    "M17": ("--species", "mouse", "--baseline-g", "25", "--restriction", "water"),
    "M18": ("--species", "mouse", "--baseline-g", "25", "--restriction", "water"),
    "R1": ("--species", "rat", "--baseline-g", "400"),
    "P1": ("--species", "pigeon", "--baseline-g", "500"),
}
WEIGHTS = {"M17": "23.9", "M18": "24.1", "R1": "345", "P1": "425"}

ASKED = [
    (
        ("give", "M18", "12ml"),
        "Is 12 ml right for M18 (24.1 g mouse; its daily target is 1.2 ml; with it 12.2 ml today)?",
    ),
    (("give", "M18", "12000ul"), "Is 12 ml right"),
    (("give", "M18", "12ml", "--reason", "thirst"), "Is 12 ml right"),
    (("give", "M18", "2200"), "AMOUNT 2200: wanted an amount with its unit, such as 320ul"),
    (("give", "M18", "2200ul"), "with it 2.4 ml today"),
    (("give", "M18", "120ml"), "Is 120 ml right"),
    (("give", "M18", "1,200ul"), "AMOUNT 1,200ul: can be read as 1200 or as 1.200: wanted it without a comma"),
    (("give", "M18", "-1200ul"), "AMOUNT -1200ul: wanted an amount above 0; `rig subject undo NAME`"),
    (("give", "M18", "1200ull"), "wanted an amount with its unit, such as 320ul"),
    (("give", "M18", "1200pellets"), "Is 54 g right for M18"),
    (("give", "R1", "60ml"), "Is 60 ml right for R1 (345 g rat; at will it takes about 41.4 ml a day)?"),
    (("give", "M18", "25000ul", "--reason", "bait"), "Is 25 ml right"),
    (("give", "R1", "140g"), "Is 140 g right for R1 (345 g rat; its daily target is 14 g)?"),
    (("give", "R1", "1000pellets"), "Is 45 g right for R1"),
    (("give", "M18", "50g"), "Is 50 g right for M18 (24.1 g mouse; at will it takes about 4.82 g a day)?"),
    (("give", "P1", "200g"), "Is 200 g right for P1"),
    (("give", "P1", "-5g"), "wanted an amount above 0"),
    (("weigh", "M18", "241"), "Is 241 g right for M18 (it weighed 24.1 g on 2026-11-21)?"),
    (("weigh", "M18", "2.41"), "Is 2.41 g right for M18"),
    (("weigh", "M18", "21.4"), "Is 21.4 g right for M18"),
    (("weigh", "M18", "42.1"), "Is 42.1 g right for M18"),
    (("weigh", "M18", "-24.1"), "is no weight of a subject"),
    (("weigh", "M18", "345"), "Is 345 g right for M18"),
    (("weigh", "R1", "24.1"), "Is 24.1 g right for R1"),
    (("weigh", "P1", "524", "--after"), "Is 524 g right for P1"),
    (("set", "M18", "--baseline-g", "2.75"), "Is a baseline of 2.75 g right for M18 (a mouse weighs 10 to 60 g)?"),
    (("set", "M18", "--baseline-g", "275"), "Is a baseline of 275 g right for M18"),
    (("set", "R1", "--baseline-g", "4000"), "Is a baseline of 4000 g right for R1 (a rat weighs 40 to 1000 g)?"),
    (("set", "R1", "--species", "mouse", "--baseline-g", "400"), "a mouse weighs 10 to 60 g"),
    (("set", "P1", "--baseline-g", "50"), "Is a baseline of 50 g right for P1"),
]
"""Entries that no animal of this species and weight has: asked about, or refused with a sentence."""

VOIDED = [
    ("give", "M18", "1000ul"),
    ("give", "M18", "20ul"),
    ("give", "M18", "1,5ml"),
    ("give", "R1", "9g"),
    ("give", "R1", "100pellets"),
    ("weigh", "M18", "25.1"),
    ("weigh", "P1", "435", "--after"),
    ("set", "M18", "--baseline-g", "28"),
    ("set", "R1", "--sex", "female"),
    ("note", "M18", "died"),
]
"""Wrong entries that suit the animal: only a person knows, and voids them."""


@pytest.fixture(autouse=True)
def colony(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIG_EXPERIMENTER", "Ada")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("rig.cli.common.now", lambda: datetime.datetime(2026, 11, 21, 8))
    for name, facts in ANIMALS.items():
        assert rig("subject", "add", name, *facts).status == 0
        assert rig("subject", "weigh", name, WEIGHTS[name]).status == 0
    assert rig("subject", "give", "M18", "200ul").status == 0


def records(data: Path) -> dict[str, bytes]:
    return {name: (data / name / "events.jsonl").read_bytes() for name in ANIMALS}


@pytest.mark.parametrize(
    ("words", "said"), ASKED, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_a_mistyped_entry_is_not_recorded_without_a_person(
    rig: Rig, data: Path, words: tuple[str, ...], said: str
) -> None:
    before = records(data)
    answer = rig("subject", *words)
    assert (answer.status, said in answer.err) == (2, True), answer.err
    assert records(data) == before


@pytest.mark.parametrize("words", [words for words, said in ASKED if said.startswith("Is ")], ids=" ".join)
def test_enter_leaves_a_mistyped_entry_and_the_same_one_again_records_it(
    rig: Rig, data: Path, typed: Callable[..., list[str]], words: tuple[str, ...]
) -> None:
    before = records(data)
    asked = typed("")
    assert "Left: nothing was recorded." in rig("subject", *words).err
    assert records(data) == before
    what = "amount" if words[0] == "give" else "weight"
    assert asked[-1].endswith(f"? Type the {what} again, or Enter to leave it: ")
    typed(words[3] if words[0] == "set" else words[2])
    assert rig("subject", *words).status == 0
    assert records(data) != before


def test_another_amount_at_the_question_is_recorded_in_its_place_if_it_suits(
    rig: Rig, data: Path, typed: Callable[..., list[str]]
) -> None:
    asked = typed("11ml", "1ml")
    assert rig("subject", "give", "M18", "12ml").status == 0
    assert [question[:9] for question in asked] == ["Is 12 ml ", "Is 11 ml "]
    assert delivered_between(data / "M18", *DAY).amount.ul == 1200


def test_an_entry_with_yes_is_recorded_without_a_question(rig: Rig, data: Path) -> None:
    assert rig("subject", "give", "M18", "12ml", "--yes").status == 0
    assert rig("subject", "set", "M18", "--baseline-g", "70", "--yes").status == 0
    assert load_facts(data / "M18").baseline_g == 70


def test_an_animal_is_added_only_with_a_baseline_of_its_species(rig: Rig, data: Path) -> None:
    answer = rig("subject", "add", "M19", "--species", "mouse", "--baseline-g", "230")
    assert (answer.status, "Is a baseline of 230 g right for M19" in answer.err) == (2, True)
    assert not (data / "M19").exists()


def test_people_are_not_asked_about(rig: Rig) -> None:
    rig("subject", "add", "H1", "--species", "human")
    assert rig("subject", "give", "H1", "250ml").status == 0
    assert rig("subject", "weigh", "H1", "19000").status == 0


@pytest.mark.parametrize("words", VOIDED, ids=" ".join)
def test_a_wrong_entry_that_suits_is_voided_and_all_sums_are_as_before(
    rig: Rig, data: Path, words: tuple[str, ...]
) -> None:
    shown = rig("subject", "show", words[1]).out.partition("entries")[0]
    assert rig("subject", *words).status == 0
    assert rig("subject", "show", words[1]).out.partition("entries")[0] != shown or words[0] == "note"
    assert rig("subject", "undo", words[1]).status == 0
    assert rig("subject", "show", words[1]).out.partition("entries")[0] == shown
    assert len(list(read_events(data / words[1]).of_kind(Remark))) == 0


def test_a_decimal_comma_is_read_as_a_decimal_point(rig: Rig, data: Path) -> None:
    assert "1200 ul" in rig("subject", "give", "M17", "1,2ml").out
    assert "4.5 g of food" in rig("subject", "give", "P1", "4,5g").out
    assert "23.8 g" in rig("subject", "weigh", "M17", "23,8").out
    assert delivered_between(data / "M17", *DAY).amount.ul == 1200


def test_a_session_asks_about_a_weight_that_is_far_from_the_last(
    rig: Rig, data: Path, far: Path, typed: Callable[..., list[str]]
) -> None:
    asked = typed("")
    answer = rig("run", "two_armed_bandit", "--subject", "M18", "--rig", far, "--weight-g", "29")
    assert (answer.status, "Left: nothing was recorded." in answer.err) == (2, True), answer.err
    assert asked == [
        "Is 29 g right for M18 (it weighed 24.1 g on 2026-11-21)? Type the weight again, or Enter to leave it: "
    ]


def test_a_top_up_far_above_the_target_is_asked_about_after_the_session(
    rig: Rig, real: Rig, data: Path, typed: Callable[..., list[str]]
) -> None:
    rig("subject", "add", "M1", *ANIMALS["M18"])
    asked = typed("12ml", "1,2ml")
    assert real("2026-11-21T09:00", "--set", "stop.max_rewards=1").status == 0
    assert asked[-1].startswith("Is 12 ml right for M1 (25 g mouse; its daily target is 1.2 ml")
    (given,) = read_events(data / "M1").of_kind(HandGiven)
    assert given.ul == 1200


def test_a_top_up_after_midnight_is_compared_with_what_was_given_on_the_day_of_the_session(
    rig: Rig, data: Path, typed: Callable[..., list[str]]
) -> None:
    rig("subject", "give", "M18", "500ul")
    known = load_known_subject(data / "M18")
    asked = typed("2000ul", "")
    top_up = top_up_of(data / "M18", known, DAY[0].date())
    ask_top_up(data / "M18", top_up, "Ada", DAY[1] + datetime.timedelta(minutes=30))
    assert "its daily target is 1.2 ml; with it" in asked[1]


@pytest.mark.parametrize(
    "words",
    [
        ("weigh", "m17", "24"),
        ("give", "m17", "20ul"),
        ("note", "m17", "calm"),
        ("set", "m17", "--sex", "male"),
        ("undo", "m17"),
        ("record", "m17"),
        ("show", "m17"),
        ("rebuild", "m17"),
        ("rename", "m17", "M20", "--reason", "so"),
    ],
    ids=lambda words: words[0],
)
def test_a_name_in_other_letters_finds_the_animal_and_the_answer_says_so(rig: Rig, words: tuple[str, ...]) -> None:
    answer = rig("subject", *words)
    assert (answer.status, "m17 is read as M17" in answer.err) == (0, True), answer.err
    assert "M17" in answer.out or words[0] == "record"


def test_a_name_that_is_nearly_right_is_refused_with_the_ones_that_it_may_mean(rig: Rig, data: Path) -> None:
    answer = rig("subject", "weigh", "M81", "24")
    assert (answer.status, "has no subject 'M81': did you mean M18?" in answer.err) == (2, True)
    assert not (data / "M81").exists()
