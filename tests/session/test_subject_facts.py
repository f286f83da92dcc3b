"""What a protocol may know of its subject, from the records and by assumption; a replay takes it from the header."""

import datetime
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from rig.core.errors import ConfigError
from rig.core.journal.header import Header
from rig.core.journal.kinds import Weighed
from rig.core.model.actions import Amount
from rig.core.model.subject import Subject, number_of
from rig.core.task.states import Next, state
from rig.records.subject.deliveries import record_manual_delivery
from rig.records.subject_events import append_events
from rig.session.replay import replay_lines
from rig.session.run.run_session import run_session
from rig.session.spec.request import SessionRequest
from rig.session.subject_facts import parse_facts, real_subject, rehearsed_subject, subject_of_session
from rig.session.subject_folder import SubjectFolder
from tests.harness import run_harness
from tests.records.journals import Book, put, raw_of
from tests.session_specs import PortTask, protocol_spec, session_spec, task_spec

NOON = datetime.datetime(2026, 11, 21, 12)
NOTHING_GIVEN = dict.fromkeys(("today_ul", "yesterday_ul", "today_access_s", "yesterday_access_s"), 0.0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "M07"
    place.mkdir()
    return place


def recorded(folder: Path, date: str, number: int = 1, **given: float) -> Path:
    book = Book()
    book.header(start=f"{date}T09:00:00")
    book.footer(**given)
    return put(folder / date / f"{number:03d}", book.raw)


def weighed(folder: Path, weight_g: float, at: datetime.datetime) -> None:
    append_events(folder, [Weighed(weight_g=weight_g, when="before")], "Ada", at)


@pytest.mark.parametrize(
    ("name", "number"),
    [("M07", 7), ("U1-12", 12), ("sim003", 3), ("Ada", None), ("M0", None), ("7b", None), ("", None)],
)
def test_the_number_is_at_the_end_of_the_name_as_for_assigned_stages(name: str, number: int | None) -> None:
    assert number_of(name) == number
    assert Subject.named(name).number == number


def test_of_a_new_subject_only_the_name_is_known(folder: Path) -> None:
    assert real_subject(folder, NOON) == Subject("M07", 7)
    assert Subject("M07", 7).header_fields() == {"number": 7}


def test_the_weight_is_the_last_one_and_in_percent_of_the_baseline(folder: Path) -> None:
    (folder / "subject.yaml").write_text("baseline_g: 25\n")
    weighed(folder, 21.0, NOON - datetime.timedelta(days=3))
    weighed(folder, 24.0, NOON + datetime.timedelta(days=1))
    known = real_subject(folder, NOON)
    assert (known.weight_g, known.weight_pct) == (21.0, 84.0), "a later one is none of this session"
    taken = real_subject(folder, NOON, 22.5)
    assert (taken.weight_g, taken.weight_pct) == (22.5, 90.0), "the weight of the session itself comes first"


def test_what_was_given_counts_by_day_and_unit_and_by_hand_too(folder: Path) -> None:
    recorded(folder, "2026-11-20", ul=400, pellets=3)
    recorded(folder, "2026-11-21", ul=100)
    record_manual_delivery(folder, Amount(ul=50), "Ada", "bait", NOON - datetime.timedelta(hours=1))
    known = real_subject(folder, NOON)
    assert (known.today_ul, known.yesterday_ul, known.yesterday_pellets, known.today_pellets) == (150, 400, 3, 0)
    assert known.days_since_last == 0
    assert known.header_fields()["days_since_last"] == 0, "that is not the same as none"


def test_an_amount_of_which_the_records_are_damaged_is_unknown_and_not_zero(folder: Path) -> None:
    recorded(folder, "2026-11-21", ul=100)
    recorded(folder, "2026-11-20", ul=400)
    journal = folder / "2026-11-20" / "001" / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b"header", b"heater"))
    known = real_subject(folder, NOON)
    assert (known.yesterday_ul, known.yesterday_pellets) == (None, None)
    assert known.today_ul is None, "it may have run over midnight"
    assert Subject.of_facts("M07", known.header_fields()) == known
    book = Book()
    book.header(start="2026-11-21T12:00:00", subject_facts=known.header_fields())
    (header,) = book.lines
    assert isinstance(header, Header)
    assert header.subject_facts["yesterday_ul"] is None


