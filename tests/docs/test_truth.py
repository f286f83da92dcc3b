"""What the pages say without running it: links that lead somewhere, messages that exist, reasons that are complete."""

import re
import tomllib
from importlib.metadata import entry_points
from itertools import chain
from pathlib import Path

import pytest
import yaml

import rig
from rig.align.readers.format_names import FORMATS
from rig.config import load_config
from rig.core.journal.kinds import FAULTS, REPLAYED_INPUTS, REPLAYED_OUTPUTS
from rig.core.model.line import kind_of
from rig.live.end_reasons import REASONS
from rig.records.session.brief import ADVANCING_REASONS, ADVANCING_WITH_MIN_TRIALS
from rig.session.spec.build import load_rig_spec
from rig.system import statuses
from tests.docs.pages import PAGES, ROOMS, ROOT, blocks_of, page_named, path_of

LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
WRITTEN_ELSEWHERE = {"screens.md", "mistakes.md"}

PICO_LOW, PICO_HIGH, PICO_MOST = 0.8, 2.0, 3.6
"""The voltages that are low and high at a pin, and the most that it may have: RP2040 datasheet, 5.5.3."""


def text_of(name: str) -> str:
    return page_named(name).read_text(encoding="utf-8")


def table(text: str, heading: str) -> list[list[str]]:
    """The rows of the first table below a line."""
    rows: list[list[str]] = []
    for line in text.split(f"\n{heading}\n", 1)[1].splitlines():
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            break
    return rows[2:]


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=path_of)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    broken = []
    for link in LINK.findall(text):
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        if path.rpartition("/")[2] in WRITTEN_ELSEWHERE or re.match(r"https?:", link):
            continue
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            broken.append(link)
    assert broken == []


def test_the_page_of_an_experiment_links_to_its_papers() -> None:
    with_papers = 0
    for entry in entry_points(group="rig.protocols"):
        root, _, room = entry.module.partition(".")
        page = ROOT / root / room.partition(".")[0] / "README.md"
        papers = entry.load().publications if page in ROOMS else ()
        with_papers += len(papers)
        assert [paper for paper in papers if f"]({paper})" not in page.read_text(encoding="utf-8")] == [], page
    assert with_papers


def linked_from(page: Path) -> set[Path]:
    """Return the files to which a page links."""
    paths = (link.partition("#")[0] for link in LINK.findall(page.read_text(encoding="utf-8")))
    return {(page.parent / path).resolve() for path in paths if path and not re.match(r"https?:", path)}


def test_the_list_of_all_pages_leads_to_every_page() -> None:
    every_page = ROOT / "docs" / "README.md"
    decisions = page_named("README.md")
    assert every_page in linked_from(ROOT / "README.md")
    lists = {decisions.parent: decisions, "analysis": page_named("analysis.md")}
    for page in PAGES:
        leads_here = lists.get(page.parent) or lists.get(page.parent.name) or every_page
        if page not in (every_page, decisions):
            assert page in linked_from(leads_here), f"{leads_here} does not link to {path_of(page)}"
    assert decisions in linked_from(every_page)


def test_every_room_has_a_page_that_names_its_files() -> None:
    rooms = {file.parent for file in (ROOT / "protocols").glob("*/*.py")}
    assert {page.parent for page in ROOMS} == rooms
    for page in ROOMS:
        code = {file.name for file in page.parent.glob("*.py")} - {"__init__.py"}
        folders = {f"{file.parent.name}/" for file in page.parent.glob("*/__init__.py")}
        text = page.read_text(encoding="utf-8")
        assert [name for name in sorted(code | folders) if f"`{name}`" not in text] == [], page


def test_every_message_that_a_technician_looks_up_is_one_that_is_said() -> None:
    sources = "".join(
        path.read_text(encoding="utf-8")
        for path in chain((ROOT / "rig").rglob("*.py"), (ROOT / "protocols").rglob("*.py"))
    )
    said = re.sub(r'"\s*f?"', "", re.sub(r"\n\s*", " ", sources))
    messages = [message for row in table(text_of("trouble.md"), "## Messages") for message in row[0].split("`")[1::2]]
    assert len(messages) > 12
    assert [message for message in messages if message not in said] == []


def test_every_reason_of_an_end_is_explained() -> None:
    reasons = {row[0].strip("`") for row in table(text_of("the-day.md"), "## When it has ended")}
    assert (
        reasons
        == {*ADVANCING_REASONS, *ADVANCING_WITH_MIN_TRIALS, "participant_left", "fault", "panic", "crash"}
        == set(REASONS)
    )


def test_every_page_that_leads_to_an_animal_says_first_that_it_must_wait() -> None:
    readme = ROOT / "README.md"
    leading = ("technicians.md", "install.md", "weekly.md", "the-day.md", "a-day.md", "first-board.md")
    for page in (readme, *map(page_named, leading)):
        beginning = " ".join(page.read_text(encoding="utf-8").partition("\n```")[0].split())
        assert "**Do not use it with animals yet" in beginning, page.name


def test_every_exit_status_is_explained_in_the_words_of_the_help() -> None:
    rows = table("\n" + text_of("exit-statuses.md"), "# Exit statuses")
    assert {int(status): meaning for status, meaning, _ in rows} == statuses.MEANINGS
    codes = {value for value in vars(statuses).values() if isinstance(value, int)}
    assert codes == statuses.MEANINGS.keys()


