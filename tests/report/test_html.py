"""A page holds every text of the records as a text: nothing in it becomes markup."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.report.html import (
    MOST_CHARS,
    MOST_ROWS,
    Html,
    badge,
    element,
    facts,
    fold,
    notice,
    section,
    table,
    text,
    together,
)
from rig.report.page import page
from tests.report.found_markup import FoundMarkup

hostile = st.text(max_size=60) | st.sampled_from(
    [
        "<script>alert(1)</script>",
        "</style><img src=x onerror=alert(1)>",
        '" onload="alert(1)',
        "'><svg/onload=alert(1)>",
        "&lt;b&gt;",
        "<!--",
        "-->",
        "]]>",
        "</title><script>",
        "javascript:alert(1)",
        "\x00<b>",
        "\u202e<b>",
    ]
)


@given(hostile)
def test_a_text_is_never_markup(said: str) -> None:
    found = FoundMarkup(element("p", said))
    assert found.names == ["p"]
    assert not found.comments


@given(hostile)
def test_a_text_that_can_be_seen_comes_back_as_it_was(said: str) -> None:
    visible = re.sub(r"[^ -~äöüß東]", "", said)
    assert "".join(FoundMarkup(element("p", visible)).texts) == visible


@given(hostile)
def test_an_attribute_never_ends_before_its_end(said: str) -> None:
    found = FoundMarkup(element("p", "in", title=said, hidden=True, lang=None))
    ((tag, attributes),) = found.tags
    assert (tag, [name for name, _ in attributes]) == ("p", ["title", "hidden"])
    assert found.texts == ["in"]


@given(st.lists(hostile, min_size=6, max_size=6))
def test_every_part_of_a_page_has_the_same_tags_whatever_it_holds(said: list[str]) -> None:
    def parts(words: list[str]) -> FoundMarkup:
        return FoundMarkup(
            page(
                words[0],
                section(words[1], facts([(words[2], words[3])]), name="a"),
                table((words[1], words[2]), [(words[3], [words[4], element("br"), words[5]])], caption=words[0]),
                fold(words[3], notice("info", words[4])),
                badge("ok", words[5]),
            )
        )

    hurt = parts([each or "w" for each in said])
    assert hurt.names == parts(["w"] * 6).names
    assert not hurt.comments


def test_markup_and_a_text_make_a_text_that_is_escaped() -> None:
    mixed = element("b", "in") + "<i>"
    assert not isinstance(mixed, Html)
    assert element("p", mixed) == "<p>&lt;b&gt;in&lt;/b&gt;&lt;i&gt;</p>"


def test_characters_that_hide_or_reorder_are_shown_as_numbers() -> None:
    assert text("a\u202eb\x1b\ud800") == r"a\u202eb\x1b\ud800"


def test_a_text_of_several_lines_keeps_them() -> None:
    assert text("one\ntwo") == "one\ntwo"


def test_a_very_long_text_is_shortened_and_says_so() -> None:
    said = text("x" * (MOST_CHARS + 1))
    assert said.endswith(f"({MOST_CHARS + 1} characters)")
    assert len(said) < MOST_CHARS + 50


def test_nothing_and_empty_values_leave_nothing() -> None:
    assert together(["", None, [], 0]) == "0"
    assert facts([("a", None), ("b", ""), ("c", "0")]).count("<dt>") == 1


@pytest.mark.parametrize("part", ["default-src 'none'", "base-uri 'none'", "form-action 'none'"])
def test_a_page_forbids_the_browser_to_run_and_load_anything(part: str) -> None:
    made = FoundMarkup(page("title", element("p", "in")))
    (policy,) = (dict(found)["content"] for _, found in made.tags if ("http-equiv", "Content-Security-Policy") in found)
    assert part in str(policy)
    assert "script-src" not in str(policy)
    assert not {"script", "link", "iframe", "object", "img"} & set(made.names)


def test_a_page_has_one_language_one_title_and_one_main_part() -> None:
    made = FoundMarkup(page("title <b>", element("h1", "x"), broad=True))
    assert [made.names.count(tag) for tag in ("html", "title", "main", "h1", "body")] == [1] * 5
    assert ("html", (("lang", "en"),)) in made.tags
    assert ("body", (("class", "broad"),)) in made.tags


def test_a_table_with_too_many_rows_is_cut_and_says_so() -> None:
    found = FoundMarkup(table(("a",), ([str(number)] for number in range(MOST_ROWS + 7))))
    assert found.names.count("tr") == MOST_ROWS + 1
    assert "7 more rows are left out." in found.text
