from rig.testing import at, enter, leave, poke
from sim_hardware.world.body import tone

GO, NO_GO = {"p_go": 1}, {"p_go": 0}


def test_a_lick_after_the_go_tone_is_rewarded(run_session):
    session = run_session("go_no_go", [poke(2.5, "spout")], params=GO, stop={"session_s": 5})
    assert session.rows[0].outcome == "hit"
    assert len(session.openings("spout.valve")) == 1


def test_a_lick_after_the_other_tone_costs_a_time_out(run_session):
    session = run_session("go_no_go", [poke(2.5, "spout")], params=NO_GO, stop={"session_s": 5})
    assert session.rows[0].outcome == "false_alarm"
    assert [name for name, t_us in session.states][:3] == ["wait", "tone", "time_out"]
    assert session.openings("spout.valve") == []


def test_a_tongue_that_stays_out_delays_the_tone(run_session):
    session = run_session("go_no_go", [at(1.0, "spout", enter), at(4.0, "spout", leave)], stop={"session_s": 10})
    tones_us = [t_us for t_us, hz in session.changes("speaker.tone") if hz]
    assert tones_us[0] >= 6_000_000


def test_every_reward_of_a_trained_animal_is_in_the_journal(run_session):
    async def trained(body):
        while True:
            heard = await body.wait_for(tone("speaker"))
            await body.wait(0.3)
            if heard.value == 8000:
                body.enter("spout")
                await body.wait(0.05)
                body.leave("spout")

    session = run_session("go_no_go", trained, stop={"session_s": 300}, seed=3)
    assert {row.outcome for row in session.rows} <= {"hit", "correct_rejection"}
    assert session.footer.rewards == len(session.openings("spout.valve")) > 20
