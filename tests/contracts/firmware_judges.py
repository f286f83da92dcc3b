"""Judges of a program for a chip: each plays something to it, and yields what is wrong with it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from rig.boards.wire import messages as wire
from rig.core.model.actions import Arm, Disarm, Order, Pulse, Set, Tone, Train
from sim_hardware.avr.chip import ResetCause
from tests.contracts.differential import AvrSubject, PicoSubject, Record, SimSubject, Step, Subject, play
from tests.contracts.differential_scripts import MADE, assert_alike, some_scripts
from tests.contracts.firmware_faults import Program
from tests.contracts.noise import (
    CAUSES,
    CYCLES_PER_MS,
    CYCLES_PER_US,
    PAIRS_OF_A_SIGNAL,
    POKE_US,
    SHAPES,
    Change,
    Poke,
    Signal,
    all_pairs,
    cycles,
    pairs_signal,
    signal,
    spikes,
    square,
    telegraph,
    uneven_burst,
)
from tests.contracts.noise_bench import FAST_TRAIN, PORTS, TICK_CYCLES, NoiseBench
from tests.contracts.noise_ends import (
    INPUTS,
    STORMS,
    assert_a_panic_ends_all,
    assert_all_off_ends_all,
    assert_the_lease_ends_all,
    edges_at_a_wrap,
)
from tests.contracts.noise_laws import Law, judge
from tests.sim_hardware.avr.line import BOOT_CYCLES

SCRIPTS_DRAWN = 100
LAPS = 20
"""Laps of the timer (33 ms each) before the clock of the first script wraps; each later script has one more."""


class Judge(NamedTuple):
    """A name, and what it finds wrong with a program."""

    name: str
    findings: Callable[[Program], Iterator[str]]


# --- the comparison of the two boards ------------------------------------------------------------------------


def differences(told: Iterable[tuple[list[Step], Record]], program: Program) -> Iterator[str]:
    """Play scripts to a program; yield where it differs from the board in Python."""
    for number, (script, model) in enumerate(told):
        try:
            assert_alike(model, play(_subject(program, LAPS + number), script, model))
        except AssertionError as error:
            yield str(error)


def _subject(program: Program, laps: int) -> Subject:
    return PicoSubject(program.file) if program.kind == "pico" else AvrSubject(laps, program.file)


@cache
def told(kind: str, script_number: int) -> tuple[list[Step], Record]:
    """Return a script, and what the board in Python does; those that are drawn come last."""
    made = len(MADE)
    script = MADE[script_number] if script_number < made else _drawn()[script_number - made]
    return script, play(SimSubject(kind), script)


@cache
def _drawn() -> list[list[Step]]:
    return some_scripts(SCRIPTS_DRAWN)


SCRIPTS = Judge(
    "scripts",
    lambda program: differences(
        (told(program.kind, number) for number in range(len(MADE) + SCRIPTS_DRAWN)),
        program,
    ),
)


# --- laws ----------------------------------------------------------------------------------------------------


def breaks(law: Law, signals: Callable[[], Iterable[Signal]]) -> Judge:
    """Return the judge of one law under some signals."""

    def findings(program: Program) -> Iterator[str]:
        for found in judge(program.kind, signals(), program.file):
            yield from (str(breach) for breach in found if breach.law is law)

    return Judge(f"{law.name}, {signals.__name__}", findings)


def pairs() -> Iterator[Signal]:
    """Yield pairs of edges around each kind of interrupt."""
    for shape in SHAPES:
        for cause in CAUSES:
            drawn = random.Random(f"{shape} at {cause}").sample(all_pairs(), 10 * PAIRS_OF_A_SIGNAL)
            for first in range(0, len(drawn), PAIRS_OF_A_SIGNAL):
                yield pairs_signal(shape, cause, drawn[first : first + PAIRS_OF_A_SIGNAL])


def almost_confirmed() -> Iterator[Signal]:
    """Yield levels that last a little less than their confirmation, whose end other interrupts delay."""
    draw = random.Random("almost confirmed")
    for number in range(40):
        changes: list[Change] = []
        for place in range(30):
            began = 1_000.0 * place + draw.uniform(400, 600)
            ended = began + draw.uniform(95, 99.9)
            other = ended - draw.uniform(0, 30)
            changes += [Change(cycles(began), "left", 1), Change(cycles(ended), "left", 0)]
            changes += [Change(cycles(other), "bare", 1), Change(cycles(other + draw.uniform(3, 20)), "bare", 0)]
        yield replace(signal(f"almost confirmed {number}", changes), fast_train=True)


def bursts() -> Iterator[Signal]:
    """Yield bursts on several inputs at once, so many that the ring of snapshots is full."""
    draw = random.Random("bursts")
    for number in range(200):
        noisy = draw.sample(INPUTS, draw.randint(1, 3))
        quiet = [name for name in INPUTS if name not in noisy]
        parts = [uneven_burst(name, draw.randint(4, 24), draw, draw.uniform(0, 300)) for name in noisy]
        poke = Poke(draw.choice(quiet), draw.uniform(0, 600), POKE_US)
        yield signal(f"bursts {number}", *parts, pokes=[poke])


def floods() -> Iterator[Signal]:
    """Yield telegraph noise on several ports."""
    draw = random.Random("floods")
    for number in range(200):
        noisy = draw.sample(INPUTS, draw.randint(2, 5))
        yield signal(f"floods {number}", *(telegraph(name, draw.uniform(20, 120), 10_000, draw) for name in noisy))


def storms() -> Iterator[Signal]:
    """Yield storms on one input, one port and all inputs, while pulses end every millisecond."""
    for names in (["left"], PORTS[0], INPUTS):
        for hz in (9_000, 15_000, 25_000, 38_000, 60_000, 150_000):
            label = f"{hz} Hz on {', '.join(names)}"
            for shift_us in range(0, 1_000, 250):
                waves = [square(name, hz, 25_000, shift_us) for name in names]
                yield replace(signal(label, *waves), fast_train=True)


def short_storms() -> Iterator[Signal]:
    """Yield storms that begin at each phase of pulses that end every millisecond."""
    for names in (["left"], PORTS[0], INPUTS):
        for hz in (25_000, 38_000, 55_000, 150_000):
            for shift_us in range(0, 1_000, 50):
                waves = [square(name, hz, 3_000, shift_us) for name in names]
                yield replace(signal(f"{hz} Hz on {', '.join(names)} from {shift_us} us", *waves), fast_train=True)


def quiet_changes() -> Iterator[Signal]:
    """Yield changes that are no flood."""
    for hz in (1, 100, 1_000, 2_000):
        yield signal(f"{hz} Hz", square("left", hz, 60_000))


def crowds() -> Iterator[Signal]:
    """Yield waves at all ports that are slow alone, and pokes at an input that is quiet."""
    for hz in range(4_000, 6_000, 100):
        noise = [square(name, hz, 40_000, shift_us) for shift_us, name in enumerate(("plain", "bare", "third"))]
        yield signal(f"{hz} Hz on all ports", *noise, pokes=[Poke("right", 12_345, POKE_US)])


def pokes() -> Iterator[Signal]:
    """Yield pokes, with another input silent or flooding."""
    for hz in (None, 12_000, 38_000):
        for noisy, poked in (("left", "right"), ("left", "far"), ("bare", "far"), ("far", "left")):
            noise = [] if hz is None else square(noisy, hz, 40_000)
            for at_us in (1_500, 12_345, 13_579):
                yield signal(f"{hz} Hz on {noisy}", noise, pokes=[Poke(poked, at_us, POKE_US)])
    for at_us in range(1_000, 12_000, 370):
        yield signal("spikes", spikes("left", 70, 30_000), pokes=[Poke("right", at_us, POKE_US)])


# --- checks --------------------------------------------------------------------------------------------------


CHECKS = {SCRIPTS.name: SCRIPTS}


def asserted(name: str) -> Callable[[Callable[[Program], None]], Callable[[Program], None]]:
    """Make a judge of a check that raises ``AssertionError``."""

    def judged(check: Callable[[Program], None]) -> Callable[[Program], None]:
        def findings(program: Program) -> Iterator[str]:
            try:
                check(program)
            except AssertionError as error:
                yield str(error)

        CHECKS[name] = Judge(name, findings)
        return check

    return judged


def bench_with(program: Program) -> NoiseBench:
    return NoiseBench(program.kind, program.file)


@asserted("lease in storms")
def _lease_in_storms(program: Program) -> None:
    for storm in STORMS.values():
        assert_the_lease_ends_all(bench_with(program), storm)


@asserted("panic in storms")
def _panic_in_storms(program: Program) -> None:
    for storm in STORMS.values():
        for pressed_ms in (1.7, 20.3):
            assert_a_panic_ends_all(bench_with(program), storm, pressed_ms)


@asserted("all-off in storms")
def _all_off_in_storms(program: Program) -> None:
    for storm in STORMS.values():
        assert_all_off_ends_all(bench_with(program), storm, 2)


PRESSED_US = 5_000
SAFE_US = 50
"""The longest time from a press to the last change of an output."""


def pressed(bench: NoiseBench, at: int) -> tuple[Any, ...]:
    """Press the panic input at a cycle; return the PANIC, after which no output has changed."""
    bench.play([Change(0, "panic", 1), Change(cycles(PRESSED_US), "panic", 0)], at)
    bench.run(at + cycles(PRESSED_US) + CYCLES_PER_MS - bench.chip.cycle)
    last = max((cycle for cycle, _, _ in bench.levels), default=0)
    assert last - at <= cycles(SAFE_US), f"an output changes {(last - at) / CYCLES_PER_US:.1f} us after a press"
    (panic,) = [message for message in bench.answers if message[0] == wire.PANIC.code][:1] or [()]
    assert panic, "a press is no panic"
    return panic


@asserted("panic beside a flood")
def _panic_beside_a_flood(program: Program) -> None:
    bench = bench_with(program)
    bench.open()
    bench.order(Set("light", True))
    at = bench.chip.cycle + CYCLES_PER_MS
    # Too short to be seen: each pin of the port may be the one that floods.
    flood = [Change(cycles(100 * pulse + us), "bare", level) for pulse in range(300) for us, level in ((0, 1), (2, 0))]
    press = [Change(cycles(20_430), "panic", 1), Change(cycles(20_430 + PRESSED_US), "panic", 0)]
    bench.play(sorted(flood + press), at)
    bench.run(60 * CYCLES_PER_MS)
    late_us = (bench.last_on() - at) / CYCLES_PER_US - 20_430
    assert late_us <= SAFE_US, f"an output is on {late_us:.1f} us after a press"


@asserted("panic at any time")
def _panic_at_any_time(program: Program) -> None:
    bench = bench_with(program)
    for since_us in (0, FAST_TRAIN.on_us):
        for phase in range(-800, 400, 5):
            bench.open()
            bench.order(Set("light", True), FAST_TRAIN)
            pressed(bench, bench.next_flash(FAST_TRAIN.period_us) + cycles(since_us) + phase)


@asserted("panic in a tone")
def _panic_in_a_tone(program: Program) -> None:
    bench = bench_with(program)
    for phase in range(0, 1_600, 20):
        bench.open()
        bench.order(Tone("speaker", 10_000, 500_000))
        bench.run(cycles(2_000))
        pressed(bench, bench.chip.cycle + phase)


STAMP_CYCLES = cycles(50)


@asserted("panic at a wrap")
def _panic_at_a_wrap(program: Program) -> None:
    bench = bench_with(program)
    for phase in range(-160, 80, 2):
        bench.open()
        zero, lap = bench.chip.timer("1")
        at = zero + lap + phase
        if at - bench.chip.cycle < CYCLES_PER_MS:
            at += lap
        stamp = pressed(bench, at)[-1]
        late = bench.zero + stamp * TICK_CYCLES - at
        assert abs(late) <= STAMP_CYCLES, f"the stamp of a panic is {late / CYCLES_PER_US:.1f} us late"


GLITCH_CYCLES, GLITCHES, GLITCH_EVERY_US = 8, 60, 60
"""So short that the panic input is idle again when its interrupt reads it."""


@asserted("panic by a flood")
def _panic_by_a_flood(program: Program) -> None:
    bench = bench_with(program)
    bench.open()
    changes = []
    for place in range(GLITCHES):
        began = cycles(GLITCH_EVERY_US * (place + 1))
        changes += [Change(began, "panic", 1), Change(began + GLITCH_CYCLES, "panic", 0)]
    bench.play(changes, bench.chip.cycle)
    bench.run(10 * CYCLES_PER_MS)
    assert wire.PANIC.code in [message[0] for message in bench.answers], "a flood of the panic input is no panic"


HANG_MS = 150
"""The watchdog waits for 125 ms."""


@asserted("a hang")
def _hang(program: Program) -> None:
    bench = bench_with(program)
    bench.open()
    bench.order(Set("light", True))
    began = bench.chip.cycle
    bench.chip.hang(interrupts=True)
    bench.run(2 * HANG_MS * CYCLES_PER_MS)
    assert (bench.last_on() - began) / CYCLES_PER_MS <= HANG_MS, "a program that hangs leaves an output on"
    assert bench.hello().reset == "watchdog"


@asserted("at rest")
def _at_rest(program: Program) -> None:
    bench = bench_with(program)
    bench.open()
    bench.run(5 * HANG_MS * CYCLES_PER_MS)
    assert bench.resets == 0, "a board to which nothing happens is reset"


@asserted("resets")
def _resets(program: Program) -> None:
    bench = bench_with(program)
    first = bench.hello()
    told = []
    for cause in (ResetCause.BUTTON, ResetCause.POWER, ResetCause.BUTTON, ResetCause.POWER, ResetCause.POWER):
        bench.chip.reset(cause)
        bench.run(BOOT_CYCLES)
        hello = bench.hello()
        assert hello.opened.uid == first.opened.uid, "a board has another id after a reset"
        told.append((hello.power_ons - first.power_ons, hello.reset))
    assert told == [(0, "button"), (1, "power"), (1, "button"), (2, "power"), (3, "power")]


@asserted("panic in a hang")
def _panic_in_a_hang(program: Program) -> None:
    bench = bench_with(program)
    for at_us in range(100, 1_100, 40):
        bench.open()
        bench.order(Set("light", True), FAST_TRAIN, Tone("speaker", 10_000, 500_000))
        bench.run(cycles(2_000))
        bench.chip.hang(interrupts=True)  # no main loop helps the interrupts
        at = bench.chip.cycle + cycles(at_us)
        bench.play([Change(0, "panic", 1), Change(cycles(PRESSED_US), "panic", 0)], at)
        bench.run(20 * CYCLES_PER_MS)
        late_us = (bench.last_on() - at) / CYCLES_PER_US
        assert late_us <= SAFE_US, f"an output is on {late_us:.1f} us after a press"
        bench.run(HANG_MS * CYCLES_PER_MS)  # the watchdog


TONE_US = 200_000


@asserted("tones")
def _tones(program: Program) -> None:
    bench = bench_with(program)
    bench.open()
    for hz in (50, 440, 7_000):
        known = len(bench.levels)
        bench.order(Tone("speaker", hz, TONE_US))
        bench.run(cycles(TONE_US + 30_000))
        pin = bench.pins["speaker"]
        rises = [cycle for cycle, which, level in bench.levels[known:] if which == pin and level]
        heard = 16e6 * (len(rises) - 1) / (rises[-1] - rises[0]) if len(rises) > 1 else 0
        assert abs(heard / hz - 1) <= 1e-3, f"a tone of {hz} Hz has {heard:.1f} Hz"


ANSWER_US, BUSY_ANSWER_US = 2_000, 10_000
FAST_TRAINS = [Train(name, 20, 40, 60_000) for name in ("light", "lamp", "flash", "laser")]
"""More than the scheduler can execute: it is always busy."""


def assert_answers_in_time(bench: NoiseBench, bound_us: int) -> None:
    for number in range(1, 20):
        bench.run(cycles(7_300))
        began = bench.chip.cycle
        bench.ask(wire.EVENT_ACK.pack(bench.heard, number), wire.KEEPALIVE_ACK)
        took_us = (bench.chip.cycle - began) / CYCLES_PER_US
        assert took_us <= bound_us, f"an answer takes {took_us:.0f} us"


@asserted("answers")
def _answers(program: Program) -> None:
    bench = bench_with(program)
    bench.open()
    assert_answers_in_time(bench, ANSWER_US)


@asserted("answers while busy")
def _answers_while_busy(program: Program) -> None:
    bench = bench_with(program)
    bench.open()
    for train in FAST_TRAINS:
        bench.order(train)
    assert_answers_in_time(bench, BUSY_ANSWER_US)


BYTES_LOST = 60
"""Of 18,600 in all storms: the firmware loses 30; 179 if an interrupt of its pins does not look after the line."""


@asserted("the line in storms")
def _line_in_storms(program: Program) -> None:
    lost = 0
    for storm in STORMS.values():
        bench = bench_with(program)
        bench.busy(storm)
        for _ in range(100):
            bench.send(b"\0" + b"\1" * 30)
            bench.run(CYCLES_PER_MS // 3)
        lost += bench.overruns
    assert lost <= BYTES_LOST, f"{lost} bytes are lost in the storms"


SHORT_LATE_US = 30


@asserted("short pulses")
def _short_pulses(program: Program) -> None:
    bench = bench_with(program)
    bench.open()
    for us in range(1, 80):
        known = len(bench.levels)
        bench.order(Pulse("light", us))
        bench.run(cycles(1_000))
        (on, off) = [cycle for cycle, _, _ in bench.levels[known:]]
        lasted_us = (off - on) / CYCLES_PER_US
        assert lasted_us <= us + SHORT_LATE_US, f"a pulse of {us} us lasts {lasted_us:.1f} us"


def messages(bench: NoiseBench, known: int, code: int) -> list[tuple[Any, ...]]:
    """Return the fields of the messages of one kind behind those that are known."""
    return [message[1:] for message in bench.answers[known:] if message[0] == code]


ANSWER = Arm(1, None, (("plain", 1, Pulse("light", 200)),))
EDGE_US, LOCKED_US = 3_000, 6_000
"""How long ``plain`` is on, and a time after which its next edge is not locked out."""


def edge_during(bench: NoiseBench, order: Order, after: int) -> tuple[int, int, int]:
    """Switch ``plain`` on so many cycles after a batch was begun to be sent.

    Return the group that it fired, its stamp, and the number of answers before.
    """
    known = len(bench.answers)
    edge = [Change(0, "plain", 1), Change(cycles(EDGE_US), "plain", 0)]
    bench.play(edge, bench.chip.cycle + after)
    bench.order(order)
    bench.run(cycles(EDGE_US + LOCKED_US))
    plain = INPUTS.index("plain") | wire.LEVEL
    ((_, _, fired, stamp),) = {edge for edge in messages(bench, known, wire.EDGE.code) if edge[1] == plain}
    return fired, stamp, known


@asserted("an edge at an arm")
def _edge_at_an_arm(program: Program) -> None:
    bench = bench_with(program)
    bench.open()
    for after_us in range(100, 1_500, 2):
        fired, _, known = edge_during(bench, ANSWER, cycles(after_us))
        refused = messages(bench, known, wire.REFUSED.code)
        assert fired or refused, f"an edge {after_us} us after an order to arm neither fires nor refuses it"
        bench.order(Disarm(1))


@asserted("an edge at a disarm")
def _edge_at_a_disarm(program: Program) -> None:
    bench = bench_with(program)
    bench.open()
    for train in FAST_TRAINS[1:]:  # the scheduler is busy, so it leaves the edge to the main loop
        bench.order(train)
    for after_us in range(200, 6_000, 7):
        bench.order(ANSWER)
        fired, stamp, known = edge_during(bench, Disarm(1), cycles(after_us))
        executed = messages(bench, known, wire.ACK.code)[0][-1]
        assert fired or stamp >= executed, f"an edge {(executed - stamp) / 2} us before an order fires nothing"


INNOCENT_US = 6_000


@asserted("one floods")
def _one_floods(program: Program) -> None:
    bench = bench_with(program)
    for at_us in range(500, 12_000, 130):
        poke = Poke("right", at_us, POKE_US)
        record = bench.perform(signal("one floods", square("left", 12_000, 30_000), pokes=[poke]))
        began = record.driven["right"][0][0]
        late = min((spell.began - began for spell in record.spells["other_valve"]), default=record.ended - began)
        late_us = late / CYCLES_PER_US
        assert late_us <= INNOCENT_US, (
            f"a poke {at_us} us after the beginning of a flood is answered {late_us:.0f} us late"
        )


STAMPED_LATE_US = {"uno": 50, "pico": 5}


@asserted("stamps while busy")
def _stamps_while_busy(program: Program) -> None:
    bench = bench_with(program)
    bench.open()
    for train in FAST_TRAINS:
        bench.order(train)
    for phase in range(0, cycles(100), 13):
        known = len(bench.answers)
        edge = [Change(0, "plain", 1), Change(cycles(EDGE_US), "plain", 0)]
        bench.play(edge, bench.chip.cycle + cycles(1_000) + phase)
        bench.run(cycles(EDGE_US + LOCKED_US))
        plain = INPUTS.index("plain") | wire.LEVEL
        (stamp,) = {edge[-1] for edge in messages(bench, known, wire.EDGE.code) if edge[1] == plain}
        late_us = (bench.zero + stamp * TICK_CYCLES - bench.chip.played[0]) / CYCLES_PER_US
        assert late_us <= STAMPED_LATE_US[program.kind], f"an edge is stamped {late_us:.1f} us late"


AT_ONCE_US = 1_000
BEFORE_US, BEHIND_US = 40, 10
"""How long before the execution of a batch its edges begin, and how long behind it they end."""


@asserted("an edge at an order")
def _edge_at_an_order(program: Program) -> None:
    bench = bench_with(program)
    bench.open()
    known, began = len(bench.answers), bench.chip.cycle
    bench.order(Set("lamp", False))
    executed = bench.zero + messages(bench, known, wire.ACK.code)[0][-1] * TICK_CYCLES - began
    for phase in range(-cycles(BEFORE_US), cycles(BEHIND_US), 5):
        bench.order(ANSWER)
        before = len(bench.levels)
        edge_during(bench, Set("lamp", False), executed + phase)
        rises = [cycle for cycle, pin, level in bench.levels[before:] if pin == bench.pins["light"] and level]
        late_us = (min(rises, default=bench.chip.cycle) - bench.chip.played[0]) / CYCLES_PER_US
        assert late_us < AT_ONCE_US, f"an edge {phase / CYCLES_PER_US} us after an order fires {late_us:.0f} us late"


@asserted("edges at a wrap")
def _edges_at_a_wrap(program: Program) -> None:
    bench = bench_with(program)
    bench.open()
    late_us = max(edges_at_a_wrap(bench, range(-160, 640, 20)))
    assert late_us < AT_ONCE_US, f"an edge at a wrap of the timer fires {late_us:.0f} us late"


SIGNALS: dict[str, Callable[[], Iterable[Signal]]] = {
    signals.__name__: signals
    for signals in (pairs, almost_confirmed, bursts, floods, storms, short_storms, quiet_changes, crowds, pokes)
}


def judge_called(name: str) -> Judge:
    """Return a check by its name, or the judge of a law under signals: ``CONFIRMED, floods``."""
    if name in CHECKS:
        return CHECKS[name]
    law, _, signals = name.partition(", ")
    return breaks(Law[law], SIGNALS[signals])
