"""Faults to build into copies of the firmware, each with the judge that must notice it."""

import re
import shutil
from pathlib import Path
from typing import NamedTuple

from tests.contracts import firmware_judges as judges
from tests.contracts.firmware_judges import Judge
from tests.contracts.noise_laws import Law
from tests.firmware.tools import FIRMWARE, make


class Fault(NamedTuple):
    """A function of the firmware, a pattern that matches in it, the wrong text for each match, and the judge."""

    where: str
    """A file and a function of it, or an interrupt. Without a function, the whole file."""

    pattern: str
    wrong: str
    judge: Judge = judges.SCRIPTS
    places: int = 1
    """The number of matches in it."""


_FUNCTION = r"^[^\n#/;{{}}]*\b{}\([^;{{}}]*\) "
_INTERRUPT = r"^ISR\({}\b[^)]*\) "
_BODY = r"\{(?:[^\n]*\}$|.*?^\}$)"


def with_fault(sources: Path, fault: Fault) -> tuple[Path, str]:
    """Return the file of a fault, and its text with the fault in it."""
    name, _, function = fault.where.partition(":")
    file = sources / name
    text = file.read_text(encoding="utf-8")
    head = (_INTERRUPT if function.endswith("_vect") else _FUNCTION).format(function)
    definitions = re.findall(head + _BODY, text, re.M | re.S) if function else [text]
    assert len(definitions) == 1, f"{name} has {len(definitions)} functions called {function}"
    changed, matches = re.subn(fault.pattern, fault.wrong, definitions[0])
    assert matches == fault.places, f"{fault.where} has {matches} places like {fault.pattern}, not {fault.places}"
    return file, text.replace(definitions[0], changed)


def built(fault: Fault, folder: Path) -> Path:
    """Build the firmware of an Uno with a fault in it; return the program."""
    sources = folder / "firmware"
    shutil.copytree(FIRMWARE, sources, ignore=shutil.ignore_patterns("build"))
    file, text = with_fault(sources, fault)
    file.write_text(text, encoding="utf-8")
    makefile = sources / "Makefile"
    makefile.write_text(makefile.read_text(encoding="utf-8").replace("-Werror", ""), encoding="utf-8")
    make("uno", folder / "build", sources)
    return folder / "build" / "uno.elf"


LEFT_ON = "= orders::executed; lease_runs = false; new_epoch()"
"""The end of an epoch without that of its outputs."""

