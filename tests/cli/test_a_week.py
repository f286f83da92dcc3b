"""A week of twelve restricted mice, with 30 omissions and 30 mistyped entries, played by a script that knows the truth.

The script gives water and types entries as technicians do. It keeps two accounts of its own: what each animal drank,
and what was typed and not taken back. Every morning and evening it compares the second with what the commands and the
page of the day say. At the end of the week both accounts are one.
"""

from __future__ import annotations

import datetime
import json
import shlex
from collections import Counter
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Literal, NamedTuple

import pytest

from tests.cli.conftest import Rig

MICE = [f"M{number}" for number in range(1, 13)]
FACTS = "--species mouse --baseline-g 24 --baseline-date 2026-11-01"
DAYS = [f"2026-12-{number:02d}" for number in range(7, 14)]
LAST_MORNING = "2026-12-14"
TARGET_UL, LEAST_UL, DROP_UL = 1200.0, 1000.0, 2.5
PORTION_UL = 700.0
OMISSIONS = 30


class Lapse(NamedTuple):
    """What is left of a day on which an animal's water was forgotten, or was given and not written down."""

    weighed: bool = True
    note: bool = False
    noon_ul: float = 0.0
    unwritten_ul: float = 0.0


LAPSES = (
    Lapse(weighed=False),
    Lapse(),
    Lapse(weighed=False, note=True),
    Lapse(noon_ul=PORTION_UL),
    Lapse(unwritten_ul=TARGET_UL),
    Lapse(noon_ul=PORTION_UL, unwritten_ul=TARGET_UL - PORTION_UL),
)

End = Literal["left", "corrected", "undone", "voided"]


class Mistyped(NamedTuple):
    """A mistyped entry, and its end.

    It is refused or left at the question, corrected at the question, undone at once, or found and voided on the next
    morning.
    """

    end: End
    typed: str
    noon_ul: float = PORTION_UL
    """What the animal gets at noon."""
    again: bool = False
    """Whether it is typed after the right entry, not in its place."""
    day: str = "today"
    """The day for which it counts."""


MISTYPED = (
    # Tenfold, and wrong units.
    Mistyped("corrected", "give {name} 7000ul"),
    Mistyped("left", "give {name} 12000ul --top-up", TARGET_UL),
    Mistyped("left", "give {name} 700ml"),
    Mistyped("left", "give {name} 700"),
    Mistyped("left", "give {name} 700g"),
    Mistyped("left", "give {name} 1,200ul", TARGET_UL),
    Mistyped("undone", "give {name} 0.7ul"),
    Mistyped("voided", "give {name} 70ul"),
    # Twice.
    Mistyped("left", "give {name} 1200ul", TARGET_UL, again=True),
    Mistyped("undone", "give {name} 700ul", again=True),
    Mistyped("voided", "give {name} 500ul", 500.0, again=True),
    # Another animal.
    Mistyped("left", "give M21 700ul"),
    Mistyped("undone", "give {other} 700ul"),
    Mistyped("voided", "give {other} 700ul"),
    Mistyped("undone", "weigh {other} {grams}"),
    Mistyped("voided", "weigh {other} {grams}"),
    Mistyped("left", "weigh M0 {grams}"),
    # Another day.
    Mistyped("left", "give {name} 700ul --at 21:00"),
    Mistyped("left", "give {name} 2400ul --at 'yesterday 12:00'"),
    Mistyped("undone", "give {name} 700ul --at 'yesterday 12:00'", day="yesterday"),
    Mistyped("undone", "give {name} 700ul --at '2026-11-29 12:00'", day="2026-11-29"),
    Mistyped("undone", "weigh {name} {grams} --at 'yesterday 8:00'", day="yesterday"),
    # The day is closed with a portion.
    Mistyped("undone", "give {name} 700ul --top-up"),
    Mistyped("voided", "give {name} 700ul --top-up"),
    # Digits of weights, and the wrong field.
    Mistyped("corrected", "weigh {name} {swapped}"),
    Mistyped("left", "weigh {name} {tenfold}"),
    Mistyped("undone", "weigh {name} {near}"),
    Mistyped("voided", "weigh {name} {near}"),
    Mistyped("left", "give {name} {grams}"),
    Mistyped("left", "weigh {name} 700"),
)