def test_a_header_of_another_program_may_have_further_facts() -> None:
    assert Subject.of_facts("M07", {"name": 3, "mood": 4, "number": 7}).number == 7


def test_days_since_the_last_session_are_days_of_the_calendar_without_voided_ones(folder: Path) -> None:
    recorded(folder, "2026-11-18")
    assert real_subject(folder, NOON).days_since_last == 3
    assert real_subject(folder, datetime.datetime(2026, 11, 19, 0, 5)).days_since_last == 1


def test_facts_from_a_command_line_are_checked() -> None:
    assert parse_facts(["weight_g=22", "number=3"]) == {"weight_g": 22.0, "number": 3}
    with pytest.raises(ConfigError) as caught:
        parse_facts(["weight=22", "weight_g=heavy", "number=0"])
    assert [text.split(": ")[0] for text in caught.value.mistakes] == [
        "--fact weight=22",
        "--fact weight_g=heavy",
        "--fact number=0",
    ]
    assert "weight_g" in caught.value.mistakes[0]


def test_a_rehearsal_assumes_a_subject_of_the_protocols_species_and_facts_replace_that() -> None:
    spec = replace(protocol_spec(), species="mouse")
    assert rehearsed_subject(spec) == Subject("test", 1, 22.0, 88.0)
    heavier = replace(spec, request=replace(spec.request, subject_facts={"weight_g": 25.0, "number": 4}))
    assert rehearsed_subject(heavier) == Subject("test", 4, 25.0, 100.0)
    assert rehearsed_subject(protocol_spec()).weight_g is None or spec.species is not None


def test_a_rehearsal_with_a_subject_has_what_its_records_say(folder: Path) -> None:
    weighed(folder, 21.0, NOON - datetime.timedelta(days=3))
    spec = protocol_spec()
    request = SessionRequest(subject="M07", data=folder.parent, start=NOON)
    assert rehearsed_subject(replace(spec, request=request)).weight_g == 21.0
    with pytest.raises(ConfigError, match="has no such subject"):
        rehearsed_subject(replace(spec, request=replace(request, subject="M08")))


def test_the_next_simulated_session_knows_of_the_one_before(tmp_path: Path) -> None:
    spec = protocol_spec("free_water", stop_session_s=30)
    first = run_session(
        session_spec(
            spec, data=tmp_path, start=NOON, simulation=replace(spec.request.simulation, model="random_explorer")
        )
    )
    given_ul = first.outcome.ul
    assert given_ul > 0
    assert "days_since_last" not in first.header.subject_facts
    day = datetime.timedelta(days=1)
    sim = SubjectFolder(tmp_path, "M1", simulated=True)
    known = subject_of_session(session_spec(spec, data=tmp_path), sim, NOON + day)
    assert (known.days_since_last, known.yesterday_ul, known.today_ul) == (1, given_ul, 0)
    assert subject_of_session(session_spec(spec, data=tmp_path), sim, NOON).today_ul == given_ul


class Knowing(PortTask):
    """Waits so many seconds as its subject has grams."""

    @state(to=("rest",), can_end=True)
    async def rest(self) -> Next:
        self.note(what="subject", name=self.subject.name, number=self.subject.number)
        side = self.box.left if (self.subject.number or 0) % 2 else self.box.right
        with side.light:
            await self.sleep((self.subject.weight_g or 1.0) / 10)
        return self.rest


def test_a_replay_decides_with_the_facts_of_the_header() -> None:
    spec = replace(session_spec(task_spec(Knowing), subject="M8"), about_subject=Subject("M8", 8, weight_g=21.5))
    harness = run_harness(spec)
    header = harness.journal[0]
    assert isinstance(header, Header)
    assert (header.subject, header.subject_facts) == ("M8", {"number": 8, "weight_g": 21.5})
    harness.assert_replay_agrees()
    other = [structs.replace(header, subject_facts={"number": 9, "weight_g": 21.5}), *harness.journal[1:]]
    assert replay_lines(other, spec.found)[1] is not None, "another number decides for the other side"


def test_a_journal_without_these_facts_is_replayed_as_before() -> None:
    harness = run_harness(session_spec(task_spec(Knowing), subject="Ada"))
    assert b"subject_facts" not in raw_of(harness)[0]
    harness.assert_replay_agrees()
