"""Faults that a laboratory's rig can have, put into simulated sessions, and what has to be found."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from protocols.disk_bandit.subjects.pecking_behavior import FALLS
from rig.expectations.finding import Finding
from tests.expectations.simulated import BANDIT, DISKS, MAZE, TRACKED, Arrange, Setting

Find = tuple[str, str]
"""A rule, and a word of its finding."""


@dataclass(frozen=True)
class RigFault:
    """One fault in the sessions of one setting; one of ``told`` has to be found."""

    name: str
    setting: Setting
    told: Sequence[Find]
    """What a person has to read: one of these."""
    arrange: Arrange = lambda harness: None
    cut: Sequence[str] = ()
    link: Mapping[str, float] = field(default_factory=dict)

    def is_told(self, findings: Iterable[Finding]) -> bool:
        """Whether the right finding is among these, and not just any."""
        return any(
            found.rule == rule and word in f"{found.about} {found.text}"
            for found in findings
            for rule, word in self.told
        )


# --- outputs ------------------------------------------------------------------------------------------------------


def clogged(place: str, from_s: float) -> Arrange:
    """Return what clogs a valve at a time of the session: it opens, and nothing comes."""

    def arrange(harness: Any) -> None:
        world = harness.rig.world
        flow = world._flow

        def flow_or_not(name: str, where: str, value: int) -> None:
            flow(name, where, value)
            if where == place and world._now_us() > from_s * 1e6:
                world.uncollected_rewards.pop(where, None)

        world._flow = flow_or_not

    return arrange


def outputs_swapped(one: str, other: str) -> Arrange:
    """Return what swaps the cables of two outputs of the same role."""

    def arrange(harness: Any) -> None:
        outputs = harness.rig.world._outputs
        pins = {name: pin for pin, (name, *_) in outputs.items()}
        a, b = outputs[pins[one]], outputs[pins[other]]
        outputs[pins[one]], outputs[pins[other]] = (a[0], b[1], *a[2:]), (b[0], a[1], *b[2:])
        ul_of = dict(harness.rig.world._ul_of)
        harness.rig.world._ul_of = ul_of

    return arrange


def jammed(*pulses: int) -> Arrange:
    def arrange(harness: Any) -> None:
        harness.rig.world.jams = frozenset(pulses)

    return arrange


# --- inputs -------------------------------------------------------------------------------------------------------


def beams_swapped(one: str, other: str) -> Arrange:
    def arrange(harness: Any) -> None:
        inputs = harness.rig.world._inputs
        inputs[one], inputs[other] = inputs[other], inputs[one]

    return arrange


def beam_dies(place: str, at_s: float) -> Arrange:
    """Return what makes a beam blind at a time of the session."""
    return _beam_stays(place, at_s, occupied=False)


def beam_sticks(place: str, at_s: float) -> Arrange:
    """Return what blocks a beam from a time of the session on."""
    return _beam_stays(place, at_s, occupied=True)


def _beam_stays(place: str, at_s: float, *, occupied: bool) -> Arrange:
    def arrange(harness: Any) -> None:
        world = harness.rig.world

        def cut() -> None:
            world.set_occupied(place, occupied)
            world._cut |= {world._inputs[place][0]}

        harness.rig.call_at_us(round(at_s * 1e6), cut)

    return arrange


def weak_beam(place: str, misses: float) -> Arrange:
    """Return what makes a beam miss a share of the entries."""

    def arrange(harness: Any) -> None:
        world, draw = harness.rig.world, random.Random("weak beam")
        occupy = world.set_occupied

        def occupy_or_not(where: str, on: bool) -> None:
            if not (on and where == place and draw.random() < misses):
                occupy(where, on)

        world.set_occupied = occupy_or_not

    return arrange


def floods(place: str, at_s: float, for_s: float, half_us: int = 26) -> Arrange:
    """Return what puts a square wave on a beam for a time, as a loose plug near a lamp's driver may."""

    def arrange(harness: Any) -> None:
        rig = harness.rig
        beam, start_us = rig.world._inputs[place], round(at_s * 1e6)

        def change(step: int) -> None:
            t_us = start_us + half_us * step
            on = step % 2 == 0 and t_us < start_us + for_s * 1e6
            rig.world._break(beam, on)
            if on or step % 2 == 0 or t_us < start_us + for_s * 1e6:
                rig.call_at_us(t_us + half_us, lambda: change(step + 1))

        rig.call_at_us(start_us, lambda: change(0))

    return arrange


def flickers(place: str, every_s: float, until_s: float, for_s: float = 0.012) -> Arrange:
    """Return what makes a beam flicker at random times."""

    def arrange(harness: Any) -> None:
        rig, draw = harness.rig, random.Random("flicker")
        beam, t_s = rig.world._inputs[place], 60.0
        while (t_s := t_s + draw.expovariate(1 / every_s) + for_s) < until_s:
            rig.call_at_us(round(t_s * 1e6), lambda: rig.world._break(beam, True))
            rig.call_at_us(round((t_s + for_s) * 1e6), lambda: rig.world._break(beam, False))

    return arrange


