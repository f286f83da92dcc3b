"""The depth of the stack that is computed from a program is what it takes on a chip."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.boards.chips import AVRS
from sim_hardware.avr.chip import AvrChip
from sim_hardware.avr.disassembly import Disassembly
from sim_hardware.avr.memory_usage import MemoryUsage
from sim_hardware.avr.stack_depth import StackDepth, StackError, Table, main, stack_depth
from tests.avr_tools import compile_program

Programs = Callable[[str, str], Path]
KINDS = pytest.mark.parametrize("kind", AVRS)
RUNS_CYCLES = 400_000
LOCK = ("0x1e", "0")
"""The bit of GPIOR0 that ``gate.c`` uses."""
MOST_OF_BOTH_FRAMES = 60 + 70


def computed(elf: Path, kind: str, table: Table | None = None) -> StackDepth:
    return stack_depth(Disassembly.of(elf, kind), kind, table)


def measured(elf: Path, kind: str) -> int:
    """Run a program for 25 ms, and count the bytes of its stack that were written."""
    chip = AvrChip(kind, elf, seed=1)
    usage = MemoryUsage(chip, kind, elf)
    chip.run(RUNS_CYCLES)
    memory = usage.memory()
    return memory.ram_room - memory.ram - memory.untouched


def small_program(body: str, tmp_path: Path) -> Path:
    """Compile a program of a few lines."""
    includes = "".join(f"#include <{name}.h>\n" for name in ("avr/interrupt", "avr/io", "string"))
    source = tmp_path / "program.c"
    source.write_text(f"{includes}{body}\n", encoding="utf-8")
    return compile_program(source, tmp_path)


@KINDS
@pytest.mark.parametrize("name", ["frame", "tail_call", "switch"])
def test_the_computed_depth_is_the_measured_one(programs: Programs, name: str, kind: str) -> None:
    elf = programs(name, AVRS[kind].mcu)
    assert computed(elf, kind).worst.bytes == measured(elf, kind)


@KINDS
def test_functions_may_share_their_prologues(kind: str, tmp_path: Path) -> None:
    elf = compile_program(Path(__file__).with_name("frame.c"), tmp_path, AVRS[kind].mcu, "-mcall-prologues")
    assert Disassembly.of(elf, kind).entries("__prologue_saves__")
    assert computed(elf, kind).worst.bytes == measured(elf, kind)


@pytest.mark.parametrize("name", ["echo", "follow", "flags", "ready", "tone", "watchdog"])
def test_no_program_takes_more_than_its_computed_depth(programs: Programs, name: str) -> None:
    elf = programs(name, AVRS["uno"].mcu)
    assert computed(elf, "uno").worst.bytes >= measured(elf, "uno") >= 2


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ('asm volatile("1: push r1 \\n\\t rjmp 1b");', "goes on pushing in a loop"),
        ('asm volatile("push r1 \\n\\t ret");', "returns with 1 bytes on its stack"),
        ('asm volatile("out 0x3d, r24" ::: "r24");', "stack pointer is set .* from a value that is not known"),
        ('char bytes[PINB]; asm volatile("" :: "r"(bytes));', "stack pointer is set .* from a value that is not known"),
    ],
    ids=["loop", "return", "unknown", "alloca"],
)
def test_what_cannot_be_followed_is_an_error(body: str, complaint: str, tmp_path: Path) -> None:
    elf = small_program(f"int main(void) {{ {body} for (;;) {{}} }}", tmp_path)
    with pytest.raises(StackError, match=complaint):
        computed(elf, "uno")


def test_a_weak_function_that_is_not_there_takes_nothing(tmp_path: Path) -> None:
    body = "void more(void) __attribute__((weak));\nint main(void) { for (;;) if (more) more(); }"
    assert computed(small_program(body, tmp_path), "uno").worst.bytes < 10


def test_a_tail_call_does_not_add_to_its_caller(programs: Programs) -> None:
    assert 60 < computed(programs("tail_call", AVRS["uno"].mcu), "uno").worst.bytes < 80


def test_the_path_to_the_deepest_point_is_named(programs: Programs) -> None:
    assert computed(programs("frame", AVRS["uno"].mcu), "uno").worst.path[:3] == ("reset", "main", "inner")


@KINDS
def test_recursion_is_an_error_that_names_the_cycle(programs: Programs, kind: str) -> None:
    with pytest.raises(StackError, match="recursion: even > odd > even"):
        computed(programs("recursion", AVRS[kind].mcu), kind)


@KINDS
def test_a_pointer_is_refused_unless_the_table_resolves_it(programs: Programs, kind: str) -> None:
    elf = programs("pointer", AVRS[kind].mcu)
    with pytest.raises(StackError, match="main calls a pointer at 0x"):
        computed(elf, kind)
    small = computed(elf, kind, Table(pointers={"main": ("small",)})).worst.bytes
    large = computed(elf, kind, Table(pointers={"main": ("small", "large")})).worst.bytes
    assert small < 70 < large


@KINDS
def test_an_interrupt_that_enables_interrupts_without_a_lock_is_refused(programs: Programs, kind: str) -> None:
    with pytest.raises(StackError, match="TIMER1_COMPA_vect enables interrupts without setting the lock"):
        computed(programs("nested", AVRS[kind].mcu), kind)


@KINDS
def test_what_runs_with_the_lock_set_is_counted_once(programs: Programs, kind: str) -> None:
    elf = programs("gate", AVRS[kind].mcu)
    with pytest.raises(StackError, match="gate > work enables interrupts"):
        computed(elf, kind)
    found = computed(elf, kind, Table(LOCK))
    assert found.worst.path.count("work") == 1
    assert found.interrupts.keys() == {"TIMER0_COMPA_vect", "TIMER1_COMPA_vect"}
    assert measured(elf, kind) <= found.worst.bytes


@KINDS
def test_an_interrupt_of_code_that_holds_the_lock_goes_no_further_than_its_test(programs: Programs, kind: str) -> None:
    found = computed(programs("gate", AVRS[kind].mcu), kind, Table(LOCK))
    assert 70 < found.main.bytes < 100
    # Either `undisturbed` or `work`, and an interrupt that finds the lock set: less than both frames.
    assert found.main.bytes < found.worst.bytes < MOST_OF_BOTH_FRAMES


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("ISR(TIMER0_OVF_vect) { GPIOR0 &= ~1; } int main(void) { for (;;) {} }", "TIMER0_OVF_vect clears a lock"),
        ("int main(void) { GPIOR0 = PINB; for (;;) {} }", "main writes the lock's register"),
        ("int main(void) { *(volatile char *)0x3e = 2; for (;;) {} }", "main writes the lock's register"),
        ('int main(void) { asm volatile("sts 0x3e, r24"); for (;;) {} }', "main writes the lock's register"),
    ],
    ids=["clears", "out", "pointer", "sts"],
)
def test_a_lock_that_is_not_kept_is_an_error(body: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(StackError, match=complaint):
        computed(small_program(body, tmp_path), "uno", Table(LOCK))


def test_a_lock_counts_only_where_all_paths_have_set_it(tmp_path: Path) -> None:
    parts = """
    void __attribute__((noinline)) fill(char *bytes, char count) { memset(bytes, PINB | 1, count); }
    void __attribute__((noinline)) less(void) { char bytes[50]; fill(bytes, sizeof bytes); }
    ISR(TIMER0_OVF_vect) { if (!(GPIOR0 & 1)) less(); }
    void __attribute__((noinline)) deep(void) { char bytes[90]; fill(bytes, sizeof bytes); }
    int main(void) { sei(); for (;;) { SET deep(); GPIOR0 &= ~1; } }"""
    depths = [
        computed(small_program(parts.replace("SET", words), tmp_path), "uno", Table(LOCK)).worst.bytes
        for words in ("GPIOR0 |= 1;", "if (PINB) GPIOR0 |= 1;")
    ]
    assert depths[1] - depths[0] >= 50


def test_a_table_that_names_what_is_not_there_is_an_error(programs: Programs) -> None:
    elf = programs("pointer", AVRS["uno"].mcu)
    with pytest.raises(StackError, match="there is no function larger"):
        computed(elf, "uno", Table(pointers={"main": ("small", "larger")}))


def test_the_command_prints_the_depth_and_the_room(programs: Programs, capsys: pytest.CaptureFixture[str]) -> None:
    elf = programs("gate", AVRS["uno"].mcu)
    assert main(["uno", str(elf), "--lock", "0x1e,0"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("uno: stack ")
    assert " of 2047 bytes: reset > main > " in printed[0]
    assert [line.split()[0] for line in printed[1:]] == ["main", "TIMER1_COMPA_vect", "TIMER0_COMPA_vect"]
    assert main(["uno", str(elf)]) == 2
    assert "gate > work enables interrupts" in capsys.readouterr().err


def test_the_command_takes_what_pointers_lead_to(programs: Programs, capsys: pytest.CaptureFixture[str]) -> None:
    elf = programs("pointer", AVRS["uno"].mcu)
    assert main(["uno", str(elf), "--pointers", "main=small,large"]) == 0
    assert "reset > main > large" in capsys.readouterr().out