FAULTS = {
    # --- inputs ---
    "no debounce": Fault("core/inputs.cpp:configure", r"debounce = [^;]+", "debounce = 0"),
    "no confirmation": Fault("core/inputs.cpp:configure", r"confirm_on = [^;]+", "confirm_on = 0"),
    "no inverted input": Fault("core/inputs.cpp:configure", r"inverted = [^;]+", "inverted = 0"),
    "a time that runs ahead": Fault("core/inputs.cpp:horizon", r"return \w+ - 1", "return now + 2 * ticks::PER_MS"),
    "a confirmation that counts although the port's flag was set": Fault(
        "core/inputs.cpp:handle_snapshot",
        r"port\.silent_since = ",
        "if ((snapshot.levels[index] ^ port.known) & port.heard) port.silent_since = ",
        judges.breaks(Law.CONFIRMED, judges.pairs),
    ),
    "a confirmation while the pin is muted": Fault(
        "core/scheduler.cpp:take_snapshot",
        r"if \(is_muted\) floods::note\(\);",
        "",
        judges.breaks(Law.CONFIRMED, judges.floods),
    ),
    "a level that is not read again when it counts again": Fault(
        "core/inputs.cpp:unmute",
        r"bool level = begin\(input\.pin, input\);",
        "begin(input.pin, input); bool level = input.pin_on;",
        judges.breaks(Law.ANSWERED, judges.pokes),
    ),
    # --- snapshots ---
    "a merged snapshot with its first time": Fault(
        "core/snapshots.cpp:record",
        r"snapshot\.at = at;",
        "if (has_room) snapshot.at = at;",
        judges.breaks(Law.REPORTED, judges.bursts),
    ),
    "a merged snapshot without the flags before": Fault(
        "core/snapshots.cpp:record",
        r"snapshot\.flags \| flags \| LOST",
        "flags | LOST",
        judges.breaks(Law.ANSWERED, judges.bursts),
    ),
    "a merged snapshot that is not marked": Fault(
        "core/snapshots.cpp:record",
        r"snapshot\.flags \| flags \| LOST",
        "snapshot.flags | flags",
        judges.breaks(Law.CONFIRMED, judges.bursts),
    ),
    "stamps that are believed to be exact": Fault(
        "targets/avr/target.h",
        r"STAMP_LAG = \d+",
        "STAMP_LAG = 0",
        judges.breaks(Law.CONFIRMED, judges.almost_confirmed),
    ),
    "ports that are read before their flags are cleared": Fault(
        "targets/avr/port_snapshots.cpp:on_change",
        r"take_flags\(flags\);((?s:.*?)snapshots::record\([^;]*;)",
        r"flags | PCIFR;\1 PCIFR = 7;",
        judges.breaks(Law.CONFIRMED, judges.pairs),
    ),
    "an interrupt without its own flag": Fault(
        "targets/avr/port_snapshots.cpp:on_interrupt",
        r"ENTRY, flag",
        "ENTRY, 0",
        judges.breaks(Law.ANSWERED, judges.pokes),
    ),
    "the interrupt of one port with the flag of another": Fault(
        "targets/avr/port_snapshots.cpp",
        r"on_interrupt\(hal::FLAG_C\)",
        "on_interrupt(hal::FLAG_D)",
        judges.breaks(Law.ANSWERED, judges.pokes),
    ),
    "an interrupt of pins that does not run the scheduler": Fault(
        "targets/avr/port_snapshots.cpp:on_interrupt",
        r"run_scheduler\(\);",
        "",
    ),
    # --- the timer ---
    "ends that wait for the scheduler": Fault(
        "core/timer_queue.cpp", r"make_change\(id\)", "void()", judges.breaks(Law.ENDED, judges.short_storms)
    ),
    "ends that wait for an entry of the scheduler before them": Fault(
        "core/timer_queue.cpp:make_changes",
        r"(if \(ticks::before)",
        r"if (id >= limits::CHANNELS || !has_change(id)) return hal::now() + ticks::HORIZON;\n    \1",
        judges.breaks(Law.ENDED, judges.short_storms),
    ),
    "an end that is set after its entry": Fault(
        "core/outputs.cpp:begin_for",
        r"(if \(ends\) [^;]*;)\s*(timer_queue::set_after[^;]*;)",
        r"\2 \1",
        judges.SHORT_PULSES,
    ),
    "interrupts of pins that do not look after the timer": Fault(
        "targets/avr/port_snapshots.cpp:on_change",
        r"poll_timer\(\);",
        "",
        judges.breaks(Law.ENDED, judges.short_storms),
    ),
    "interrupts of pins that do not look after the line": Fault(
        "targets/avr/port_snapshots.cpp:on_change", r"poll_receiver\(\);", "", judges.LINE_IN_STORMS
    ),
    "a timer that is not set for a new entry": Fault("core/timer_queue.cpp:insert", r"hal::wake_by\([^;]*\);", ""),
    "entries of one time in reverse": Fault(
        "core/timer_queue.cpp:insert", r"!ticks::before\(due, (due_times\[behind\])\)", r"ticks::before(\1, due)"
    ),
    "a match that leaves the pins alone": Fault(
        "targets/avr/clock.cpp:TIMER1_COMPA_vect", r"run_timer\(\);", "", judges.breaks(Law.ENDED, judges.short_storms)
    ),
    "a match that does not run the scheduler": Fault(
        "targets/avr/clock.cpp:TIMER1_COMPA_vect", r"run_scheduler\(\);", ""
    ),
    "a wrap that does not set the timer": Fault("targets/avr/clock.cpp:TIMER1_OVF_vect", r"hal::run_timer\(\);", ""),
    "a wrap that is not counted": Fault(
        "targets/avr/clock.cpp:TIMER1_OVF_vect",
        r"hal::count_wrap\(\);",
        "",
        judges.breaks(Law.CLOCK, judges.pokes),
    ),
    "a wrap that is counted twice": Fault(
        "targets/avr/clock.cpp:poll_timer",
        r"TIFR1 = _BV\(TOV1\);",
        "",
        judges.breaks(Law.CLOCK, judges.storms),
    ),
    "a time without the wrap that is not counted yet": Fault(
        "targets/avr/clock.cpp:now", r"if \(\(TIFR1[^;]*high\+\+;", "", judges.PANIC_AT_A_WRAP
    ),
    "a wrap of the timer that forgets an edge": Fault(
        "targets/avr/clock.cpp", r"(?<=run_timer\(\);)\s*hal::run_scheduler\(\);[^\n]*", "", judges.EDGES_AT_A_WRAP
    ),
    "a clock that must not wrap": Fault("core/ticks.h:before", r"return [^;]+", "return a < b"),
    # --- floods ---
    "floods that are never muted": Fault(
        "core/snapshots.cpp", r"if \(\+\+total <= MOST\) ", "", judges.breaks(Law.NAMED, judges.storms)
    ),
    "floods of one port that mute another one": Fault(
        "core/snapshots.cpp:stop_flood", r"if \(changes\[other[^;]*;", "", judges.breaks(Law.NAMED, judges.storms)
    ),
    "ports that may all change as often as one": Fault(
        "core/snapshots.cpp:record",
        r"if \(\+\+total <= MOST\)",
        "if (++total <= limits::INPUT_PORTS * MOST)",
        judges.breaks(Law.ANSWERED, judges.crowds),
    ),
    "inputs that are muted too soon": Fault(
        "core/snapshots.cpp",
        r"if \([^;\n]*\) >= WINDOW\) [^;]*;",
        "",
        judges.breaks(Law.UNMUTED, judges.quiet_changes),
    ),
    "a panic input that is muted": Fault(
        "core/snapshots.cpp", r"if \(index == panic_pin[^;]*;", "", judges.PANIC_IN_STORMS
    ),
    "a flood of the panic input that is no panic": Fault(
        "core/snapshots.cpp", r"if \(!pins[^;]*hal::panic\(at\);", "", judges.PANIC_BY_A_FLOOD
    ),
    "floods that are not named": Fault(
        "core/floods.cpp", r"if \(!events::flood\(channel, snap[^;]*;", "", judges.breaks(Law.NAMED, judges.storms)
    ),
    "floods of another input": Fault(
        "core/floods.cpp", r"flood\(channel, s", "flood(channel ^ 1, s", judges.breaks(Law.NAMED, judges.storms)
    ),
    "floods without an end": Fault(
        "core/floods.cpp:end", r"!events::flood\([^;{]*\)\)", "true)", judges.breaks(Law.QUIET, judges.storms)
    ),
    "ends of floods that are not named": Fault(
        "core/floods.cpp:end", r"!tell(?s:.*?)\{", "false) {", judges.breaks(Law.QUIET, judges.storms)
    ),
    "muted pins that are never probed": Fault(
        "core/floods.cpp:on_due", r"snapshots::\w*probe\(pin\);(?=\s*\})", "", judges.breaks(Law.QUIET, judges.storms)
    ),
    "muted pins of a port that wait although another one floods": Fault(
        "core/snapshots.cpp:stop_flood", r"uint8_t pins = of[^;]*", "uint8_t pins = port.watched", judges.ONE_FLOODS
    ),
    # --- the panic input ---
    "an interrupt that does not look at the panic input": Fault(
        "targets/avr/port_snapshots.cpp:on_change", r"check_panic_input\(at\);", "", judges.PANIC_IN_STORMS
    ),
    "a look at the pins that leaves out the panic input": Fault(
        "targets/avr/port_snapshots.cpp:poll", r"check_panic_input\(at\);", "", judges.PANIC_AT_ANY_TIME
    ),
    "a panic that a tone outlasts": Fault(
        "targets/avr/panic.cpp:panic", r"stop_tones\(\);", "", judges.PANIC_IN_A_TONE
    ),
    "outputs that go on after a panic": Fault(
        "targets/avr/pins.cpp:drive", r"if \(is_set\(PANICKED\)\) return;", "", judges.PANIC_AT_ANY_TIME
    ),
    # --- tones ---
    "a match of a tone that is not moved": Fault(
        "targets/avr/tones.cpp:TIMER1_COMPB_vect", r"OCR1B = end_step", "end_step", judges.TONES
    ),
    "a tone of whole ticks": Fault(
        "targets/avr/tones.cpp:end_step", r" \+ \(voice\.fraction_sum[^;]*", "", judges.TONES
    ),
    # --- the line ---
    "bytes that are not kept": Fault(
        "targets/avr/serial.cpp:RECEIVED_vect", r"hal::keep_byte\(\)", "uint8_t byte = UDR0; (void)byte", judges.ANSWERS
    ),
    "a main loop that sleeps on although a frame has come": Fault(
        "targets/avr/serial.cpp:has_received", r"if \(frames_received[^;]*;", "", judges.ANSWERS
    ),
    "a last byte that is not sent": Fault(
        "targets/avr/serial.cpp:EMPTY_vect",
        r"tail == sending_head",
        "((tail + 1) & SEND_MASK) == sending_head",
        judges.ANSWERS,
    ),
    # --- the watchdog ---
    "a watchdog that is not restarted": Fault(
        "targets/avr/boot.cpp:kick_watchdog", r"wdt_reset\(\);", "", judges.breaks(Law.RUNNING, judges.pokes)
    ),
    "a watchdog that leaves the outputs on": Fault(
        "targets/avr/boot.cpp:WDT_vect", r"hal::set_safe_levels\(\);", "", judges.HANG
    ),
    "a watchdog that leaves no mark": Fault(
        "targets/avr/boot.cpp:WDT_vect", r"hal::memory\.mark = [^;]*;", "", judges.HANG
    ),
    # --- reflexes ---
    "groups without end": Fault("core/reflexes.cpp:in_time", r"!\w+\.bounded", "true"),
    "arming over newer edges": Fault("core/reflexes.cpp:arm", r"any_newer\([^)]*\)", "false", places=2),
    "arming over edges that come meanwhile": Fault(
        "core/reflexes.cpp:arm", r"any_newer\([^)]*\)(?=\) \{)", "false", judges.EDGE_AT_AN_ARM
    ),
    "a group that loses one member when it fires": Fault(
        "core/reflexes.cpp:fire", r"remove\(slot\);", "keys[member].edge = NO_EDGE;"
    ),
    "groups in no order": Fault("core/reflexes.cpp:first_member", r"group\.rank < [^)]*rank", "false"),
    # --- outputs ---
    "no limit": Fault("core/outputs.cpp:switch_to", r"if \(\w+\.dangerous\)", "if (false)"),
    "longer than allowed": Fault("core/outputs.cpp:reason_to_refuse", r"\w+\.dangerous", "false"),
    "no interlock": Fault("core/outputs.cpp:reason_to_refuse", r"return [^;?]+ \?", "return false ?"),
    "pulses that replace each other": Fault(
        "core/outputs.cpp:reason_to_refuse", r"if \(\w+\.order\) return [^;]+;", ""
    ),
    "trains one pulse short": Fault(
        "core/outputs.cpp:on_due", r"--train\.count\)", "train.count -= train.count > 1 ? 2 : 1)"
    ),
    # --- sequences ---
    "a start in the past": Fault("core/scheduler.cpp:start_at", r"return [^;?]+ \? [\w:]+ :", "return"),
    "sequences that do not stop": Fault("core/scheduler.cpp:perform", r"sequences::stop\([^;]*\);", ""),
    "a sequence that goes on after its action": Fault(
        "core/sequences.cpp:on_due", r"(schedule\(slot, entry \+ 1[^\n]*)((?s:.*?)scheduler::perform[^;]*;)", r"\2 \1"
    ),
    # --- batches ---
    "batches executed twice": Fault("core/orders.cpp:receive", r"== 1;", "<= 1;"),
    "batches of any epoch": Fault("core/board.cpp:on_batch", r"\w+\.epoch != \w+ \|\| ", ""),
    "orders of a batch in another order": Fault(
        "core/orders.cpp:execute", r"kind = PANIC; kind < NOTHING; kind\+\+", "kind = NOTHING; kind--;"
    ),
    "orders before what has happened": Fault(
        "core/orders.cpp:execute_locked", r"scheduler::catch_up\(\);", "", judges.EDGE_AT_A_DISARM
    ),
    # --- what ends everything ---
    "a lease too long": Fault("core/board.cpp:renew_lease", r"of_ms\((\w+)\)", r"of_ms(\1 + 10)"),
    "a lease that leaves the outputs on": Fault(
        "core/board.cpp:check_lease", r"= end_epoch\(\)", LEFT_ON, judges.LEASE_IN_STORMS
    ),
    "a scheduler that leaves the main loop no time": Fault(
        "core/scheduler.cpp:run", r"if \(--left == 0\) return false;", "", judges.ANSWERS_WHILE_BUSY
    ),
    "an all-off that leaves the outputs on": Fault(
        "core/board.cpp:on_all_off", r"= end_epoch\(\)", LEFT_ON, judges.ALL_OFF_IN_STORMS
    ),
}