def beams_bridged(one: str, other: str) -> Arrange:
    """Return what lets the wires of two beams touch: each entry is seen by both."""

    def arrange(harness: Any) -> None:
        world = harness.rig.world
        occupy = world.set_occupied

        def occupy_both(where: str, on: bool) -> None:
            for place in {one: (one, other), other: (other, one)}.get(where, (where,)):
                occupy(place, on)

        world.set_occupied = occupy_both

    return arrange


# --- camera and screen --------------------------------------------------------------------------------------------


def frames_kept(keeps: Callable[[int], bool]) -> Arrange:
    """Return what loses the frames of a camera whose number does not please ``keeps``."""

    def arrange(harness: Any) -> None:
        camera = harness.rig.camera
        watch = camera.watch

        def watch_some(on_seen: Any, on_gone: Any) -> None:
            watch(lambda frames: on_seen([frame for frame in frames if keeps(frame.frame)]), on_gone)

        camera.watch = watch_some

    return arrange


def camera_lost(at_s: float) -> Arrange:
    def arrange(harness: Any) -> None:
        camera, rig = harness.rig.camera, harness.rig
        watch = camera.watch

        def watch_until(on_seen: Any, on_gone: Any) -> None:
            watch(on_seen, on_gone)

            def lose() -> None:
                camera._on_seen = None
                on_gone("the camera was unplugged")

            rig.call_at_us(round(at_s * 1e6), lose)

        camera.watch = watch_until

    return arrange


def light_lost(share: float) -> Arrange:
    """Return what hides the light of an animal from the camera in a share of the frames."""

    def arrange(harness: Any) -> None:
        camera, draw = harness.rig.camera, random.Random("light")
        position = camera._position
        camera._position = lambda frame: (math.nan, math.nan) if draw.random() < share else position(frame)

    return arrange


def touch_offset(dx_cm: float) -> Arrange:
    """Return what displaces every contact with the screen."""

    def arrange(harness: Any) -> None:
        screen = harness.rig.screen
        report = screen._report
        screen._report = lambda phase, contact, x_cm, y_cm: report(phase, contact, x_cm + dx_cm, y_cm)

    return arrange


def ghost_touches(per_s: float, until_s: float) -> Arrange:
    """Return what adds contacts at random places."""

    def arrange(harness: Any) -> None:
        rig, draw, t_s = harness.rig, random.Random("ghost"), 60.0

        def touch(x_cm: float, y_cm: float) -> None:
            rig.screen.lift(rig.screen.press(x_cm, y_cm), x_cm, y_cm)

        while (t_s := t_s + draw.expovariate(per_s)) < until_s:
            x_cm, y_cm = 30 * draw.random() - 15, 20 * draw.random() - 10
            rig.call_at_us(round(t_s * 1e6), lambda x_cm=x_cm, y_cm=y_cm: touch(x_cm, y_cm))

    return arrange


def slow_screen(seconds: float) -> Arrange:
    def arrange(harness: Any) -> None:
        screen = harness.rig.screen
        show = screen.show
        screen.show = lambda frame, scene: screen._clock.call_later(seconds, show, frame, scene)

    return arrange


def empty_hopper(harness: Any) -> None:
    """Let a bird leave a hopper without grain at once."""
    body = harness.rig.body
    wait_for = body.wait_for

    async def wait_less(*stimuli: Any, within: float | None = None) -> Any:
        return await wait_for(*stimuli, within=0.6 if stimuli == (FALLS,) else within)

    body.wait_for = wait_less


# --- board, link and host -----------------------------------------------------------------------------------------


def drift(ppm: float) -> Arrange:
    def arrange(harness: Any) -> None:
        harness.rig.board.ticks._per_s *= 1 + ppm / 1e6

    return arrange


def reset(at_s: float) -> Arrange:
    def arrange(harness: Any) -> None:
        harness.rig.call_at_us(round(at_s * 1e6), harness.rig.board.reset)

    return arrange


def late(seconds: float) -> Arrange:
    """Return what delays every byte, as a loaded host does."""

    def arrange(harness: Any) -> None:
        for way in (harness.rig.cable.to_board, harness.rig.cable.to_host):
            way._latency_s = seconds
            way._perfect = False

    return arrange


def silent_host(at_s: float, for_s: float) -> Arrange:
    """Return what lets no byte of the host reach the board for some seconds."""

    def arrange(harness: Any) -> None:
        rig = harness.rig
        rig.call_at_us(round(at_s * 1e6), rig.cable.to_board.hold)
        rig.call_at_us(round((at_s + for_s) * 1e6), rig.cable.to_board.release)

    return arrange


