"""The depth of the stack that is computed from a program is what it takes on a chip."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.boards.chips import CHIPS
from sim_hardware.avr.chip import AvrChip
from sim_hardware.avr.disassembly import Disassembly
from sim_hardware.avr.memory_usage import MemoryUsage
from sim_hardware.avr.stack_depth import StackDepth, StackError, Table, main, stack_depth
from tests.avr_tools import compile_program

Programs = Callable[[str, str], Path]
KINDS = pytest.mark.parametrize("kind", CHIPS)
RUNS_CYCLES = 400_000


def computed(elf: Path, kind: str, table: Table | None = None) -> StackDepth:
    return stack_depth(Disassembly.of(elf, kind), kind, table)


def measured(elf: Path, kind: str) -> int:
    """Run a program for 25 ms, and count the bytes of its stack that were written."""
    chip = AvrChip(kind, elf, seed=1)
    usage = MemoryUsage(chip, kind, elf)
    chip.run(RUNS_CYCLES)
    memory = usage.memory()
    return memory.ram_room - memory.ram - memory.untouched


@KINDS
@pytest.mark.parametrize("name", ["frame", "tail_call", "switch"])
def test_the_computed_depth_is_the_measured_one(programs: Programs, name: str, kind: str) -> None:
    elf = programs(name, CHIPS[kind].mcu)
    assert computed(elf, kind).worst.bytes == measured(elf, kind)


@KINDS
def test_functions_may_share_their_prologues(kind: str, tmp_path: Path) -> None:
    elf = compile_program(Path(__file__).with_name("frame.c"), tmp_path, CHIPS[kind].mcu, "-mcall-prologues")
    assert Disassembly.of(elf, kind).entries("__prologue_saves__")
    assert computed(elf, kind).worst.bytes == measured(elf, kind)


@pytest.mark.parametrize("name", ["echo", "follow", "flags", "ready", "tone", "watchdog"])
def test_no_program_takes_more_than_its_computed_depth(programs: Programs, name: str) -> None:
    elf = programs(name, CHIPS["uno"].mcu)
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
    source = tmp_path / "program.c"
    source.write_text(f"#include <avr/io.h>\nint main(void) {{ {body} for (;;) {{}} }}\n", encoding="utf-8")
    elf = compile_program(source, tmp_path)
    with pytest.raises(StackError, match=complaint):
        computed(elf, "uno")


def test_a_weak_function_that_is_not_there_takes_nothing(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text("void more(void) __attribute__((weak));\nint main(void) { for (;;) if (more) more(); }\n")
    assert computed(compile_program(source, tmp_path), "uno").worst.bytes < 10


def test_a_tail_call_does_not_add_to_its_caller(programs: Programs) -> None:
    assert 60 < computed(programs("tail_call", CHIPS["uno"].mcu), "uno").worst.bytes < 80


def test_the_path_to_the_deepest_point_is_named(programs: Programs) -> None:
    assert computed(programs("frame", CHIPS["uno"].mcu), "uno").worst.path[:3] == ("reset", "main", "inner")


@KINDS
def test_recursion_is_an_error_that_names_the_cycle(programs: Programs, kind: str) -> None:
    with pytest.raises(StackError, match="recursion: even > odd > even"):
        computed(programs("recursion", CHIPS[kind].mcu), kind)


@KINDS
def test_a_pointer_is_refused_unless_the_table_resolves_it(programs: Programs, kind: str) -> None:
    elf = programs("pointer", CHIPS[kind].mcu)
    with pytest.raises(StackError, match="main calls a pointer at 0x"):
        computed(elf, kind)
    small = computed(elf, kind, Table(pointers={"main": ("small",)})).worst.bytes
    large = computed(elf, kind, Table(pointers={"main": ("small", "large")})).worst.bytes
    assert small < 70 < large


@KINDS
def test_an_interrupt_inside_another_adds_to_it(programs: Programs, kind: str) -> None:
    elf = programs("nested", CHIPS[kind].mcu)
    with pytest.raises(StackError, match="TIMER1_COMPA_vect enables interrupts"):
        computed(elf, kind)
    found = computed(elf, kind, Table(nests=frozenset({"TIMER1_COMPA_vect"})))
    assert found.worst.bytes == measured(elf, kind)
    assert found.worst.bytes > 20 + 30 + 40
    assert {"main", "TIMER0_COMPA_vect", "TIMER1_COMPA_vect"} <= set(found.worst.path)
    assert found.interrupts.keys() == {"TIMER0_COMPA_vect", "TIMER1_COMPA_vect"}


@KINDS
def test_what_is_exclusive_is_counted_once(programs: Programs, kind: str) -> None:
    elf = programs("gate", CHIPS[kind].mcu)
    with pytest.raises(StackError, match="gate > work enables interrupts"):
        computed(elf, kind)
    found = computed(elf, kind, Table(exclusive=frozenset({"gate"})))
    # No interrupt comes while `work` calls `fill`.
    assert 0 <= found.worst.bytes - measured(elf, kind) <= CHIPS[kind].address_bytes
    assert 60 < found.worst.bytes < 2 * 60
    assert found.worst.path.count("work") == 1


def test_a_table_that_names_what_is_not_there_is_an_error(programs: Programs) -> None:
    elf = programs("gate", CHIPS["uno"].mcu)
    with pytest.raises(StackError, match="there is no function gates"):
        computed(elf, "uno", Table(exclusive=frozenset({"gates"})))
    with pytest.raises(StackError, match="there is no interrupt INT9_vect"):
        computed(elf, "uno", Table(frozenset({"gate"}), frozenset({"INT9_vect"})))


def test_the_command_prints_the_depth_and_the_room(programs: Programs, capsys: pytest.CaptureFixture[str]) -> None:
    elf = programs("gate", CHIPS["uno"].mcu)
    assert main(["uno", str(elf), "--exclusive", "gate"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("uno: stack ")
    assert " of 2046 bytes: reset > main > " in printed[0]
    assert [line.split()[0] for line in printed[1:]] == ["main", "TIMER1_COMPA_vect", "TIMER0_COMPA_vect"]
    assert main(["uno", str(elf)]) == 2
    assert "gate > work enables interrupts" in capsys.readouterr().err
