"""Entries of a subject's record that are voided, and what counts without them."""

import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.errors import ConfigError
from rig.core.journal.kinds import Facts, HandGiven, Remark, SubjectEvent, Weighed
from rig.core.model.actions import Amount
from rig.records.subject.days import subject_days, weight_of_day
from rig.records.subject.deliveries import declare_amount, delivered_between, record_manual_delivery
from rig.records.subject.entries import entries_of, last_entry, void_entry
from rig.records.subject.known_subject import load_known_subject
from rig.records.subject.top_up import top_up_of
from rig.records.subject_events import EVENTS, append_copies, append_events, read_events

NOON = datetime.datetime(2026, 11, 21, 12)
TODAY = NOON.date()
DAY = datetime.datetime(2026, 11, 21), datetime.datetime(2026, 11, 22)


def by_hand(ul: float = 0.0, food_g: float = 0.0, top_up_for: str | None = None) -> HandGiven:
    return HandGiven(ul=ul, pellets=0, access_s=0.0, reason="by hand", food_g=food_g, top_up_for=top_up_for)


amounts = st.integers(1, 3000).map(lambda ul: by_hand(ul=float(ul)))
top_ups = st.integers(1, 3000).map(lambda ul: by_hand(ul=float(ul), top_up_for="2026-11-21"))
food = st.integers(1, 30).map(lambda grams: by_hand(food_g=float(grams)))
weights = st.builds(
    lambda grams, when: Weighed(weight_g=grams, when=when),
    st.integers(10, 40).map(float),
    st.sampled_from(["before", "after"]),
)
facts = st.one_of(
    st.integers(15, 40).map(lambda grams: Facts(facts={"baseline_g": grams})),
    st.sampled_from(["mouse", "rat", "pigeon"]).map(lambda name: Facts(facts={"species": name})),
)
notes = st.just(Remark(text="a scratch"))
entries = st.lists(st.tuples(st.one_of(amounts, top_ups, food, weights, facts, notes), st.booleans()), max_size=12)


def write(folder: Path, events: list[SubjectEvent]) -> None:
    """Append events one by one, all at noon."""
    for event in events:
        append_events(folder, [event], "Ada", NOON)


def everything(folder: Path) -> dict[str, Any]:
    """Return all that is computed from a record."""
    known = load_known_subject(folder)
    return {
        "known": known,
        "days": subject_days(folder, known, TODAY, 14),
        "top-up": top_up_of(folder, known, TODAY),
        "total": delivered_between(folder, *DAY),
        "weight": weight_of_day(folder, TODAY),
        "notes": [line.text for line in read_events(folder).of_kind(Remark)],
    }


@settings(max_examples=60, deadline=None)
@given(entries)
def test_a_voided_entry_changes_every_sum_as_if_it_had_never_been_entered(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[SubjectEvent, bool]]
) -> None:
    with_voids, without = (tmp_path_factory.mktemp("data") / "M1" for _ in range(2))
    write(with_voids, [event for event, _ in drawn])
    for number, (_, is_wrong) in enumerate(drawn):
        if is_wrong:
            void_entry(with_voids, number, "Bo", "mistyped", NOON)
    write(without, [event for event, is_wrong in drawn if not is_wrong])
    assert everything(with_voids) == everything(without)
    assert [entry.voided is not None for entry in entries_of(read_events(with_voids))] == [void for _, void in drawn]


def test_a_voided_entry_stays_in_the_record_with_who_voided_it_and_why(tmp_path: Path) -> None:
    folder = tmp_path / "M1"
    before = record_manual_delivery(folder, Amount(ul=12_000), "Ada", "top-up", NOON, top_up_for="2026-11-20")
    raw = (folder / EVENTS).read_bytes()
    void_entry(folder, before, "Bo", "meant 1.2 ml", NOON)
    assert (folder / EVENTS).read_bytes().startswith(raw)
    (entry,) = entries_of(read_events(folder))
    assert entry.text == "12000 ul by hand (top-up, closes the top-up of 2026-11-20)"
    assert entry.voided == "Bo: meant 1.2 ml"