RIG_FAULTS = (
    # nose ports
    RigFault("the wire of the left valve is cut", BANDIT, [("short_stays", "left")], cut=["left.valve"]),
    RigFault("the right valve clogs after 15 minutes", BANDIT, [("short_stays", "right")], clogged("right", 900)),
    RigFault(
        "the cables of the valves are swapped",
        BANDIT,
        [("short_stays", "left"), ("short_stays", "right")],
        outputs_swapped("left.valve", "right.valve"),
    ),
    RigFault(
        "the cables of the side beams are swapped",
        BANDIT,
        [("short_stays", "left"), ("short_stays", "right")],
        beams_swapped("left", "right"),
    ),
    RigFault("the wire of the center beam is cut", BANDIT, [("rate", "center.beam")], cut=["center.beam"]),
    RigFault(
        "the wire of the left beam is cut",
        BANDIT,
        [("incomplete_trials", ""), ("never_changed", "left.beam")],
        cut=["left.beam"],
    ),
    RigFault("the left beam dies after 10 minutes", BANDIT, [("incomplete_trials", "")], beam_dies("left", 600)),
    RigFault("the right beam misses pokes", BANDIT, [("incomplete_trials", "")], weak_beam("right", 0.6)),
    RigFault("the left beam is blocked after 10 minutes", BANDIT, [("stuck", "left.beam")], beam_sticks("left", 600)),
    RigFault("the right beam flickers fast", BANDIT, [("flicker", "right.beam")], flickers("right", 0.03, 80)),
    RigFault("the right beam flickers now and then", BANDIT, [("flicker", "right.beam")], flickers("right", 2, 2000)),
    RigFault(
        "the plug of the left beam is loose for a moment", BANDIT, [("flood", "left.beam")], floods("left", 600, 0.5)
    ),
    RigFault(
        "the wires of the center beam and the right beam touch",
        BANDIT,
        [("coupled_inputs", "center.beam"), ("coupled_inputs", "right.beam")],
        beams_bridged("center", "right"),
    ),
    RigFault("the center lamp is dead", BANDIT, [("rate", "center.beam")], cut=["center.light"]),
    RigFault(
        "the cables of the center lamp and the left lamp are swapped",
        BANDIT,
        [("rate", "center.beam")],
        outputs_swapped("center.light", "left.light"),
    ),
    # T-maze
    RigFault(
        "both feeders are empty",
        MAZE,
        [("pellets_unseen", "left_feeder"), ("pellets_unseen", "right_feeder")],
        jammed(*range(2000)),
    ),
    RigFault(
        "the feeders jam after 60 pellets",
        MAZE,
        [("ending", "in a row were not seen to drop")],
        jammed(*range(60, 2000)),
    ),
    RigFault(
        "the left sensor is blind",
        MAZE,
        [("pellets_unseen", "left_feeder")],
        cut=["left_feeder.sensor"],
    ),
    RigFault(
        "the cables of the feeders are swapped",
        MAZE,
        [("stray_pellets", "left_feeder"), ("stray_pellets", "right_feeder")],
        outputs_swapped("left_feeder.feeder", "right_feeder.feeder"),
    ),
    RigFault("the wire of the choice beam is cut", MAZE, [("never_changed", "choice.beam")], cut=["choice.beam"]),
    RigFault("the start beam dies after 15 minutes", MAZE, [("rate", "start.beam")], beam_dies("start", 900)),
    RigFault("the left site's beam is blocked", MAZE, [("stuck", "left.beam")], beam_sticks("left", 600)),
    # camera
    RigFault("the camera is slow", TRACKED, [("frame_rate", "tracker")], frames_kept(lambda frame: frame % 2 == 0)),
    RigFault(
        "the camera drops every twelfth frame",
        TRACKED,
        [("frame_rate", "tracker"), ("frames_lost", "tracker")],
        frames_kept(lambda frame: frame % 12 != 0),
    ),
    RigFault("the camera is lost after 10 minutes", TRACKED, [("camera_lost", "")], camera_lost(600)),
    RigFault("the light of the rat is too weak", TRACKED, [("untracked", "tracker")], light_lost(0.5)),
    # touch screen and hopper
    RigFault("the touch panel is displaced", DISKS, [("missed_pecks", "screen")], touch_offset(1.5)),
    RigFault(
        "the touch panel reports ghosts",
        DISKS,
        [("rate", "screen"), ("missed_pecks", "screen")],
        ghost_touches(5, 600),
    ),
    RigFault("the screen is slow", DISKS, [("frame_latency", "screen")], slow_screen(0.2)),
    RigFault("the photodiode fell off", DISKS, [("photodiode", "photodiode.in")], cut=["photodiode.in"]),
    RigFault(
        "the hopper does not rise",
        DISKS,
        [("hopper_not_entered", "hopper"), ("not_collected", "hopper")],
        cut=["hopper.hopper"],
    ),
    RigFault("the hopper is empty", DISKS, [("short_stays", "hopper")], empty_hopper),
    # board, link and host
    RigFault("the clock of the board drifts", BANDIT, [("clock_drift", "")], drift(300)),
    RigFault("the serial cable is bad", BANDIT, [("link", "")], link={"flip": 2e-4, "drop": 2e-4}),
    RigFault("the board resets", BANDIT, [("reset", ""), ("disconnected", "")], reset(600)),
    RigFault("the host is late", BANDIT, [("decision_latency", "")], late(0.08)),
    RigFault("the host stands still for 4 s", BANDIT, [("lease_expired", "")], silent_host(600, 4)),
)
