"""The page of one subject over its days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from rig.core.journal.kinds import FAULTS, Paused
from rig.live.end_reasons import FAILURES
from rig.records.session.brief import SessionBrief
from rig.records.subject.days import SubjectDay
from rig.records.subject.report import DatedText
from rig.report.drawings import chart_figures
from rig.report.html import Content, Html, badge, big_numbers, element, facts, notice, section, table
from rig.report.page import contents, page
from rig.report.subject_charts import subject_charts
from rig.report.subject_history import SubjectHistory
from rig.report.verdict_part import verdict_part
from rig.terminal.format import amounts_text, clock, pluralize


def subject_page(history: SubjectHistory) -> str:
    """Return the page of a subject."""
    sections = list(_sections(history))
    days = sorted({session.day for session in history.sessions})
    span = f"{days[0]} to {days[-1]}" if days else "no session yet"
    return page(
        f"{history.subject}, {span}",
        element("h1", history.subject),
        element(
            "p",
            f"{pluralize(len(history.sessions), 'session')}, {span}; as of {history.at:%Y-%m-%d %H:%M}",
            class_="lead",
        ),
        _simulated(history),
        verdict_part(history.verdict),
        contents([(name, title) for name, title, _ in sections]),
        _tiles(history),
        *(section(title, part, name=name) for name, title, part in sections),
        broad=True,
    )


def _sections(history: SubjectHistory) -> Iterator[tuple[str, str, Html]]:
    yield "subject", "Subject", _facts(history)
    charts = subject_charts(history)
    if charts:
        yield "course", "Over its days", chart_figures(charts, "c")
    if history.stages:
        yield "stages", "Stages, and why", _stages(history)
    if listed := sorted((*history.sessions, *history.voided), key=lambda each: each.journal):
        yield "sessions", "Sessions", _sessions(history, listed)
    if history.task_changes:
        yield "task", "Changes of code and parameters", _task_changes(history)
    if history.report.days and not history.simulated:
        yield "days", "Days", _days(history.report.days)
    if history.report.notes:
        yield "notes", "Notes", _texts("notes, the newest first", history.report.notes)
    if history.report.changes:
        yield "changes", "Renamings and moves", _texts("changes, the newest first", history.report.changes)


def _simulated(history: SubjectHistory) -> Html | None:
    if not history.simulated:
        return None
    return notice(
        "note", element("p", element("strong", "SIMULATED"), ": a virtual subject; nothing counts for a real one.")
    )


def _tiles(history: SubjectHistory) -> Html | None:
    if not history.sessions:
        return None
    last = history.sessions[-1]
    days = history.report.days
    tiles = [(str(len(history.sessions)), "sessions"), (str(last.sums.trials), f"trials in {last.name}")]
    if last.stage:
        tiles.append((last.stage, f"stage, for {pluralize(len(history.stages[-1].sessions), 'session')}"))
    weighed = [day for day in days if day.weight_g is not None]
    if weighed:
        percent = weighed[-1].percent
        below = f"on {weighed[-1].day}" if percent is None else f"{percent:g} % of the baseline, {weighed[-1].day}"
        tiles.append((f"{weighed[-1].weight_g:g} g", below))
    people = sorted({session.experimenter for session in history.sessions if session.experimenter})
    if people:
        tiles.append((str(len(people)), f"{'person' if len(people) == 1 else 'people'}: {', '.join(people)}"))
    return big_numbers(tiles)


def _facts(history: SubjectHistory) -> Html:
    known, report = history.known, history.report
    rules = known.rules
    own_rows = {"baseline_g", "baseline_date", "implant_g", "implant_date", "restriction"}
    named = known.facts.model_dump(mode="json", exclude_none=True, exclude=own_rows)
    baseline = None if report.baseline_g is None else f"{report.baseline_g:g} g"
    if baseline is not None and report.baseline_date is not None:
        baseline += f", of {report.baseline_date}"
    implant = f"{report.implant_g:g} g; the percentages are without it" if report.implant_g else None
    above = [f"{most:g} %" for most in (rules.warn_above_pct, rules.refuse_above_pct) if most is not None]
    return facts(
        [
            *((name, str(value)) for name, value in named.items()),
            ("restricted", report.restriction),
            ("baseline", baseline),
            ("implant", implant),
            ("warned below", f"{rules.warn_pct:g} %"),
            ("refused below", f"{rules.refuse_pct:g} %"),
            ("warned, refused above", ", ".join(above)),
            ("target of a day", None if rules.daily_target_ul is None else f"{rules.daily_target_ul:g} ul"),
            ("minimum of a day", None if rules.daily_min_ul is None else f"{rules.daily_min_ul:g} ul"),
            ("food of a day", None if rules.daily_food_g is None else f"{rules.daily_food_g:g} g"),
            ("stage", report.stage),
        ]
    )


def _stages(history: SubjectHistory) -> Html:
    rows = (
        (
            *(visit.stage, visit.curriculum, visit.sessions[0].name, str(len(visit.sessions))),
            ["chosen by a person: " if visit.chosen else None, visit.why],
        )
        for visit in reversed(history.stages)
    )
    return table(
        ("stage", "curriculum", "since", "sessions", "why"), rows, caption="stages, the newest first", right=(3,)
    )


def _sessions(history: SubjectHistory, sessions: Sequence[SessionBrief]) -> Html:
    labels = _share_labels(sessions)
    head = ("session", "protocol", "stage", "by", "weight (g)", "min", "trials", "rewards", "given", *labels.values())
    rows = (_session_row(history, session, list(labels)) for session in reversed(sessions))
    return table(
        (*head, "pauses", "faults", "ended"),
        rows,
        caption="sessions, the newest first",
        right=(4, 5, 6, 7, 8, *range(9, 11 + len(labels))),
    )


def _task_changes(history: SubjectHistory) -> Html:
    changed = badge("suspicious", "changed")
    rows = (
        (
            session.name,
            session.header.protocol_name,
            changed if unexpected else "as expected",
            text,
        )
        for session, change in reversed(history.task_changes)
        for unexpected, texts in ((True, change.unexpected), (False, change.expected))
        for text in texts
    )
    caption = (
        "what differs from the last session of the protocol, the newest first; another stage is expected to differ"
    )
    return table(("session", "protocol", "", "what differs"), rows, caption=caption)


MOST_SHARES = 24
"""So many shares have a column: the summaries of a stranger may name any number."""


def _share_labels(sessions: Sequence[SessionBrief]) -> dict[str, str]:
    labels: dict[str, str] = {}
    for session in sessions:
        for name in islice(session.shares, MOST_SHARES):
            if name not in labels and len(labels) == MOST_SHARES:
                continue
            labels[name] = session.header.share_label(name)
    return labels


def _session_row(history: SubjectHistory, session: SessionBrief, shares: Sequence[str]) -> list[Content]:
    sums, grams = session.sums, session.header.weight_g
    return [
        *(session.name, session.header.protocol_name, session.stage or "", session.experimenter),
        "-" if grams is None else f"{grams:g}",
        "-" if session.duration_s is None else clock(session.duration_s),
        *(str(sums.trials), str(sums.rewards), amounts_text(sums.amount.ul, sums.amount.pellets, sums.amount.access_s)),
        *(f"{session.shares[name]:.1%}" if name in session.shares else "-" for name in shares),
        *(_some(session.count(Paused)), _some(session.count(*FAULTS)), _end(history, session)),
    ]


def _some(count: int) -> str:
    return str(count) if count else ""


def _end(history: SubjectHistory, session: SessionBrief) -> Content:
    if session.voided is not None:
        return [badge("note", "void"), f" {session.voided}"]
    if session.reason is None:
        return badge("note", "running") if history.is_running(session) else badge("bad", "no end")
    end = session.reason.replace("_", " ")
    return badge("bad", end) if session.reason in FAILURES else end


def _days(days: Sequence[SubjectDay]) -> Html:
    head = ("day", "weight (g)", "after (g)", "%", "trials", "rewards", "in sessions", "by hand", "due", "warnings")
    rows = ((day.day.isoformat(), *_day_cells(day), "; ".join(day.warnings)) for day in reversed(days))
    return table(head, rows, caption="days, the newest first", right=range(1, 9))


def _day_cells(day: SubjectDay) -> Iterator[str]:
    for weight in (day.weight_g, day.weight_after_g, day.percent):
        yield "-" if weight is None else f"{weight:g}"
    yield from (str(day.trials), str(day.rewards))
    yield amounts_text(day.earned_ul, day.earned_pellets, day.earned_access_s) + (" + unknown" if day.unknown else "")
    yield amounts_text(day.by_hand_ul, day.by_hand_pellets, 0, day.by_hand_food_g)
    yield "" if day.due_unit is None else "unknown" if day.due is None else f"{day.due:g} {day.due_unit}"


def _texts(caption: str, texts: Sequence[DatedText]) -> Html:
    rows = ((note.at[:16].replace("T", " "), note.by, note.text) for note in reversed(texts))
    return table(("time", "by", "text"), rows, caption=caption)
