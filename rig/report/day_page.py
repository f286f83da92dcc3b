"""The page of one day, over all boxes, with lines to sign."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rig.core.journal.kinds import FAULTS
from rig.report.day import DayReport, SubjectOfDay
from rig.report.day_session import DaySession
from rig.report.html import Content, Html, badge, element, section, table
from rig.report.page import page
from rig.report.verdict_part import verdict_badge, verdict_part
from rig.terminal.format import amounts_text, pluralize

_HEAD = (
    *("box", "subject", "weight", "protocol, stage", "by", "from–to", "trials", "rewards", "given", "due", "ended"),
    *("verdict", "notes"),
)


def day_page(report: DayReport) -> str:
    """Return the page of a day."""
    sessions = report.sessions
    count = f"{pluralize(len(sessions), 'session')}, {pluralize(len(report.subjects), 'subject')}"
    parts: list[Content] = [
        element("h1", f"{report.day:%A}, {report.day.isoformat()}"),
        element("p", f"{count}; as of {report.at:%Y-%m-%d %H:%M}", class_="lead"),
        *([section("Due", _due_table(report), name="due")] if report.due else []),
        verdict_part(report.verdict),
        section("Sessions", _sessions(report, sessions), name="sessions"),
        section("Subjects", _subjects(report), name="subjects"),
    ]
    if report.missing:
        parts.append(section("No session on this day", _missing(report), name="missing"))
    if sessions:
        parts.append(section("Boxes", _boxes(report, sessions), name="boxes"))
    parts.append(_signatures())
    if report.simulated:
        parts.append(section("Simulated sessions, of no real subject", _simulated(report), name="simulated"))
    return page(f"{report.day.isoformat()}: all boxes", *parts, broad=True)


def _due_table(report: DayReport) -> Html:
    today = report.at.date()
    rows = (
        [
            each.subject,
            badge("suspicious" if each.day == today else "bad", each.top_up.amount),
            "today" if each.day == today else each.day.isoformat(),
            each.why,
            element("span", "\u2610", aria_label="to be ticked by hand"),
        ]
        for each in report.due
    )
    caption = "what restricted subjects are due, on this day and the days before"
    return table(("subject", "due", "of", "why", "given"), rows, caption=caption, right=(1,))


def _sessions(report: DayReport, sessions: Sequence[DaySession]) -> Html:
    if not sessions:
        return element("p", "No real session is recorded.")
    days = {subject.subject: subject for subject in report.subjects}
    last = {session.subject: session for session in sessions}
    rows = (_row(report, each, days[each.subject], is_last=last[each.subject] is each) for each in sessions)
    return table(_HEAD, rows, caption="in the order of their start", right=(2, 6, 7, 8, 9))


def _row(report: DayReport, session: DaySession, subject: SubjectOfDay, *, is_last: bool) -> list[Content]:
    brief = session.brief
    if brief is None:
        return [
            report.box_of(session),
            session.subject,
            *[""] * 8,
            badge("bad", "unreadable"),
            verdict_badge(session.verdict),
            "",
        ]
    stage = "" if brief.stage is None else f", {brief.stage}"
    return [
        report.box_of(session),
        f"{session.subject} {session.name.partition('/')[2]}",
        _weight(session, subject),
        f"{brief.header.protocol_name}{stage}",
        brief.experimenter,
        _span(session),
        *(_counts(session)),
        _due(subject) if is_last else "",
        _end(session),
        [verdict_badge(session.verdict), *_warnings(session)],
        "; ".join(session.notes),
    ]


def _counts(session: DaySession) -> Iterator[str]:
    """Yield trials, rewards and amount; so far, for a session that runs or broke off."""
    if session.brief is None:
        yield from ("", "", "")
        return
    sums = session.brief.sums
    yield from (str(sums.trials), str(sums.rewards))
    yield amounts_text(sums.amount.ul, sums.amount.pellets, sums.amount.access_s)


def _weight(session: DaySession, subject: SubjectOfDay) -> str:
    grams = None if session.brief is None else session.brief.header.weight_g
    if grams is None:
        return "-"
    percent = None if subject.day is None else subject.day.percent
    return f"{grams:g} g" if percent is None else f"{grams:g} g, {percent:g} %"


def _span(session: DaySession) -> str:
    start, end = session.start, session.end
    first = "?" if start is None else f"{start:%H:%M}"
    days = 0 if start is None or end is None else (end.date() - start.date()).days
    return f"{first}–{'' if end is None else f'{end:%H:%M}'}" + (f" (+{days} d)" if days else "")


def _due(subject: SubjectOfDay) -> Content:
    day = subject.day
    if day is None or day.due_unit is None:
        return ""
    if not day.top_up_open:
        return f"closed, {day.due:g} {day.due_unit} less" if day.due else "given"
    return badge("suspicious", "unknown" if day.due is None else f"{day.due:g} {day.due_unit}")


def _end(session: DaySession) -> Content:
    brief = session.brief
    if brief is not None and brief.voided is not None:
        return [badge("note", "void"), f" {brief.voided}"]
    if brief is None or brief.reason is None:
        return badge("note", "running") if session.is_running else badge("bad", "no end")
    return brief.reason.replace("_", " ")


def _warnings(session: DaySession) -> Iterator[Content]:
    bad = session.verdict.serious
    for reason in bad[:2]:
        yield element("br")
        yield reason.text
    if len(bad) > 2:
        yield element("br")
        yield f"{len(bad) - 2} more: see its own report"


def _subjects(report: DayReport) -> Html:
    if not report.subjects:
        return element("p", "Nothing is recorded of a real subject.")
    head = ("subject", "weight", "after", "in sessions", "by hand", "still due", "warnings", "notes")
    rows = (_subject_row(subject) for subject in report.subjects)
    return table(head, rows, caption="what each subject got on this day", right=(1, 2, 3, 4, 5))


def _subject_row(subject: SubjectOfDay) -> list[Content]:
    day = subject.day
    if day is None:
        return [subject.subject, *[""] * 5, "; ".join(subject.problems), "; ".join(subject.notes)]
    return [
        subject.subject,
        "-" if day.weight_g is None else f"{day.weight_g:g} g",
        "-" if day.weight_after_g is None else f"{day.weight_after_g:g} g",
        amounts_text(day.earned_ul, day.earned_pellets, day.earned_access_s) + (" + unknown" if day.unknown else ""),
        amounts_text(day.by_hand_ul, day.by_hand_pellets, 0, day.by_hand_food_g),
        _due(subject),
        "; ".join(day.warnings),
        "; ".join(subject.notes),
    ]


def _missing(report: DayReport) -> Html:
    rows = (*report.missing.items(),)
    return table(("subject", "last session"), rows, caption="subjects with a session in the last 7 days")


def _boxes(report: DayReport, sessions: Sequence[DaySession]) -> Html:
    head = ("box", "rig", "board", "sessions", "faults", "leases expired", "drift (ppm)", "verdicts")
    return table(head, _box_rows(report, sessions), caption="each box on this day", right=(3, 4, 5, 6))


def _box_rows(report: DayReport, sessions: Sequence[DaySession]) -> Iterator[list[Content]]:
    for rig in sorted({session.box for session in sessions}):
        own = [session for session in sessions if session.box == rig]
        briefs = [session.brief for session in own if session.brief is not None]
        yield [
            report.box_of(own[0]) or "not known",
            rig,
            ", ".join(sorted({session.board for session in own if session.board})),
            str(len(own)),
            str(sum(brief.count(*FAULTS) for brief in briefs)),
            str(sum(brief.footer.lease_expirations for brief in briefs if brief.footer is not None)),
            ", ".join(dict.fromkeys(f"{rate:g}" for session in own for rate in session.drifts_ppm)),
            [[verdict_badge(session.verdict), " "] for session in own],
        ]


def _signatures() -> Html:
    lines = (element("p", name) for name in ("technician, date", "checked by, date", "remarks"))
    return element(
        "section", element("h2", "Signatures", id="sign-title"), element("div", *lines, class_="sign"), id="sign"
    )


def _simulated(report: DayReport) -> Html:
    rows = (
        (
            *(session.subject, session.name, "" if session.brief is None else session.brief.header.protocol_name),
            *(_counts(session)),
            verdict_badge(session.verdict),
        )
        for session in report.simulated
    )
    head = ("virtual subject", "session", "protocol", "trials", "rewards", "given", "verdict")
    more = f", and {report.more_simulated} more" if report.more_simulated else ""
    return table(head, rows, caption=f"sessions without a real subject{more}", right=(3, 4, 5))