class Entry(NamedTuple):
    """An entry that counts: its day, and its water, or its grams, or none of them for a note."""

    day: str
    ul: float = 0.0
    grams: float = 0.0
    closes: bool = False

    @property
    def is_note(self) -> bool:
        return not (self.ul or self.grams or self.closes)


@dataclass
class Book:
    """What was typed and not taken back, and what sessions gave: what the records have to say."""

    entries: dict[str, dict[int, Entry]] = field(default_factory=lambda: {name: {} for name in MICE})
    """By animal and number."""
    earned: Counter[tuple[str, str]] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=lambda: Counter(MICE))
    """How many lines each record has: the number of the next entry."""

    def of(self, name: str, day: str) -> list[Entry]:
        return [entry for entry in self.entries[name].values() if entry.day == day]

    def add(self, name: str, entry: Entry) -> int:
        number = self.lines[name]
        self.entries[name][number] = entry
        self.lines[name] += 1
        return number

    def remove(self, name: str, number: int) -> None:
        self.lines[name] += 1
        del self.entries[name][number]

    def given(self, name: str, day: str) -> float:
        return self.earned[name, day] + sum(entry.ul for entry in self.of(name, day))

    def is_recorded(self, name: str, day: str) -> bool:
        return (name, day) in self.earned or bool(self.of(name, day))

    def is_closed(self, name: str, day: str) -> bool:
        return any(entry.closes for entry in self.of(name, day))

    def missing(self, name: str, day: str) -> float:
        return max(0.0, TARGET_UL - self.given(name, day))

    def due(self, until: str) -> dict[tuple[str, str], float]:
        """Return what each animal is due of each day that is not closed."""
        days = [day for day in (*DAYS, LAST_MORNING) if day <= until]
        due = {(name, day): self.missing(name, day) for name in MICE for day in days if not self.is_closed(name, day)}
        return {key: ul for key, ul in due.items() if ul > 0}

    def grams(self, name: str, day: str) -> float | None:
        return next((entry.grams for entry in reversed(self.of(name, day)) if entry.grams), None)


class Typed(NamedTuple):
    """What a person types of an animal, and the entry that it makes."""

    name: str
    words: str
    entry: Entry


class Found(NamedTuple):
    """A mistyped entry that is found on the next morning, and what is typed in its place."""

    name: str
    number: int
    right: Typed | None