def test_the_pins_of_the_wiring_page_are_those_of_the_rig_file() -> None:
    devices = load_config(ROOT / "configs" / "rigs" / "nose_ports_uno.yaml").data["devices"]
    told = {
        row[0]: dict(zip(("beam", "light", "valve"), row[1:4], strict=True))
        for row in table(text_of("wiring-nose-ports.md"), "## The pins")
    }
    wired = {
        name: {part: str(device.get(part, "none")) for part in ("beam", "light", "valve")}
        for name, device in devices.items()
    }
    assert told == wired


@pytest.mark.parametrize("name", ["t_maze", "pigeon_chamber"])
def test_the_pins_of_the_other_wiring_pages_are_those_of_the_rig_files(name: str) -> None:
    told = {
        row[0]: {int(pin) for pin in re.findall(r"\d+", " ".join(row[1:]))}
        for row in table(text_of(f"wiring-{name.replace('_', '-')}.md"), "## The pins")
    }
    channels = load_rig_spec(f"{name}_uno").wiring.channels
    assert told == {name: {each.pin for each in channels if each.device == name} for name in told}
    assert told.keys() == {each.device for each in channels}


@pytest.mark.parametrize(
    ("page", "count"),
    [("wiring-nose-ports.md", 7), ("wiring-t-maze.md", 2), ("wiring-pigeon-chamber.md", 2), ("wiring-pico.md", 16)],
)
def test_the_sums_of_the_wiring_pages_are_right(page: str, count: int) -> None:
    sum_ = re.compile(r"\(([\d.]+) V - ([\d.]+) V\) / ([\d.]+) (k?)Ω = ([\d.]+) mA")
    found = sum_.findall(text_of(page).replace("\n  ", " "))
    assert len(found) == count
    for high, low, ohms, kilo, milliamperes in found:
        exact = (float(high) - float(low)) / (float(ohms) * (1 if kilo else 0.001))
        assert float(milliamperes) == pytest.approx(exact, rel=0.01)


def test_the_dividers_of_a_pico_are_right() -> None:
    divider = re.compile(r"([\d.]+) V · ([\d.]+) / \(([\d. +]+)\) = ([\d.]+) V")
    found = divider.findall(text_of("wiring-pico.md").replace("\n  ", " "))
    assert len(found) == 6
    for supply, lower, all_of_them, volts in found:
        exact = float(supply) * float(lower) / sum(map(float, all_of_them.split("+")))
        assert float(volts) == pytest.approx(exact, abs=0.05)
        assert PICO_HIGH < exact < PICO_MOST


def test_a_pico_has_two_lines_and_an_adapter_of_5_v_is_warned_of() -> None:
    rows = table(text_of("wiring-pico.md"), "## The line to the computer")
    lines = {row[0].split("`")[1]: row[1].partition(",")[0] for row in rows}
    assert lines == {"pico.uf2": "USB", "pico-uart.uf2": "UART 0"}
    assert "One with 5 V puts 5 V on GP1**" in text_of("wiring-pico.md")


def test_the_page_of_a_pico_says_how_each_image_is_written() -> None:
    text = text_of("wiring-pico.md")
    assert "make -C firmware pico-uart\nrig board flash --chip pico --drive" in text
    assert "--hex firmware/build/pico-uart.uf2\n" in text


def test_all_checks_of_a_pico_have_the_levels_of_its_data_sheet() -> None:
    text = " ".join(text_of("wiring-pico.md").split())
    assert f"**An input is low below {PICO_LOW} V, and high above {PICO_HIGH} V** [RP2040, 5.5.3]." in text
    checks = re.findall(r"below ([\d.]+) V in one state, above ([\d.]+) V in the other", text)
    assert checks == [(str(PICO_LOW), str(PICO_HIGH))] * 2


def test_no_command_hides_in_a_block_that_is_not_run() -> None:
    pages = [page for page in PAGES if page.name not in WRITTEN_ELSEWHERE]  # whose scripts have tests of their own
    blocks = [block for page in pages for block in blocks_of(page) if block.language in ("", "text")]
    assert [
        block.where for block in blocks if re.search(r"^(\$ )?(rig|python3?|make|pip) ", block.text, re.MULTILINE)
    ] == []


def test_the_page_of_other_clocks_has_every_format() -> None:
    assert tuple(row[0].strip("`") for row in table(text_of("other-clocks.md"), "## The files")) == FORMATS


def test_the_release_has_one_version_one_date_and_one_description() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    released = re.findall(r"^## \[([\d.]+)\] - (\S+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert (cited["version"], str(cited["date-released"])) == released[0]
    assert (cited["version"], cited["title"]) == (rig.__version__, project["name"])
    own_license = project["license"].partition(" AND ")[0]  # behind it stand those of what the wheel brings
    assert (cited["abstract"], cited["license"]) == (f"{project['description']}.", own_license)


def words_between(text: str, begin: str, end: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", text.split(begin)[1].split(end)[0]))


def test_the_page_of_the_journal_knows_what_a_replay_feeds_and_compares_and_every_reason() -> None:
    text = text_of("journal.md")
    inputs = {kind_of(kind) for kind in REPLAYED_INPUTS if kind not in FAULTS}
    assert words_between(text, "The inputs are", "They are all that") == inputs
    assert words_between(text, "then compares the", " lines (") == {kind_of(kind) for kind in REPLAYED_OUTPUTS}
    assert {row[0].strip("`") for row in table(text, "Reasons of an end, in the footer:")} == set(REASONS)
