from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.config.errors.errors import SourceLocation
from rig.config.errors.formatting import display_path
from rig.config.inheritance import LayeredConfig, load_config, merge

LINE = SourceLocation("command line")


def test_a_file_that_extends_nothing_is_itself(write):
    path = write("a: 1\n")
    found = load_config(path)
    assert found.data == {"a": 1}
    assert found.sources == (path,)


def test_mappings_are_merged_deeply_and_lists_replaced_whole(write):
    write("p: {a: 1, b: 2, c: [1, 2, 3]}\nq: {r: 1}\n", "base.yaml")
    found = load_config(write("extends: base.yaml\np:\n  b: 3\n  c: [9]\nq: 5\n", "child.yaml"))
    assert found.data == {"p": {"a": 1, "b": 3, "c": [9]}, "q": 5}


def test_every_value_knows_the_file_it_came_from(write):
    write("p:\n  a: 1\n  c: [1, 2, 3]\nq: {r: 1}\n", "base.yaml")
    found = load_config(write("extends: base.yaml\np:\n  c: [9]\nq: 5\n", "child.yaml"))
    assert {loc: str(mark) for loc, mark in found.locations.items()} == {
        (): "child.yaml:1",
        ("p",): "child.yaml:2",
        ("p", "a"): "base.yaml:2",
        ("p", "c"): "child.yaml:3",
        ("p", "c", 0): "child.yaml:3",
        ("q",): "child.yaml:4",
    }


def test_a_later_parent_wins_over_an_earlier_and_the_file_over_both(write):
    write("a: 1\nb: 1\nc: 1\n", "one.yaml")
    write("b: 2\nc: 2\n", "two.yaml")
    path = write("extends: [one.yaml, two.yaml]\nc: 3\n", "three.yaml")
    found = load_config(path)
    assert found.data == {"a": 1, "b": 2, "c": 3}
    assert found.sources == (path, Path("one.yaml"), Path("two.yaml"))


def test_parents_are_found_relative_to_the_file_that_names_them(write):
    write("a: 1\n", "lab/base.yaml")
    write("extends: base.yaml\n", "lab/middle.yaml")
    assert load_config(write("extends: ../lab/middle.yaml\n", "mine/a.yaml")).data == {"a": 1}


def test_a_common_ancestor_is_not_a_circle_and_is_listed_once(write):
    write("a: 1\n", "root.yaml")
    write("extends: root.yaml\n", "left.yaml")
    write("extends: root.yaml\n", "right.yaml")
    found = load_config(write("extends: [left.yaml, right.yaml]\n"))
    assert [path.name for path in found.sources] == ["a.yaml", "left.yaml", "root.yaml", "right.yaml"]


def test_a_circle_is_refused_with_the_chain_shown(write, mistakes):
    write("extends: b.yaml\n", "a.yaml")
    write("x: 1\nextends: c.yaml\n", "b.yaml")
    write("extends: b.yaml\n", "c.yaml")
    assert mistakes(load_config, Path("a.yaml")) == ["c.yaml:1: extends: goes in a circle: b.yaml -> c.yaml -> b.yaml"]
    write("extends: a.yaml\n", "a.yaml")
    assert mistakes(load_config, Path("a.yaml")) == ["a.yaml:1: extends: goes in a circle: a.yaml -> a.yaml"]


def test_a_missing_parent_is_a_mistake_of_the_line_that_names_it(write, mistakes):
    write("a: 1\n", "base.yaml")
    assert mistakes(load_config, write("extends:\n  - base.yaml\n  - bsae.yaml\n", "child.yaml")) == [
        "child.yaml:3: extends: bsae.yaml: no such file; did you mean 'base.yaml'? "
        "its folder holds: base.yaml, child.yaml"
    ]


@pytest.mark.parametrize(("value", "got"), [("5", "5"), ("", "nothing"), ("[a.yaml, 3]", "3"), ("{a: 1}", "a mapping")])
def test_extends_takes_only_names(write, mistakes, value, got):
    assert mistakes(load_config, write(f"extends: {value}\n")) == [
        f"a.yaml:1: extends: must be a file name or a list of file names, got {got}"
    ]


def test_the_mistakes_of_all_parents_and_overrides_come_together(write, mistakes):
    write("a: 1\na: 2\n", "one.yaml")
    write("b: [\n", "two.yaml")
    found = mistakes(load_config, write("extends: [one.yaml, two.yaml]\n"), ["params.x"])
    assert [line.split(":")[0] for line in found] == ["one.yaml", "two.yaml", "command line"]