class Week:
    """The technicians of a week: what they give, type, forget, mistype and find."""

    def __init__(self, rig: Rig, real: Rig, typed: Callable[..., list[str]], clock: Callable[[str], None]) -> None:
        self.rig, self.real, self.typed, self.clock = rig, real, typed, clock
        self.draw = Random(1)
        self.book = Book()
        self.drunk: Counter[tuple[str, str]] = Counter()
        self.ends: Counter[str] = Counter()
        self.today = self.yesterday = DAYS[0]
        self.found: list[Found] = []
        self.open: list[tuple[str, str]] = []
        drawn = self.draw.sample([(name, day) for name in MICE for day in DAYS], OMISSIONS + len(MISTYPED))
        self.lapses = {cage: self.draw.choice(LAPSES) for cage in drawn[:OMISSIONS]}
        self.mistakes = dict(zip(drawn[OMISSIONS:], MISTYPED, strict=True))

    def play(self) -> None:
        self.clock(f"{self.today}T07:00")
        for name in MICE:
            assert self.rig("subject", "add", name, *FACTS.split()).status == 0
        for place, (day, morrow) in enumerate(zip(DAYS, [*DAYS[1:], LAST_MORNING], strict=True)):
            self.today = day
            for time, care in (("08:00", self.weigh), ("12:00", self.give_at_noon), ("17:00", self.give_the_rest)):
                self.clock(f"{day}T{time}")
                for name in MICE:
                    care(name)
                if time == "08:00":
                    self.run_session(MICE[2 * place % len(MICE)])
                    self.run_session(MICE[2 * place % len(MICE) + 1])
            self.clock(f"{day}T20:00")
            self.check_all(day)
            self.today, self.yesterday = morrow, day
            self.clock(f"{morrow}T07:00")
            self.settle_yesterday()

    # --- what technicians do ----------------------------------------------------------------------------------------

    def weigh(self, name: str) -> None:
        lapse, mistake = self._fate(name)
        if lapse is not None and not lapse.weighed:
            if lapse.note:
                self.enter(Typed(name, f"note {name} looks well", Entry(self.today)))
            return
        grams = self.draw.choice((23.2, 23.4, 24.2, 24.3))
        self.enter_or_mistype(
            Typed(name, f"weigh {name} {grams:g}", Entry(self.today, grams=grams)),
            mistake if mistake is not None and mistake.typed.startswith("weigh") else None,
        )

    def run_session(self, name: str) -> None:
        """Run a session; without a fate that is planned, all that is due is given after it."""
        drops, is_usual = self.draw.randint(1, 8), self._fate(name) == (None, None)
        asked = self.typed("y" if is_usual else "")
        limit = ("--set", f"stop.max_rewards={drops}")
        assert self.real(f"{self.today}T09:00", "--subject", name, *limit).status == 0
        assert asked[-1].startswith(f"{name} is due {TARGET_UL - drops * DROP_UL:g} ul. Given?")
        self.book.earned[name, self.today] += drops * DROP_UL
        self.drunk[name, self.today] += drops * DROP_UL
        if is_usual:
            rest = self._drink_rest(name)
            self.book.add(name, Entry(self.today, ul=rest, closes=True))

    def give_at_noon(self, name: str) -> None:
        lapse, mistake = self._fate(name)
        if lapse is not None:
            ul = lapse.noon_ul
        elif mistake is not None:
            ul = mistake.noon_ul
        else:
            ul = self.draw.choice((0.0, PORTION_UL, 450.5)) if not self.book.is_closed(name, self.today) else 0.0
        if ul > 0:
            self.drunk[name, self.today] += ul
            self.enter_or_mistype(
                Typed(name, f"give {name} {ul:g}ul", Entry(self.today, ul=ul)),
                mistake if mistake is not None and mistake.typed.startswith("give") else None,
            )

    def give_the_rest(self, name: str) -> None:
        lapse, mistake = self._fate(name)
        if lapse is not None:
            self.drunk[name, self.today] += lapse.unwritten_ul
        elif self.drunk[name, self.today] < TARGET_UL:
            ul = self._drink_rest(name)
            how = "" if mistake is not None else self.draw.choice(("", "--top-up", "--at 15:30"))
            self.enter(Typed(name, f"give {name} {ul:g}ul {how}", Entry(self.today, ul=ul, closes=how == "--top-up")))

    def settle_yesterday(self) -> None:
        """Void what is found of yesterday, look again for what was omitted, and close days."""
        self.check_pages(self.yesterday)
        for found in self.found:
            words = ("subject", "void", found.name, found.number, "--reason", "mistyped")
            assert self.rig(*words).status == 0
            self.book.remove(found.name, found.number)
            if found.right is not None:
                self.enter(found.right)
        self.found.clear()
        self.check_due()
        omitted = {(name, day) for name, day in self.lapses if day == self.yesterday}
        assert omitted == {(name, day) for name, day in self.book.due(self.today) if day == self.yesterday}
        self.open += sorted(omitted)
        # Some are answered only on a later day.
        now = [cage for cage in self.open if self.today == LAST_MORNING or self.draw.random() < 0.7]
        for name, day in now:
            ul = self.lapses[name, day].unwritten_ul
            self.enter(Typed(name, f"give {name} {ul:g}ul --top-up {day}", Entry(day, ul=ul, closes=True)))
            self.open.remove((name, day))
        self.check_all(self.yesterday)

    def _fate(self, name: str) -> tuple[Lapse | None, Mistyped | None]:
        return self.lapses.get((name, self.today)), self.mistakes.get((name, self.today))

    def _drink_rest(self, name: str) -> float:
        rest = TARGET_UL - self.drunk[name, self.today]
        self.drunk[name, self.today] = TARGET_UL
        return rest

    # --- what they type -----------------------------------------------------------------------------------------------

    def enter(self, right: Typed, *answers: str) -> int:
        asked = self.typed(*answers)
        answer = self.rig("subject", *shlex.split(right.words))
        assert (answer.status, len(asked)) == (0, len(answers)), answer.err
        number = self.book.add(right.name, right.entry)
        assert f"as entry {number}" in answer.out
        return number

    def enter_or_mistype(self, right: Typed, mistake: Mistyped | None) -> None:
        if mistake is None or mistake.again:
            self.enter(right)
        if mistake is None:
            return
        self.ends[mistake.end] += 1
        wrong = self._mistyped(mistake, right)
        if mistake.end == "corrected":
            self.enter(Typed(right.name, wrong.words, right.entry), right.words.split()[2])
        elif mistake.end == "voided":
            at = f"{right.words} --at '{self.today} 12:00'"
            later = None if mistake.again else right._replace(words=at)
            self.found.append(Found(wrong.name, self.enter(wrong), later))
        else:
            if mistake.end == "left":
                self.typed("")
                assert self.rig("subject", *shlex.split(wrong.words)).status == 2
            else:
                number = self.enter(wrong)
                self.check_due()
                assert self.rig("subject", "undo", wrong.name).status == 0
                self.book.remove(wrong.name, number)
            if not mistake.again:
                self.enter(right)

    def _mistyped(self, mistake: Mistyped, right: Typed) -> Typed:
        whole, _, tenths = (grams := f"{right.entry.grams or 23.4:g}").partition(".")
        words = mistake.typed.format(
            name=right.name,
            other=self._other(right.name),
            grams=grams,
            tenfold=whole + tenths,
            swapped=f"{whole[::-1]}.{tenths}",
            near=f"{whole[0]}{tenths}.{whole[1]}",
        )
        kind, name, number = shlex.split(words)[:3]
        day = {"today": self.today, "yesterday": self._day_before()}.get(mistake.day, mistake.day)
        ul = float(number.removesuffix("ul")) if kind == "give" and mistake.end in ("undone", "voided") else 0.0
        grams_typed = float(number) if kind == "weigh" else 0.0
        return Typed(name, words, Entry(day, ul, grams_typed, closes="--top-up" in words))

    def _day_before(self) -> str:
        return str(datetime.date.fromisoformat(self.today) - datetime.timedelta(days=1))

    def _other(self, name: str) -> str:
        """Return another animal, whose omission an entry of its neighbor may hide."""
        omitted = (other for other, day in self.lapses if day == self.today)
        return next(omitted, next(other for other in MICE if other != name))

    # --- what the records have to say ---------------------------------------------------------------------------------

    def check_all(self, day: str) -> None:
        self.check_pages(day)
        due = self.book.due(self.today)
        for name in MICE:
            self.check_animal(name, due)

    def check_pages(self, day: str) -> None:
        self.check_due()
        self.check_list()
        self.check_page(day)

    def check_due(self) -> None:
        rows = json.loads(self.rig("subject", "due", "--json").out)
        book = self.book
        wanted = [
            (day, name, ul, book.given(name, day), book.is_recorded(name, day))
            for (name, day), ul in book.due(self.today).items()
        ]
        found = [(row["day"], row["subject"], row["due"], row["given"], row["has_entry"]) for row in rows]
        assert found == sorted(wanted)

    def check_list(self) -> None:
        rows = json.loads(self.rig("subject", "list", "--json").out)
        due = self.book.due(self.today)
        late = Counter(name for name, day in due if day < self.today)
        sessions = Counter(name for name, _ in self.book.earned)
        wanted = {
            name: (f"{due[name, self.today]:g} ul" if (name, self.today) in due else None, late[name], sessions[name])
            for name in MICE
        }
        found = {row["subject"]: (row["due_today"], len(row["open_top_ups"]), row["sessions"]) for row in rows}
        assert found == wanted

    def check_animal(self, name: str, due: Container[tuple[str, str]]) -> None:
        shown, book = json.loads(self.rig("subject", "show", name, "--json").out), self.book
        entries = book.entries[name]
        counted = {entry["number"]: entry["day"] for entry in shown["entries"] if entry["voided"] is None}
        assert counted == {0: DAYS[0]} | {number: entry.day for number, entry in entries.items()}
        for day in shown["days"]:
            cage = name, day["day"]
            by_hand = book.given(*cage) - book.earned[cage]
            assert (day["earned_ul"], day["by_hand_ul"], day["unknown"]) == (book.earned[cage], by_hand, [])
            assert (day["weight_g"], day["due"]) == (book.grams(*cage), book.missing(*cage))
            assert day["top_up_open"] == (cage in due)
        days = {day for owner, day in book.earned if owner == name}
        days |= {entry.day for entry in entries.values() if not entry.is_note}
        assert [day["day"] for day in shown["days"]] == sorted(days)

    def check_page(self, day: str) -> None:
        (page,) = json.loads(self.rig("report", "--day", day, "--json").out)
        found = [reason["text"] for reason in page["reasons"] if reason["rule"] in ("due", "subject", "records")]
        assert sorted(": ".join(text.split(": ")[:2]) for text in found) == sorted(self._reasons(day))
        late = any(of < self.today for _, of in self.book.due(day))
        assert (page["verdict"] == "bad") == late

    def _reasons(self, day: str) -> Iterator[str]:
        """Yield what the page of a day has to say of the animals."""
        due = self.book.due(day)
        for (name, of), ul in due.items():
            yield f"{name}: {ul:g} ul {'due today' if of == self.today else f'open, of {of}'}"
        for name in MICE:
            given, missing = self.book.given(name, day), self.book.missing(name, day)
            if day < self.today and given < LEAST_UL:
                yield f"{name}: {given:g} ul are less than daily_min_ul ({LEAST_UL:g} ul)"
            if day < self.today and (name, day) in due:
                yield f"{name}: a top-up of {missing:g} ul was never confirmed"
            elif missing and self.book.is_closed(name, day):
                yield f"{name}: its top-up was confirmed with {missing:g} ul less than the target"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Set the clock of the computer."""
    monkeypatch.setenv("RIG_EXPERIMENTER", "Ada")

    def set_clock(text: str) -> None:
        monkeypatch.setattr("rig.cli.common.now", lambda: datetime.datetime.fromisoformat(text))

    return set_clock


@pytest.mark.slow
def test_every_omission_of_a_week_is_named_by_the_next_morning_every_mistyped_entry_is_settled_and_all_sums_are_exact(
    rig: Rig, real: Rig, typed: Callable[..., list[str]], clock: Callable[[str], None]
) -> None:
    week = Week(rig, real, typed, clock)
    week.play()
    assert (len(week.lapses), week.ends.total()) == (30, 30)
    given = {(name, day): week.book.given(name, day) for name in MICE for day in DAYS}
    assert given == {cage: week.drunk[cage] for cage in given}
