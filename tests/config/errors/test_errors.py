import pytest

from rig.config.errors.errors import ConfigIssuesError, SourceLocation, collect_errors, config_issue
from rig.core.errors import ConfigError


def fail(*mistakes):
    def thunk():
        raise ConfigError(*mistakes)

    return thunk


def test_a_mark_is_a_file_and_line_or_the_command_line():
    assert str(SourceLocation("a.yaml", 3)) == "a.yaml:3"
    assert str(SourceLocation("command line")) == "command line"
    assert SourceLocation("a.yaml", 3).line_text == "on line 3"
    assert SourceLocation("command line").line_text == "on the command line"


def test_a_mistake_at_the_top_has_no_key():
    assert config_issue(SourceLocation("a.yaml", 1), (), "is wrong") == "a.yaml:1: is wrong"
    assert config_issue(SourceLocation("a.yaml", 1), ("b", 0), "is wrong") == "a.yaml:1: b[0]: is wrong"


def test_results_are_returned_in_order_when_nothing_is_wrong():
    assert collect_errors(lambda: 1, lambda: "a") == (1, "a")
    assert collect_errors() == ()


def test_the_mistakes_of_all_calls_are_raised_together_and_once_each():
    with pytest.raises(ConfigError) as caught:
        collect_errors(fail("a", "b"), lambda: 1, fail("b", "c"))
    assert caught.value.mistakes == ("a", "b", "c")


def test_other_errors_are_not_gathered():
    with pytest.raises(ZeroDivisionError):
        collect_errors(fail("a"), lambda: 1 / 0)


def test_several_mistakes_of_one_validator_read_as_one_line():
    assert str(ConfigIssuesError((("a", "b"), "wrong"), (("c",), "too"))) == "a.b: wrong; c: too"
