"""Stack depth of a program for an AVR, computed from its instructions.

    python -m sim_hardware.avr.stack_depth uno firmware/build/uno.elf

From the reset and from every vector, all paths are followed through jumps and calls; what is pushed, what a frame takes
and what a call leaves on the stack are added up. What cannot be followed is an error, never a guess: recursion, a
pointer to a function that the table does not resolve, a stack pointer set from an unknown value, a function that
returns with something on its stack.

An interrupt comes when interrupts are enabled. Whether they are is followed too, so that the deepest path of ``main``
with interrupts disabled has no interrupt added.

A program may have a lock: a bit of an I/O register. An interrupt that finds it set returns early; one that finds it
clear may set it and enable interrupts. Whether the lock is certainly set is followed like the rest. Where it is,
``sbis`` always skips and ``sbic`` never does, so that an interrupt there goes no further than its test of the lock.
This holds because

- only ``sbi`` and ``cbi`` change the bit; ``out`` and ``sts`` to its register are errors, and stores through pointers
  are assumed to reach variables only;
- no interrupt that comes while the lock is set clears it, which is checked on all paths of every interrupt;
- no interrupt enables interrupts unless it has set the lock, which is checked too. So there are at most two interrupts
  on the stack: one that found the lock clear, and inside it one that found it set.

Where the lock may be clear, both ways of each test are followed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from rig.boards.chips import AVRS
from sim_hardware.avr.disassembly import Disassembly, Instruction
from sim_hardware.avr.memory_usage import static_ram

_MOST = 0x2000  # more than any of the chips has
_IO_START = 0x20  # the address in memory of the first I/O register
_SPL, _SPH, _SREG = "0x3d", "0x3e", "0x3f"
_HIGH = (("sbc", "r1"), ("sbci", "0x00"))  # r1 is 0
_SWITCH = "__tablejump2__"
_SAVES, _RESTORES = "__prologue_saves__", "__epilogue_restores__"  # what functions share with -mcall-prologues
_SKIPS = ("cpse", "sbrc", "sbrs", "sbic", "sbis")
# Instructions that read a register named first, and leave it as it is.
_READS = ("cp", "cpc", "cpi", "cpse", "tst", "push", "sbrc", "sbrs", "bst")
_CLOBBERED = (0, 1, *range(18, 28), 30, 31)  # the registers that a call may change
_PLACES = 32  # below it a place is a register, from it on a byte of the stack


class StackError(Exception):
    """The depth of the stack cannot be computed."""


class Interrupts(IntEnum):
    """Whether interrupts are enabled. Once they were, a saved status register may enable them again."""

    NEVER = 0
    DISABLED = 1
    ENABLED = 2


@dataclass(frozen=True)
class Table:
    """What the instructions do not say.

    ``lock`` is an I/O register and the bit of it that is the lock, as instructions name them. ``pointers`` resolves the
    pointers to functions that a function calls.
    """

    lock: tuple[str, ...] = ()
    pointers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Depth(NamedTuple):
    """Bytes on the stack, and the functions on the way there."""

    bytes: int
    path: tuple[str, ...]


class Routine(NamedTuple):
    """The deepest point of a routine; with interrupts enabled, the deepest with the lock (True) and without (False).

    ``leaves`` and ``locked`` are the state at its end. One that ends as interrupts do, with ``reti``, keeps all
    registers.
    """

    deepest: Depth
    open: Mapping[bool, Depth]
    leaves: Interrupts
    locked: bool
    keeps_registers: bool


class StackDepth(NamedTuple):
    """The deepest stack of a program, and of main and every interrupt by themselves."""

    worst: Depth
    main: Depth
    interrupts: dict[str, Depth]


class _State(NamedTuple):
    """What is known before an instruction; ``pairs`` are the registers that hold a stack pointer, as a depth."""

    depth: int
    interrupts: Interrupts
    pairs: frozenset[tuple[int, int]] = frozenset()
    low: tuple[int, int] | None = None
    """A pair from whose low byte something was subtracted, and what."""
    disabled: frozenset[int] = frozenset()
    """The places that hold a status register with interrupts disabled."""
    locked: bool = False
    """Whether the lock is certainly set."""

    def joined(self, other: _State) -> _State:
        low = self.low if self.low == other.low else None
        interrupts = max(self.interrupts, other.interrupts)
        depth, disabled = max(self.depth, other.depth), self.disabled & other.disabled
        return _State(depth, interrupts, self.pairs & other.pairs, low, disabled, self.locked and other.locked)

    def without(self, registers: Iterable[int]) -> _State:
        """Return what is known when these registers have changed."""
        pairs = frozenset((low, depth) for low, depth in self.pairs if not {low, low + 1} & set(registers))
        return self._replace(pairs=pairs, low=None, disabled=self.disabled - set(registers))


def stack_depth(program: Disassembly, kind: str, table: Table | None = None) -> StackDepth:
    """Return the deepest stack of a program for a kind of chip. Raises ``StackError``."""
    return _Program(program, AVRS[kind].address_bytes, table or Table()).depth()


class _Program:
    """A program, and the routines of it that have been followed."""

    def __init__(self, program: Disassembly, address_bytes: int, table: Table) -> None:
        self.program = program
        self.address_bytes = address_bytes
        self.table = table
        self._known: dict[tuple[int, Interrupts, bool], Routine] = {}
        self._under_way: list[int] = []

    def depth(self) -> StackDepth:
        vectors = self.program.interrupts()
        self._check_lock_writes()
        free = {name: self._interrupt(at, locked=False) for name, at in vectors.items()}
        locked = {name: self._interrupt(at, locked=True) for name, at in vectors.items()}
        self._check_nesting(free, locked)
        inner = _deepest([routine.deepest for routine in locked.values()])
        outer = _deepest([_nested(routine, {True: inner}) for routine in free.values()])
        main = self.routine(0, Interrupts.NEVER)
        worst = _nested(main, {True: inner, False: outer})
        return StackDepth(worst, main.deepest, {name: routine.deepest for name, routine in free.items()})

    def routine(self, entry: int, interrupts: Interrupts, *, locked: bool = False) -> Routine:
        """Return the depths of a routine that is entered with the lock set, or perhaps not set."""
        key = entry, interrupts, locked
        if key not in self._known:
            if entry in self._under_way:
                cycle = [*self._under_way[self._under_way.index(entry) :], entry]
                raise StackError(f"recursion: {' > '.join(self.program.name(each) for each in cycle)}")
            self._under_way.append(entry)
            self._known[key] = _Walk(self, entry).follow(_State(0, interrupts, locked=locked))
            self._under_way.pop()
        return self._known[key]

    def pointed(self, instruction: Instruction) -> list[int]:
        """Return what a call of a pointer, or a jump to it, may lead to."""
        caller = self.program.name(instruction.address)
        if caller not in self.table.pointers:
            what = f"{caller} calls a pointer at 0x{instruction.address:x}"
            raise StackError(f"{what}, and the table does not say to which functions")
        return [entry for name in self.table.pointers[caller] for entry in self._entries(name)]

    def _entries(self, name: str) -> list[int]:
        found = self.program.entries(name)
        if not found:
            raise StackError(f"there is no function {name}; the compiler may have put it into its callers")
        return found

    def _interrupt(self, vector: int, *, locked: bool) -> Routine:
        found = self.routine(vector, Interrupts.NEVER, locked=locked)
        return found._replace(
            deepest=_under(self.address_bytes, found.deepest),
            open={lock: _under(self.address_bytes, depth) for lock, depth in found.open.items()},
        )

    def _check_lock_writes(self) -> None:
        """Check that no instruction writes the whole register of the lock. Raises ``StackError``."""
        if not self.table.lock:
            return
        register = int(self.table.lock[0], 16)
        places = {"out": register, "sts": register + _IO_START}
        for each in self.program.instructions.values():
            if each.mnemonic in places and int(each.operands[0], 16) == places[each.mnemonic]:
                raise StackError(f"{self.program.name(each.address)} writes the lock's register at 0x{each.address:x}")

    def _check_nesting(self, free: Mapping[str, Routine], locked: Mapping[str, Routine]) -> None:
        """Check that no interrupt clears a lock that is set, nor lets others in without it. Raises ``StackError``."""
        for name in free:
            if self.table.lock and (not locked[name].locked or False in locked[name].open):
                raise StackError(f"{name} clears a lock that it did not set")
            opened = locked[name].open.get(True) or free[name].open.get(False)
            if opened is not None:
                raise StackError(f"{_way(opened)} enables interrupts without setting the lock")


class _Walk:
    """All paths through one routine."""

    def __init__(self, owner: _Program, entry: int) -> None:
        self._owner = owner
        self._program = owner.program
        self._entry = entry
        self._states: dict[int, _State] = {}
        self._switches: dict[int, _State] = {}
        self._deepest = Depth(0, (self._named(entry),))
        self._open: dict[bool, Depth] = {}
        self._leaves = Interrupts.NEVER
        self._locked = True
        self._returns: set[str] = set()

    def follow(self, state: _State) -> Routine:
        self._run([(self._entry, state)])
        while (case := self._unseen_case()) is not None:
            self._run([case])
        return Routine(self._deepest, self._open, self._leaves, self._locked, self._returns == {"reti"})

    def _run(self, to_do: list[tuple[int, _State]]) -> None:
        while to_do:
            at, state = to_do.pop()
            known = self._states.get(at)
            joined = state if known is None else known.joined(state)
            if joined == known:
                continue
            self._states[at] = joined
            if joined.depth > _MOST:
                raise StackError(f"{self._named(at)} goes on pushing in a loop at 0x{at:x}")
            if at not in self._program.instructions:
                raise StackError(f"{self._named(self._entry)} jumps to 0x{at:x}, where there is no instruction")
            to_do += self._step(self._program.instructions[at], joined)

    def _step(self, instruction: Instruction, state: _State) -> Iterator[tuple[int, _State]]:
        mnemonic, target = instruction.mnemonic, instruction.target
        if mnemonic in ("ret", "reti"):
            if state.depth:
                where = f"{self._named(instruction.address)} at 0x{instruction.address:x}"
                raise StackError(f"{where} returns with {state.depth} bytes on its stack")
            self._return(mnemonic, state)
        elif mnemonic in ("jmp", "rjmp"):
            yield from self._jump(instruction, state)
        elif mnemonic in ("ijmp", "eijmp"):
            for entry in self._owner.pointed(instruction):
                yield entry, self._passed(state, state)
        elif mnemonic in ("icall", "eicall"):
            yield instruction.next, self._call(self._owner.pointed(instruction), state)
        elif mnemonic in ("call", "rcall") and target != instruction.next:
            switch = target is not None and self._program.name(target) == _SWITCH
            # Address 0 is that of a function which is not there: it was declared weak, and is called if it is.
            called = self._program.constructors() if switch else [target] if target else []
            yield instruction.next, self._call(called, state)
        else:
            after = self._passed(state, self._lock(instruction, _effect(instruction, state, self._owner.address_bytes)))
            # What the test of a lock that is certainly set leads to; of all other tests both ways are followed.
            test = mnemonic if state.locked and instruction.operands == self._owner.table.lock else ""
            if test != "sbis":
                yield instruction.next, after
            if mnemonic in _SKIPS and test != "sbic":
                yield self._program.instructions[instruction.next].next, after
            elif target is not None and target != instruction.next:
                yield target, after

    def _jump(self, instruction: Instruction, state: _State) -> Iterator[tuple[int, _State]]:
        target = instruction.target
        if target is None or (target == 0 and instruction.address):  # a jump to the reset begins anew
            return
        name = self._program.name(target)
        if name == _SWITCH:
            self._switches[instruction.address] = state
        elif name == _SAVES:
            yield self._saved(instruction, target, state)
        elif name == _RESTORES:
            left = dict(state.pairs).get(28, _MOST) - self._constant(instruction, 30)
            if left:
                raise StackError(f"{self._named(instruction.address)} returns with {left} bytes on its stack")
            self._return("ret", state)
        else:
            yield target, self._passed(state, state)

    def _return(self, mnemonic: str, state: _State) -> None:
        self._returns.add(mnemonic)
        self._leaves = max(self._leaves, Interrupts.ENABLED if mnemonic == "reti" else state.interrupts)
        self._locked = self._locked and state.locked

    def _lock(self, instruction: Instruction, state: _State) -> _State:
        """Return the state behind an instruction that may set or clear the lock."""
        if instruction.mnemonic not in ("sbi", "cbi") or instruction.operands != self._owner.table.lock:
            return state
        return state._replace(locked=instruction.mnemonic == "sbi")

    def _saved(self, instruction: Instruction, target: int, state: _State) -> tuple[int, _State]:
        """Return where a shared prologue goes on, and the state there: registers are saved, and there is a frame."""
        frame, after = self._constant(instruction, 26), self._constant(instruction, 30)
        depth = state.depth + frame
        while self._program.instructions[target].mnemonic == "push":
            depth += 1
            target = self._program.instructions[target].next
        saved = state.without(_CLOBBERED)
        return 2 * (after & 0xFFFF), self._passed(state, saved._replace(depth=depth, pairs=frozenset({(28, depth)})))

    def _constant(self, instruction: Instruction, pair: int) -> int:
        """Return what is loaded into a pair, or into its low byte, right before a jump."""
        at, before = instruction.address, dict[int, int]()
        while (at := at - 2) in self._program.instructions and self._program.instructions[at].mnemonic == "ldi":
            register, constant = self._program.instructions[at].operands
            before[int(register[1:])] = int(constant, 16)
        if pair not in before:
            raise StackError(f"{self._named(at)} jumps at 0x{instruction.address:x} with a value that is not known")
        value = before[pair] + (before.get(pair + 1, 0) << 8)
        return value - 0x10000 if value >= 0x8000 else value

    def _call(self, entries: list[int], state: _State) -> _State:
        base = state.depth + self._owner.address_bytes
        self._note(base)
        if state.interrupts is Interrupts.ENABLED:
            self._note_open(state.locked, Depth(base, (self._named(self._entry),)))
        found = [self._owner.routine(entry, state.interrupts, locked=state.locked) for entry in entries]
        for called in found:
            self._note(base + called.deepest.bytes, called.deepest.path)
            for locked, depth in called.open.items():
                self._note_open(locked, Depth(base + depth.bytes, (self._named(self._entry), *depth.path)))
        leaves = max((called.leaves for called in found), default=state.interrupts)
        locked = all(called.locked for called in found) if found else state.locked
        clobbered = () if all(called.keeps_registers for called in found) else _CLOBBERED
        return state.without(clobbered)._replace(interrupts=leaves, locked=locked)

    def _passed(self, before: _State, after: _State) -> _State:
        """Record the depth behind an instruction; the one behind ``sei`` or ``reti`` cannot be interrupted before."""
        self._note(after.depth)
        if before.interrupts is after.interrupts is Interrupts.ENABLED:
            self._note_open(after.locked, Depth(after.depth, (self._named(self._entry),)))
        return after

    def _note(self, depth: int, path: tuple[str, ...] = ()) -> None:
        if depth > self._deepest.bytes:
            self._deepest = Depth(depth, (self._named(self._entry), *path))

    def _note_open(self, locked: bool, found: Depth) -> None:
        if locked not in self._open or found.bytes > self._open[locked].bytes:
            self._open[locked] = found

    def _unseen_case(self) -> tuple[int, _State] | None:
        """Return a case of a switch: what of its function nothing else leads to."""
        for at, state in self._switches.items():
            for address in sorted(self._program.instructions):
                if self._program.start(at) <= address < self._program.end(at) and address not in self._states:
                    return address, state
        return None

    def _named(self, address: int) -> str:
        jump = self._program.instructions.get(address)
        if self._program.name(address) == "__vectors" and jump is not None and jump.target is not None and address:
            return self._program.name(jump.target)
        return "reset" if address == 0 else self._program.name(address)


def _effect(instruction: Instruction, state: _State, address_bytes: int) -> _State:
    """Return the state behind an instruction that neither returns nor jumps for good."""
    mnemonic, operands = instruction.mnemonic, instruction.operands
    register = int(operands[0][1:]) if operands and operands[0][:1] == "r" and operands[0][1:].isdigit() else None
    if mnemonic == "rcall":  # of the next instruction: it takes room
        return state._replace(depth=state.depth + address_bytes)
    if mnemonic == "sei":
        return state._replace(interrupts=Interrupts.ENABLED)
    if mnemonic == "cli":
        return state._replace(interrupts=min(state.interrupts, Interrupts.DISABLED))
    if mnemonic == "out" and operands[0] == _SPL:
        return state._replace(depth=_pointed(instruction, dict(state.pairs)))
    if mnemonic == "out" and operands[0] == _SREG:
        if int(operands[1][1:]) in state.disabled:
            return state._replace(interrupts=min(state.interrupts, Interrupts.DISABLED))
        return state._replace(
            interrupts=Interrupts.NEVER if state.interrupts is Interrupts.NEVER else Interrupts.ENABLED
        )
    if register is None or mnemonic in (*_READS, "out"):
        return _pushed(register, state) if mnemonic == "push" else state
    if "mul" in mnemonic:  # into r0 and r1
        return state.without((0, 1))
    after = _moved(mnemonic, operands, register, state)
    return after._replace(depth=state.depth - 1) if mnemonic == "pop" else after


def _pushed(register: int | None, state: _State) -> _State:
    top = {_PLACES + state.depth}
    disabled = state.disabled | top if register in state.disabled else state.disabled - top
    return state._replace(depth=state.depth + 1, disabled=disabled)


def _moved(mnemonic: str, operands: tuple[str, ...], register: int, state: _State) -> _State:
    """Return the state behind an instruction that writes a register, perhaps a stack pointer or a status register."""
    pair, is_low = register & ~1, register % 2 == 0
    pairs, low = dict(state.pairs), None
    was = pairs.pop(pair, None)
    source = operands[-1]
    if mnemonic == "in" and source == _SPL and is_low:
        pairs[pair] = state.depth
    elif mnemonic == "in" and source == _SPH and was is not None:
        pairs[pair] = was
    elif mnemonic == "movw" and int(source[1:]) in dict(state.pairs):
        pairs[pair] = dict(state.pairs)[int(source[1:])]
    elif mnemonic == "ldi" and is_low:
        low = pair, -1
    elif mnemonic == "ldi" and state.low == (pair, -1):
        pairs[pair] = 0  # a constant: the end of the memory, at the reset
    elif was is not None and mnemonic in ("sbiw", "adiw"):
        pairs[pair] = was + int(source, 16) * (1 if mnemonic == "sbiw" else -1)
    elif was is not None and mnemonic == "subi" and is_low:
        pairs[pair] = was
        low = pair, int(source, 16)
    elif was is not None and state.low is not None and state.low[0] == pair and (mnemonic, source) in _HIGH:
        pairs[pair] = was + state.low[1]
    elif was is not None and state.low is not None and state.low[0] == pair and mnemonic == "sbci":
        whole = state.low[1] + (int(source, 16) << 8)
        pairs[pair] = was + (whole - 0x10000 if whole >= 0x8000 else whole)
    written = {register, register + 1} if mnemonic in ("movw", "adiw", "sbiw") else {register}
    disabled = set(state.disabled) - written
    saved = mnemonic == "in" and source == _SREG and state.interrupts is not Interrupts.ENABLED
    moved = mnemonic == "mov" and int(source[1:]) in state.disabled
    if saved or moved or (mnemonic == "pop" and _PLACES + state.depth - 1 in state.disabled):
        disabled.add(register)
    return _State(state.depth, state.interrupts, frozenset(pairs.items()), low, frozenset(disabled), state.locked)


def _pointed(instruction: Instruction, pairs: Mapping[int, int]) -> int:
    register = int(instruction.operands[1][1:])
    if register not in pairs:
        raise StackError(f"the stack pointer is set at 0x{instruction.address:x} from a value that is not known")
    return pairs[register]


def _under(bytes_: int, depth: Depth) -> Depth:
    return Depth(depth.bytes + bytes_, depth.path)


def _nested(routine: Routine, inside: Mapping[bool, Depth]) -> Depth:
    """Return the deepest of a routine by itself, and of interrupts inside it: with the lock (True), and without."""
    return _deepest(
        [routine.deepest, *(_inside(routine.open[lock], inside[lock]) for lock in inside if lock in routine.open)]
    )


def _inside(outer: Depth, inner: Depth) -> Depth:
    return Depth(outer.bytes + inner.bytes, (*outer.path, *inner.path))


def _deepest(depths: list[Depth]) -> Depth:
    return max(depths, key=lambda depth: depth.bytes, default=Depth(0, ()))


def _way(depth: Depth) -> str:
    return " > ".join(depth.path)


def _functions(words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the functions of each ``FUNCTION=FUNCTION,...``."""
    listed = (word.partition("=") for word in words)
    return {name: tuple(others.split(",")) for name, _, others in listed}


def main(arguments: list[str] | None = None) -> int:
    """Print the deepest stack of a program, and the room for it; the status is 2 if it cannot be computed."""
    parser = argparse.ArgumentParser(description="Compute the stack depth of a program for one of the chips.")
    parser.add_argument("kind", choices=AVRS)
    parser.add_argument("elf", type=Path)
    parser.add_argument("--lock", default="", metavar="REGISTER,BIT")
    parser.add_argument("--pointers", action="append", default=[], metavar="FUNCTION=FUNCTION,...")
    given = parser.parse_args(arguments)
    try:
        lock = tuple(given.lock.split(",")) if given.lock else ()
        table = Table(lock, _functions(given.pointers))
        found = stack_depth(Disassembly.of(given.elf, given.kind), given.kind, table)
        static, room = static_ram(given.elf, given.kind)
    except (StackError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"{given.kind}: {error}\n")
        return 2
    lines = [f"{given.kind}: stack {found.worst.bytes} of {room - static} bytes: {_way(found.worst)}"]
    for name, depth in {"main": found.main, **found.interrupts}.items():
        lines.append(f"  {name} {depth.bytes}: {_way(depth)}")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
