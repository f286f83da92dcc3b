"""The page of a study: its numbers beside the published ones, its pictures, and how to repeat it."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence

from rig.config.models.study_figures import Picture
from rig.report.drawings import Drawing
from rig.report.html import Content, Html, badge, big_numbers, element, facts, notice, section, table, together
from rig.report.page import contents, page
from rig.studies.figure_result import (
    SAFE_ERRORS,
    VERDICTS,
    FigureResult,
    Verdict,
    bounds_text,
)
from rig.studies.results import StudyResult
from rig.terminal.format import param_texts

_KINDS: dict[Verdict, str] = {
    "within": "good",
    "direction": "note",
    "explained": "note",
    "not_explained": "suspicious",
    "undecided": "suspicious",
    "off": "bad",
    "unknown": "bad",
}


def study_page(result: StudyResult, made: datetime.date) -> str:
    """Return the page of a study, made on a day."""
    sections = list(_sections(result, made))
    return page(
        f"{result.name}: {result.file.title}",
        element("h1", result.file.title),
        element("p", result.file.paper, class_="lead") if result.file.paper else None,
        notice("note", element("p", element("strong", "SIMULATED"), ": virtual subjects did the task.")),
        _verdict(result),
        contents([(name, title) for name, title, _ in sections]),
        _tiles(result),
        *(section(title, part, name=name) for name, title, part in sections),
        broad=True,
    )


def _verdict(result: StudyResult) -> Html | None:
    if not result.figures:
        return None
    kind, verdict = "good", "met"
    if result.counts["undecided"]:
        kind, verdict = "suspicious", "undecided"
    if result.missed:
        kind, verdict = "bad", "missed"
    return notice(kind, element("p", badge(kind, verdict), " ", result.summary))


def _tiles(result: StudyResult) -> Html:
    subjects, sessions = sum(arm.subjects for arm in result.arms), sum(arm.sessions for arm in result.arms)
    trials = sum(arm.trials for arm in result.arms)
    return big_numbers(
        [
            (f"{subjects:,}", "virtual subjects"),
            (f"{sessions:,}", "sessions"),
            (f"{trials:,}", "trials"),
            (str(len(result.figures)), "numbers compared"),
        ]
    )


def _sections(result: StudyResult, made: datetime.date) -> Iterator[tuple[str, str, Html]]:
    if result.figures:
        yield "figures", "Published and obtained", _figures(result.figures)
    if result.pictures:
        yield "pictures", "Pictures", together(_picture(*picture) for picture in result.pictures)
    for name, title, head, rows, right in _tables(result):
        if rows:
            yield name, title, table(head, rows, right=right)
    if result.notes:
        yield "notes", "Remarks of the analyses", element("ul", (element("li", note) for note in result.notes))
    yield "again", "How to repeat it", _again(result, made)


def _figures(results: tuple[FigureResult, ...]) -> Html:
    rows = [_figure(result) for result in results]
    head = ("number, and its source", "published", "expected", "obtained", "")
    # Published numbers stand as they are printed, often with words: a column for numbers would not break their lines.
    return Html(table(head, rows, right=(2, 3)) + together(element("p", text) for text in _LEGEND))


_LEGEND = (
    "After ± of the expected number stands the tolerance. After ± of the obtained number stands its Monte Carlo error: "
    "how much it would differ with another random seed. A verdict is unsafe if it would be another one "
    f"{SAFE_ERRORS} Monte Carlo errors away, or if the error is not known: the study needs more subjects or sessions. "
    "A number is undecided if it lies outside, and would not within this distance: the study does not fail for it. "
    "Named subjects are the same for every seed; between subjects stands how much the number would differ with others.",
    "A direction is only on which side of a bound the number lies. An explained number lies outside, in the range of "
    "its explanation, and arms without the cause give a number that lies where it should. A number that is not "
    "explained lies in the range too, but no arm has tested the cause.",
    "Parameters of the virtual subjects were chosen by fitted numbers. These are no predictions: they test that "
    "protocol, records and analysis do not change a number on the way.",
)


def _figure(result: FigureResult) -> tuple[Content, ...]:
    name, published, expected, obtained = result.texts
    return (
        [*_lines(name, f"{result.figure.of}: {result.figure.take}"), *_remarks(result)],
        published,
        expected,
        _lines(obtained, *_beside(result)),
        _badges(result),
    )


def _beside(result: FigureResult) -> Iterator[str]:
    """Yield what stands below an obtained number."""
    if spread := result.obtained.spread_text:
        yield f"{spread} between subjects"
    if result.without is not None:
        yield f"without the cause: {result.without.text}"


def _lines(first: str, *below: str) -> list[Content]:
    lines: list[Content] = [first]
    for line in below:
        lines += [element("br"), element("small", line)]
    return lines


def _badges(result: FigureResult) -> list[Content]:
    badges: list[Content] = [badge(_KINDS[result.verdict], VERDICTS[result.verdict])]
    if result.figure.fitted:
        badges += [" ", badge("note", "fitted")]
    if result.is_unsafe:
        badges += [" ", badge("suspicious", "unsafe")]
    return badges


def _remarks(result: FigureResult) -> Iterator[Content]:
    """Yield what stands below a number's name: a column of its own would have no room beside the numbers."""
    yield element("p", result.figure.source)
    explanation = result.figure.explanation
    if explanation is not None and result.verdict not in ("within", "direction"):
        yield element("p", f"{explanation.text} Expected for this cause: {bounds_text(*explanation.bounds)}.")
    for problem in result.problems:
        yield element("p", problem)


def _picture(picture: Picture, drawn: Drawing | None) -> Html:
    missing = notice("suspicious", element("p", f"The analysis has no picture {picture.picture}."))
    return element(
        "div",
        element("h3", picture.paper),
        element("p", f"In the paper: {picture.shows}"),
        missing if drawn is None else drawn.part(),
    )


def _tables(result: StudyResult) -> Iterator[tuple[str, str, Sequence[str], Sequence[Sequence[str]], Sequence[int]]]:
    """Yield tables of texts: name, title, heads, rows, and the columns whose texts stand at the right."""
    lost = [(each.name, each.published or "-", each.reason, each.source) for each in result.file.not_reached]
    yield "not-reached", "Numbers that no simulation reaches", ("number", "published", "why not", "source"), lost, ()
    arms = [(arm.name, arm.what, f"{arm.subjects:,}", f"{arm.sessions:,}", f"{arm.trials:,}") for arm in result.arms]
    yield "arms", "What ran", ("arm", "what", "subjects", "sessions", "trials"), arms, (2, 3, 4)
    analyses = [
        (
            analysis.name,
            analysis.analysis,
            ", ".join(analysis.arms) + (f"; stages {', '.join(analysis.stages)}" if analysis.stages else ""),
            ", ".join(param_texts(analysis.options)) or "-",
        )
        for analysis in result.analyses
    ]
    yield "analyses", "What was analyzed", ("name", "analysis", "arms", "options"), analyses, ()


def _again(result: StudyResult, made: datetime.date) -> Html:
    whole = facts(
        [
            ("command", element("code", result.command)),
            ("date", made.isoformat()),
            ("random seed", str(result.file.seed)),
            *((name, said) for name, said in result.versions.items()),
        ]
    )
    alone = table(
        ("arm", "first session of its first subject alone"),
        [(arm.name, element("code", arm.alone)) for arm in result.arms],
    )
    others = element(
        "p",
        "For another session give its subject, seed and start, which stand in the table of sessions. A later session "
        "needs those before it, in the same folder: docs/how-to/studies.md says how.",
    )
    return together([whole, alone, others])
