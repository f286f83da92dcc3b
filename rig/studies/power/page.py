"""The page of a power analysis: one self-contained file. Needs matplotlib."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence

from rig.report.drawings import figure_part
from rig.report.figure_svg import drawing, figure_svg
from rig.report.html import Content, Html, big_numbers, element, facts, notice, section, table, together
from rig.report.page import contents, page
from rig.studies.power import tables
from rig.studies.power.figure import figure
from rig.studies.power.result import TARGETS, PowerResult
from rig.studies.power.sentences import sentences
from rig.terminal.format import pluralize


def power_page(
    result: PowerResult,
    *,
    study: str,
    title: str,
    command: str,
    made: datetime.date,
    versions: Mapping[str, str],
    arms: Sequence[tuple[str, str]],
    notes: Sequence[str] = (),
) -> str:
    """Return the page.

    ``made`` is the day. ``arms`` are names and what each arm runs. ``notes`` are said beside those of the result, such
    as on subjects without a value.
    """
    sections = list(_sections(result, {"command": element("code", command), "date": made.isoformat()}, versions, arms))
    texts = [*result.notes, *notes]
    return page(
        f"{study}: how many subjects",
        element("h1", title),
        element("p", _question(result), class_="lead"),
        notice("note", element("p", element("strong", "SIMULATED"), ": virtual subjects did the task.")),
        contents([(name, heading) for name, heading, _ in sections]),
        big_numbers(_tiles(result)),
        notice("suspicious", element("ul", (element("li", each) for each in texts))) if texts else None,
        *(section(heading, part, name=name) for name, heading, part in sections),
    )


def _question(result: PowerResult) -> str:
    arms = f"arm {result.effect} against arm {result.baseline}"
    return f"How many subjects show a difference? {tables.named(result)}: {arms}"


def _tiles(result: PowerResult) -> Iterator[tuple[str, str]]:
    """Yield the answer for the most sessions of a subject, for each aim."""
    most = result.sessions[-1]
    for target in TARGETS:
        smallest = next(each for each in result.smallest if (each.sessions, each.target) == (most, target))
        over = pluralize(most, "session")
        fewest = "none of those asked" if smallest.by_estimate is None else str(smallest.by_estimate)
        bound = "none" if smallest.by_bound is None else str(smallest.by_bound)
        yield fewest, f"{tables.per_group(result)} for a power of {target:.0%} with {over}; by lower bound: {bound}"


def _sections(
    result: PowerResult, origin: Mapping[str, Content], versions: Mapping[str, str], arms: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, str, Html]]:
    yield "power", "Power of each number of subjects", together([_figure(result), _smallest(result)])
    yield "compared", "What was compared", together([_arms(arms), _sentences(result), _compared(result)])
    yield "designs", "Every design", _designs(result)
    yield "origin", "How to repeat it", _origin(result, origin, versions)


def _figure(result: PowerResult) -> Html:
    title = f"power and false alarms over the number of {tables.per_group(result)}"
    with drawing(formulas=False):
        return figure_part(figure_svg(figure(result), "power", title))


def _smallest(result: PowerResult) -> Html:
    head = tables.smallest_header()
    return _table(head, tables.smallest_rows(result), tables.smallest_title(result))


def _arms(arms: Sequence[tuple[str, str]]) -> Html:
    return table(("arm", "what"), arms)


def _sentences(result: PowerResult) -> Html:
    return together(element("p", said) for said in sentences(result))


def _compared(result: PowerResult) -> Html:
    return _table(tables.compared_header(result), tables.compared_rows(result), tables.compared_title(result))


def _designs(result: PowerResult) -> Html:
    return _table(tables.designs_header(result), tables.designs_rows(result), tables.designs_title(result))


def _table(head: Sequence[str], rows: Iterator[tuple[str, ...]], caption: str) -> Html:
    cells: Iterator[Sequence[Content]] = iter(rows)
    return table(head, cells, caption=caption, right=range(1, len(head)))


def _origin(result: PowerResult, origin: Mapping[str, Content], versions: Mapping[str, str]) -> Html:
    return facts(
        [
            *origin.items(),
            ("random seed", str(result.seed)),
            ("experiments", str(result.experiments)),
            *versions.items(),
        ]
    )