def test_an_entry_is_voided_once_and_must_be_there(tmp_path: Path) -> None:
    folder = tmp_path / "M1"
    record_manual_delivery(folder, Amount(ul=5), "Ada", "by hand", NOON)
    void_entry(folder, 0, "Bo", "mistyped", NOON)
    with pytest.raises(ConfigError, match="is voided already: Bo: mistyped"):
        void_entry(folder, 0, "Bo", "mistyped", NOON)
    for number in (1, 99):  # a void cannot be voided
        with pytest.raises(ConfigError, match="has no such entry: `rig subject record M1` lists them"):
            void_entry(folder, number, "Bo", "mistyped", NOON)


def test_the_last_entry_of_today_can_be_taken_back_and_no_older_one(tmp_path: Path) -> None:
    folder = tmp_path / "M1"
    with pytest.raises(ConfigError, match="has no entry that could be taken back"):
        last_entry(folder, TODAY)
    write(folder, [Facts(facts={"species": "mouse"}), Remark(text="calm")])
    assert last_entry(folder, TODAY).number == 1
    with pytest.raises(ConfigError, match=r"has no other entry of today. The last one is entry 1 .*: calm"):
        last_entry(folder, TODAY + datetime.timedelta(days=1))
    void_entry(folder, 1, "Bo", "undone", NOON)
    with pytest.raises(ConfigError, match=r"The last one is entry 0 .*`rig subject void M1 0 --reason WHY` takes it"):
        last_entry(folder, TODAY)


def test_an_entry_of_today_before_copies_of_older_ones_can_be_taken_back(tmp_path: Path) -> None:
    wrong, right = tmp_path / "M81", tmp_path / "M18"
    yesterday = NOON - datetime.timedelta(days=1)
    record_manual_delivery(wrong, Amount(ul=5), "Ada", "by hand", yesterday)
    record_manual_delivery(right, Amount(ul=1200), "Ada", "by hand", NOON)
    append_copies(right, read_events(wrong).lines, [], "Ada", NOON)
    assert last_entry(right, TODAY).number == 0


def test_a_void_still_means_the_same_entry_after_damaged_lines_were_settled(tmp_path: Path) -> None:
    folder = tmp_path / "M1"
    for ul in (1, 20, 300):
        record_manual_delivery(folder, Amount(ul=ul), "Ada", "by hand", NOON)
    void_entry(folder, 1, "Bo", "mistyped", NOON)
    void_entry(folder, 0, "Bo", "mistyped", NOON)
    path = folder / EVENTS
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0].replace(b"Ada", b"Eve"), *lines[1:]]))
    (unknown,) = delivered_between(folder, *DAY).unknown
    declare_amount(unknown.folder, Amount(ul=4000), "Ada", "one of 4 ml", NOON)
    total = delivered_between(folder, *DAY)
    assert (total.amount.ul, total.unknown) == (4300, ())
    assert [entry.voided for entry in entries_of(read_events(folder))] == ["Bo: mistyped", None, None]


def test_a_void_that_a_crash_tore_leaves_a_readable_record_in_which_the_entry_counts(tmp_path: Path) -> None:
    folder = tmp_path / "M1"
    record_manual_delivery(folder, Amount(ul=50), "Ada", "by hand", NOON)
    whole = (folder / EVENTS).read_bytes()
    void_entry(folder, 0, "Bo", "mistyped", NOON)
    raw = (folder / EVENTS).read_bytes()
    for size in range(len(whole) + 60, len(raw)):
        (folder / EVENTS).write_bytes(raw[:size])
        total = delivered_between(folder, *DAY)
        is_whole = size == len(raw) - 1  # but for its newline
        assert (total.amount.ul, total.unknown) == (0 if is_whole else 50, ())
    (folder / EVENTS).write_bytes(raw[: len(whole) + 80])
    void_entry(folder, 0, "Bo", "mistyped", NOON)
    assert delivered_between(folder, *DAY).amount.ul == 0
    assert read_events(folder).amounts_damage == ()