def test_overrides_come_last_and_are_yaml(write):
    path = write("params:\n  a: 1\n  b: 2\n")
    found = load_config(path, ["params.a=1e3", "params.c=[1, {d: no}]", "new.deep.key=", "params.a=x=y"])
    assert found.data == {
        "params": {"a": "x=y", "b": 2, "c": [1, {"d": "no"}]},
        "new": {"deep": {"key": None}},
    }
    assert found.sources == (path,)


def test_only_the_value_overridden_is_marked_as_the_command_line(write):
    found = load_config(write("params:\n  a: 1\n  b: 2\n"), ["params.a=3"])
    assert str(found.location(("params", "a"))) == "command line"
    assert str(found.location(("params", "b"))) == "a.yaml:3"
    assert str(found.location(("params",))) == "a.yaml:1"


def test_a_mapping_that_only_the_command_line_speaks_of_is_marked_as_the_command_line(write):
    found = load_config(write("params:\n  a: 1\n"), ["parms.a=3", "params.b.c=4"])
    assert str(found.location(("parms",))) == "command line"
    assert str(found.location(("params", "b"))) == "command line"
    assert str(found.location(("params", "b", "d"))) == "command line"


@pytest.mark.parametrize("text", ["foo", "=3", "a..b=3", ".a=3", "a b=3", ""])
def test_an_override_of_another_form_says_which_is_wanted(write, mistakes, text):
    assert mistakes(load_config, write("a: 1\n"), [text]) == [
        f"command line: --set {text}: must be key.path=value, for instance --set params.reward_ul=2.5"
    ]


def test_a_wrong_value_on_the_command_line_is_a_mistake_there(write, mistakes):
    assert mistakes(load_config, write("a: 1\n"), ["p.x={a: 1, a: 2}", "p.y=\udcff"]) == [
        "command line: p.x.a: duplicate key (first on the command line): take one of them out",
        "command line: p.y: the character U+DCFF is not allowed; remove it",
    ]


def test_a_place_without_a_mark_has_that_of_its_nearest_parent(write):
    found = load_config(write("a:\n  b: 1\n"))
    assert str(found.location(("a", "b", "c", 3))) == "a.yaml:2"
    assert str(found.location(("z",))) == "a.yaml:1"
    assert str(LayeredConfig(sources=(Path("x.yaml"),)).location(("z",))) == "x.yaml"
    assert str(LayeredConfig().location(())) == "command line"


_leaf = st.integers() | st.lists(st.integers(), max_size=2)
_tree = st.dictionaries(
    st.sampled_from("abc"),
    st.recursive(_leaf, lambda t: st.dictionaries(st.sampled_from("abc"), t)),
    max_size=3,
)


def marked(data, name):
    marks = {}

    def walk(value, loc):
        marks[loc] = SourceLocation(name)
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, inner in items:
            walk(inner, (*loc, key))

    walk(data, ())
    return LayeredConfig(data, marks, (Path(name),))


@settings(deadline=None)
@given(_tree, _tree, _tree)
def test_merging_is_associative_on_disjoint_keys(a, b, c):
    trees = [
        marked({prefix + key: value for key, value in tree.items()}, prefix)
        for prefix, tree in zip("xyz", (a, b, c), strict=True)
    ]
    one, two, three = trees
    assert merge(merge(one, two), three) == merge(one, merge(two, three))


@settings(deadline=None)
@given(_tree, _tree)
def test_merging_changes_no_operand_keeps_what_the_upper_says_and_marks_exactly_what_is_there(a, b):
    base, over = marked(a, "base"), marked(b, "over")
    found = merge(base, over)
    assert (base, over) == (marked(a, "base"), marked(b, "over"))
    assert merge(found, over).data == found.data
    assert set(found.locations) == set(marked(found.data, "any").locations)


def test_a_file_of_a_lab_may_extend_one_of_ours_and_prefers_its_neighbor(write):
    mine = write("extends: two_armed_bandit.yaml\nparams: {p_high: 0.9}\n", "lab/mine.yaml")
    assert load_config(mine).data["stop"]["session_s"] == 2400
    write("stop: {session_s: 60}\n", "lab/two_armed_bandit.yaml")
    assert load_config(mine).data["stop"] == {"session_s": 60}


def test_a_key_that_lacks_in_a_group_of_the_command_line_alone_is_of_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "task.yaml"
    file.write_text("params:\n  p_high: 0.8\n")
    layered = load_config(file, ["params.laser.delay_ms=3"])
    assert str(layered.location(("params", "laser", "p"))) == "command line"
    assert str(layered.location(("params", "q_stay"))) == f"{display_path(file)}:1"
