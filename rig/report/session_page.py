"""The page of one session."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from rig.live.end_reasons import ended_text
from rig.live.progress import Progress
from rig.records.session.read_environment import fact
from rig.records.session.summary import shares
from rig.records.session.void import void_text
from rig.report.drawings import can_draw, chart_figures
from rig.report.guarded_part import attempt
from rig.report.html import Content, Html, badge, big_numbers, element, facts, fold, notice, section, table
from rig.report.page import contents, page
from rig.report.page_report import PageReport
from rig.report.sampled_values import samples_part
from rig.report.session_analysis import analysis_of, selected_analysis
from rig.report.session_report import SessionReport
from rig.report.session_tables import board_part, channels_part, events_part, latencies_part, rewards_part, states_part
from rig.report.session_values import code_part, rig_part, values_part
from rig.report.verdict_part import verdict_part
from rig.terminal.format import clock, outcomes, with_limit

_NOT_SAID = "not recorded"


def session_page(report: PageReport) -> str:
    """Return the page of a session."""
    records = report.records
    title = f"{report.subject}, {records.name}"
    sections = [part for part in _sections(report) if part is not None]
    return page(
        f"{title}: {records.header.protocol_name}",
        element("h1", f"{report.subject} ", element("span", records.name)),
        element("p", _lead(report), class_="lead"),
        _simulated(report),
        _voided(report),
        verdict_part(report.verdict),
        contents([(name, heading) for name, heading, _ in sections]),
        _tiles(report),
        *(section(heading, part, name=name) for name, heading, part in sections),
    )


def _sections(report: PageReport) -> Iterator[tuple[str, str, Html] | None]:
    records, lines = report.records, report.lines
    makers: dict[str, tuple[str, Callable[[], Html | None]]] = {
        "session": ("What ran, on whom, by whom", partial(_facts, report)),
        "course": ("Course of the session", partial(_course, report)),
        "paper": ("Analysis of the protocol", partial(_paper, report)),
        "states": ("States", partial(states_part, records, report.states)),
        "latencies": ("Latencies", partial(latencies_part, report)),
        "rewards": ("Rewards", partial(rewards_part, lines)),
        "channels": ("Inputs and outputs", partial(channels_part, records, report.lanes)),
        "samples": ("Sampled values", partial(samples_part, report)),
        "board": ("Board and link", partial(board_part, records, lines)),
        "events": ("Notes, requests and faults", partial(events_part, lines)),
        "values": ("Every value, and where it came from", partial(values_part, records, lines)),
        "rig": ("Rig and calibrations", partial(rig_part, records)),
        "code": ("Programs and files", partial(code_part, records, report.progress.lines)),
    }
    for name, (heading, make) in makers.items():
        part = attempt(heading, make)
        yield None if part is None else (name, heading, part)


def _lead(report: SessionReport) -> str:
    header, environment = report.records.header, report.records.environment
    who = fact(environment, "experimenter")
    by = f", run by {who}" if isinstance(who, str) and who else ""
    return f"{header.protocol_name} on {header.rig.name}, {_moment(header.start)}{by}"


def _moment(start: str | None) -> str:
    return "start not recorded" if start is None else start.replace("T", " ")[:16]


def _simulated(report: SessionReport) -> Html | None:
    header = report.records.header
    if not header.simulated:
        return None
    who = f"the model {header.model} did the task" if header.model else "no subject did the task"
    return notice(
        "note", element("p", element("strong", "SIMULATED"), f": {who}; this session counts for no real subject.")
    )


def _voided(report: SessionReport) -> Html | None:
    voided = void_text(report.records.folder)
    if voided is None:
        return None
    text = f": {voided}. It counts nowhere but in what the subject was given."
    return notice("note", element("p", element("strong", "VOID"), text))


def _tiles(report: SessionReport) -> Html:
    progress = report.progress
    tiles = [
        (str(progress.trials), f"trials{': ' if progress.outcomes else ''}{outcomes(progress.outcomes)}"),
        (clock(report.records.end_us / 1e6), "length (min:s)"),
        _given(progress),
    ]
    header = report.records.header
    counted = shares(header, report.records.rows())
    tiles += [(f"{value:.1%}", header.share_label(name)) for name, value in counted.get("shares", {}).items()]
    return big_numbers(tiles)


def _given(progress: Progress) -> tuple[str, str]:
    """Return the amount that was given, and below it the limits."""
    first, comma, more = progress.given.partition(", ")
    amount, of, limit = first.partition(" of ")
    below = f"{more}; " if more else ""
    rewards = with_limit(progress.rewards, progress.stop.get("max_rewards"), "rewards")
    if not of:
        return amount, f"{below}{rewards}"
    return f"{amount} {limit.partition(' ')[2]}", f"of {limit}{comma}{more}; {rewards}"


def _facts(report: SessionReport) -> Html:
    records, header, environment = report.records, report.records.header, report.records.environment
    curriculum, weight, recorded = header.curriculum, header.facts.get("weight_g"), header.subject
    no_weight = _text(header.facts.get("weight_skipped"))
    stage = None if curriculum is None else f"{curriculum.stage} of {curriculum.name}"
    return facts(
        [
            (
                "subject",
                report.subject + (f" (recorded as {recorded})" if recorded not in (report.subject, None) else ""),
            ),
            ("weight", f"{weight:g} g" if isinstance(weight, int | float) else no_weight or _NOT_SAID),
            ("protocol", header.protocol_name),
            ("stage", stage),
            ("stage because", None if curriculum is None else curriculum.override or curriculum.why),
            ("run by", _text(fact(environment, "experimenter")) or _NOT_SAID),
            ("rig", header.rig.name),
            ("board", _text(fact(environment, "board", "name"))),
            ("computer", _text(fact(environment, "host"))),
            ("start", _moment(header.start)),
            ("length (min:s)", clock(records.end_us / 1e6)),
            ("ended", _ended(report)),
            ("random seed", str(header.seed)),
            ("virtual subject", header.model),
            ("began after", header.from_records),
            *((name.replace("_", " "), _text(header.facts.get(name))) for name in _ALLOWED),
        ]
    )


_ALLOWED = (
    *("underweight_allowed", "overweight_allowed", "early_allowed", "other_task_allowed", "failed_check_allowed"),
)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _ended(report: SessionReport) -> Content:
    footer = report.records.footer
    if footer is None:
        return badge("note", "running") if report.running else badge("bad", "no end")
    return ended_text(footer.reason, footer.detail)


def _course(report: PageReport) -> Html:
    return chart_figures(report.views.fold.charts(), "c")


def _paper(report: PageReport) -> Html | None:
    records = report.records
    selected = selected_analysis(records.header.columns)
    if selected is None:
        return None
    analysis = analysis_of(selected, records, draws=can_draw())
    tables = (
        table(each.header, each.rows, caption=each.title, right=range(1, len(each.header))) for each in analysis.tables
    )
    notes = element("ul", (element("li", note) for note in analysis.notes)) if analysis.notes else None
    known = fold("Tables", *tables) if analysis.tables else None
    return element(
        "div",
        element("p", "As by ", element("code", "rig analyze"), f" ({analysis.name}), without fits of models."),
        notes,
        element("div", (drawing.part() for drawing in analysis.drawings), class_="papers"),
        known,
    )
