"""How far a session has come, by its journal alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rig.core.journal.kinds import FAULTS, OutputDone, SessionLine
from rig.core.model.actions import Amount
from rig.live.progress import Progress
from sim_hardware.link_model import LinkFaults
from tests.expectations.lines import edge
from tests.harness import poke, run_harness, scripted_subject
from tests.journal_lines import channels_of
from tests.live.progress_lines import HEADER, after, line
from tests.session_specs import protocol_spec


@pytest.mark.parametrize("faults", [None, LinkFaults(flip=1e-3, drop=1e-3, seed=3)])
def test_what_was_given_is_known_before_the_footer_and_is_the_sessions_own_count(faults: LinkFaults | None) -> None:
    pokes = [poke(place, 2.0 * trial + offset, 0.2) for trial in range(1, 12) for place, offset in PLACES]
    harness = run_harness(protocol_spec(p_high=1, stop_session_s=30), scripted_subject(*pokes), faults=faults)
    assert harness.outcome is not None
    progress = Progress()
    for each in harness.journal[:-1]:
        progress.take(each)
    assert progress.footer is None
    assert (progress.rewards, progress.amount.ul) == (harness.outcome.rewards, pytest.approx(harness.outcome.ul))
    assert progress.trials == harness.outcome.rows > 0
    progress.take(harness.footer)
    assert progress.t_us == harness.footer.t_us == 30_000_000


PLACES = (("center", 0.0), ("left", 0.6))


def test_trials_and_their_outcomes_are_counted_and_drawn() -> None:
    rows = [("left", "rewarded"), ("right", "unrewarded"), ("", "aborted"), ("right", "rewarded"), ("", "rewarded")]
    progress = after(*(line("trial", outcome=outcome, choice=choice) for choice, outcome in rows))
    assert progress.trials == 5
    assert progress.outcomes == {"rewarded": 3, "unrewarded": 1, "aborted": 1}
    assert "".join(progress.strip) == "Lr.RX"


def test_the_letter_of_a_trial_is_of_the_column_that_the_header_names() -> None:
    trial = line("trial", outcome="rewarded", choice="left", side="right")
    strips = [after(trial, header={**HEADER, "letter": letter}).strip for letter in ("side", "none", "")]
    assert ["".join(strip) for strip in strips] == ["R", "X", "X"]


def test_a_protocol_without_outcomes_has_trials_all_the_same() -> None:
    progress = after(line("trial", t_in=1.0))
    assert (progress.trials, dict(progress.outcomes), "".join(progress.strip)) == (1, {}, ".")


@pytest.mark.parametrize(
    ("max_ul", "left_ul", "limit"),
    [(100.0, None, 100.0), (100.0, 60.0, 60.0), (None, 60.0, 60.0), (None, None, None)],
)
def test_the_limit_is_the_sessions_or_what_is_left_of_the_day(
    max_ul: float | None, left_ul: float | None, limit: float | None
) -> None:
    stop = {"min_trials": 1, "max_ul": max_ul}
    left = {"ul": left_ul, "pellets": None, "access_s": None}
    assert after(header={**HEADER, "stop": stop, "remaining_today": left}).limit("ul") == limit


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (line("note", what="stuck", channel="left.beam", since_us=540_000_000), "left.beam has been on since 9:00"),
        (line("note", what="idle", channel="", since_us=60_000_000), "nothing has happened since 1:00"),
        (line("note", what="reward_withheld", source="left", ul=2.5), "left: a drop of 2.5 ul was withheld"),
        (line("note", what="reward_withheld", source="feeder", pellets=3), "feeder: 3 pellets were withheld"),
        (line("note", what="camera_lost", detail="it fell"), "it fell: positions are kept no more"),
        (line("note", what="hopper_not_entered", hopper="hopper", times=5), "hopper: no visit 5 times in a row"),
        (line("note", what="pellet_missing", feeder="feeder", lap=3), "feeder: a pellet was not seen to drop"),
        (line("lease_expired"), "the computer was silent for too long"),
        (
            line("flood", channel="left.beam", edges_per_s=38_000, number=4),
            "input left.beam: 38,000 edges in 1 s, muted until it is quiet",
        ),
        (line("overflow", lost=3), "the board has lost 3 events"),
        (line("refused", batch=1, order=0, reason="busy"), "refused an order: busy"),
        (line("entry_refused", sequence=1, entry=2, reason="busy"), "refused an order: busy"),
        (line("fault", what="link_lost", detail="10 s without a word"), "link lost: 10 s without a word"),
    ],
)
def test_notes_and_faults_are_warnings_in_words(found: SessionLine, text: str) -> None:
    progress = after(replace(found, t_us=600_000_000))
    ((t_us, said),) = progress.warnings
    assert t_us == 600_000_000
    assert text in said
    assert sum(progress.faults.values()) == (isinstance(found, FAULTS))


def test_an_input_that_is_quiet_again_is_told_and_counts_as_no_fault() -> None:
    over = line("flood", channel="left.beam", edges_per_s=0, number=5)
    progress = after(line("flood", channel="left.beam", edges_per_s=38_000, number=4), over)
    assert [said for _, said in progress.warnings][-1] == "input left.beam is quiet again, and counts again"
    assert progress.faults == {"flood": 1}


@pytest.mark.parametrize(
    "fields", [{"block": 3}, {"what": "stuck"}, {"what": "reward_withheld", "source": 1, "ul": "much"}]
)
def test_a_note_of_the_protocols_own_is_no_warning(fields: dict[str, object]) -> None:
    assert after(line("note", 1, **fields)).warnings == []


def test_an_input_that_never_changes_is_warned_of_once_when_the_others_have() -> None:
    few = [edge("left.beam", 10.0 * n) for n in range(20)]
    assert after(*few, line("time", 299)).warnings == []
    progress = after(*few, line("time", 300), line("time", 400))
    assert [warned.text for warned in progress.warnings] == ["right.beam has never changed: is its sensor connected?"]


def test_an_animal_that_does_nothing_is_no_broken_sensor() -> None:
    assert after(edge("left.beam", 1), line("time", 1000)).warnings == []


def test_what_may_have_been_given_unseen_is_known_until_the_footer_says_so() -> None:
    progress = after(line("reward", 1, source="left", status="pending"))
    assert (progress.rewards, progress.uncertain) == (0, (1, Amount(2.5)))
    progress.take(line("footer", 600, rewards=1, ul=2.5))
    assert (progress.rewards, progress.uncertain) == (1, (0, Amount()))


def test_the_footers_count_is_the_last_word() -> None:
    progress = after(line("footer", 600, rewards=7, ul=17.5))
    assert progress.footer is not None
    assert (progress.rewards, progress.amount.ul, progress.t_us) == (7, 17.5, 600_000_000)


@given(st.lists(st.integers(0, 10**9)))
def test_time_never_runs_backwards(times: list[int]) -> None:
    progress = Progress()
    for t_us in times:
        progress.take(OutputDone(t_us, "left.valve", "finished"))
        assert progress.t_us >= t_us
    assert progress.t_us == max(times, default=0)


def test_a_session_of_pellets_says_pellets() -> None:
    header = {**HEADER, "stop": {"max_pellets": 420, "min_trials": 1}}
    progress = after(line("footer", 600, rewards=7, pellets=17), header=header)
    assert (progress.given, str(progress.amount)) == ("17 of 420 pellets", "17 pellets")


@pytest.mark.parametrize(
    ("stop", "amount", "said"),
    [
        ({"max_pellets": 20}, {"ul": 4833.0}, "0 of 20 pellets, 4833 ul"),
        ({"max_pellets": 20, "max_ul": 100}, {"ul": 25.0, "pellets": 3}, "3 of 20 pellets, 25 of 100 ul"),
        ({"max_rewards": 20}, {"ul": 25.0, "access_s": 6.0}, "6 s of grain, 25 ul"),
        ({"max_rewards": 20}, {}, "0 ul"),
    ],
)
def test_every_unit_that_was_given_is_named(stop: dict[str, int], amount: dict[str, float], said: str) -> None:
    progress = after(line("footer", 600, **amount), header={**HEADER, "stop": {**stop, "min_trials": 1}})
    assert progress.given == said


def test_the_limit_that_is_nearest_may_be_one_of_access() -> None:
    stop = {"max_access_s": 10, "max_rewards": 20, "min_trials": 1}
    progress = after(line("footer", 600, rewards=2, access_s=6.0), header={**HEADER, "stop": stop})
    assert progress.nearest_limit == (6.0, 10)


def test_a_circle_in_which_nobody_was_seen_is_warned_of_too() -> None:
    circle = {"kind": "zone", "x_cm": 0, "y_cm": 0, "radius_cm": 20}
    circles = {"left": circle, "right": circle}
    progress = after(header={**HEADER, "rig": {**HEADER["rig"], "devices": circles, "channels": channels_of(circles)}})
    for n in range(20):
        progress.take(line("zone", 10 * n, channel="left.zone", level=n % 2))
    progress.take(line("time", 300))
    assert [warned.text for warned in progress.warnings] == [
        "right.zone has never changed: is the circle where it should be?"
    ]


def test_time_that_passes_without_a_line_can_be_a_warning() -> None:
    expected = {"rewards": {"left": {"channel": "left.beam", "visit_within_s": 5, "max_missed": 1}}}
    progress = after(line("reward", 10, source="left", status="delivered"), header={**HEADER, "expect": expected})
    progress.pass_time(14.9)
    assert progress.warnings == []
    progress.pass_time(16.5)
    assert [warned.text.split(" ")[0] for warned in progress.warnings] == ["left:"]
