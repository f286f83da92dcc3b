"""The dialog in which the valves of one rig are measured: burst after burst, each judged at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rig.boards.client import BoardClient
from rig.boards.driver_lookup import Connection
from rig.config.errors.formatting import display_path
from rig.core.errors import BoardError, ScaleError
from rig.core.model.board import Board
from rig.maintenance.bench import Bench
from rig.maintenance.run_output import run_output
from rig.maintenance.valves.bursts import Burst
from rig.maintenance.valves.curve import Curve, fit_curve, reasons_to_refuse
from rig.maintenance.valves.curve_report import curve_text
from rig.maintenance.valves.expectation import expected_drop, wrong_burst
from rig.maintenance.valves.partial_file import PartialFile
from rig.maintenance.valves.target import ValveTarget
from rig.maintenance.valves.weights import Judge, StoppedError, TypedWeigher, Verdict, Weigher, Word, implausible
from rig.platform.command_line import quoted


@dataclass(frozen=True)
class Step:
    """One burst of one valve; the number of the first one is 0."""

    valve: ValveTarget
    number: int
    burst: Burst


class Measurement:
    """The weights of the valves of one rig, as far as they are known.

    ``valves`` are the bursts and the file of each valve; ``seed`` is that of the order of a valve's bursts.
    """

    def __init__(
        self,
        bench: Bench,
        weigher: Weigher,
        mg_per_ul: float,
        valves: Mapping[ValveTarget, tuple[Sequence[Burst], PartialFile]],
        seed: Callable[[ValveTarget], int],
    ) -> None:
        self._bench = bench
        self._weigher = weigher
        self._mg_per_ul = mg_per_ul
        self._seed = seed
        self.bursts = {valve: bursts for valve, (bursts, _) in valves.items()}
        self.partials = {valve: partial for valve, (_, partial) in valves.items()}
        self.failed: dict[ValveTarget, BoardError] = {}
        """The valves that were given up."""
        self.curves: dict[ValveTarget, Curve] = {}
        """The curves of the valves whose bursts are all weighed."""
        self._unweighed: set[Step] = set()
        """The bursts whose drops were given, and whose weight is still to be typed."""
        self._done = [self._step(valve, number) for valve in valves for number in self.partials[valve].numbers]
        """The bursts that were weighed, in the order of weighing."""
        self._repeated: set[ValveTarget] = set()

    def _step(self, valve: ValveTarget, number: int) -> Step:
        return Step(valve, number, self.bursts[valve][number])

    @property
    def left_s(self) -> float:
        """Return the seconds that the bursts take that are not weighed yet."""
        return sum(map(self._seconds, self._open()))

    def left_of(self, valve: ValveTarget) -> float:
        """Return the seconds that the bursts of one valve take that are not weighed yet."""
        return sum(map(self._seconds, (step for step in self._open() if step.valve == valve)))

    def _seconds(self, step: Step) -> float:
        return (0.0 if step in self._unweighed else step.burst.lasts_s) + self._weigher.handling_s

    def _open(self) -> list[Step]:
        """Return the bursts that are not weighed yet, in their order."""
        return [
            self._step(valve, number)
            for valve, bursts in self.bursts.items()
            for number in range(len(bursts))
            if valve not in self.failed and number not in self.partials[valve].numbers
        ]

    def run(self, left_s: Callable[[], float]) -> None:
        """Run the bursts that are not weighed yet; a valve that fails does not stop the others.

        ``left_s`` returns the seconds that all rigs still take. Raises ``StoppedError``.
        """
        while True:
            for valve, partial in self.partials.items():
                is_whole = len(partial.numbers) == len(self.bursts[valve])
                if is_whole and valve not in self.curves:
                    self._finish(valve)
            if open_steps := self._open():
                self._try(open_steps[0], left_s)
            elif not self._takes_back_at_the_end():
                return

    def _try(self, step: Step, left_s: Callable[[], float]) -> None:
        try:
            self._weigh(step, left_s)
        except StoppedError:
            raise
        except BoardError as error:
            self._bench.tell(*self.kept_texts([step.valve]), f"{step.valve.device}: {error}")
            self.failed[step.valve] = error
            self._done = [done for done in self._done if done.valve != step.valve]

    def _weigh(self, step: Step, left_s: Callable[[], float]) -> None:
        valve, burst, undoes = step.valve, step.burst, bool(self._done)
        weight: float | Word | None = None
        self._announce(step, left_s())
        if step not in self._unweighed:
            if self._weigher.before(valve.device, undoes=undoes) is Word.UNDO:
                return self._undo(self._done[-1])
            weight = give_burst(self._bench, valve, burst, self._weigher, self._seed(valve) + step.number)
            if weight is not None:
                check_scale(valve, burst, weight, self._judge(step))
            self._unweighed.add(step)
        if weight is None:
            weight = self._weigher.after(valve.device, burst, self._judge(step), undoes=undoes)
        if weight is Word.UNDO:
            return self._undo(self._done[-1])
        self._unweighed.discard(step)
        if isinstance(weight, float):
            self._bench.tell(f"{valve.device}: {self._judge(step)(weight).text}")
            self.partials[valve].add(step.number, burst, weight)
            self._done.append(step)
        return None

    def _announce(self, step: Step, left_s: float) -> None:
        burst = step.burst
        if step in self._unweighed:
            rest = ", given before"
        else:
            rest = "" if self._weigher.on_board else f", {burst.lasts_s:.0f} s of water, {minutes(left_s)} left"
        which = f"burst {step.number + 1} of {len(self.bursts[step.valve])}{rest}"
        self._bench.tell(f"{step.valve.device}: {which} ({burst.pulses} drops of {burst.open_us / 1000:g} ms)")

    def _judge(self, step: Step) -> Judge:
        weighings = self.partials[step.valve].weighings
        expected = expected_drop(step.burst.open_us, step.valve.calibration, weighings, self._mg_per_ul)

        def judge(mg: float) -> Verdict:
            ul = mg / self._mg_per_ul / step.burst.pulses
            text = ", ".join(filter(None, (f"{ul:.2f} ul a drop", expected.comparison(ul))))
            return Verdict(text, expected.is_doubtful(ul), implausible(mg, step.burst))

        return judge

    def _undo(self, step: Step) -> None:
        """Remove a weight; a typed one is asked for again, a read one needs its drops again."""
        self.partials[step.valve].undo(step.number)
        self._done.remove(step)
        self.curves.pop(step.valve, None)
        self._bench.tell(f"{step.valve.device}: the weight of burst {step.number + 1} is taken back")
        if self._weigher.types_weights:
            self._unweighed.add(step)
        else:
            self._unweighed.clear()

    def _finish(self, valve: ValveTarget) -> None:
        """Print the curve of a valve; when it is refused, have the burst repeated that is wrong."""
        weighings = self.partials[valve].weighings
        curve = self.curves[valve] = fit_curve(weighings, self._mg_per_ul)
        self._bench.print(*curve_text(valve.device, curve))
        if not list(reasons_to_refuse(curve)):
            return
        wrong = wrong_burst(weighings, valve.calibration, self._mg_per_ul)
        if wrong is not None and self._is_repeated(self._step(valve, wrong)):
            self._undo(self._step(valve, wrong))

    def _is_repeated(self, step: Step) -> bool:
        """Whether a wrong burst is repeated: as its person says, or by itself once for each valve."""
        self._bench.tell(self.wrong_text(step))
        if isinstance(self._weigher, TypedWeigher):
            return self._weigher.agrees("Type its weight again, or have it repeated? [Enter: yes, n: no] ")
        is_first = step.valve not in self._repeated
        self._repeated.add(step.valve)
        return is_first

    def wrong_text(self, step: Step) -> str:
        """Return which burst is wrong, and by how much."""
        weighings = self.partials[step.valve].weighings
        mg = weighings[step.number].mg
        ul = mg / self._mg_per_ul / step.burst.pulses
        others = [weighing for number, weighing in enumerate(weighings) if number != step.number]
        expected = expected_drop(step.burst.open_us, step.valve.calibration, others, self._mg_per_ul)
        return (
            f"{step.valve.device}: burst {step.number + 1} is wrong: {mg:g} mg for {step.burst.pulses} drops of "
            f"{step.burst.open_us / 1000:g} ms are {ul:.2f} ul a drop, {expected.comparison(ul)}"
        )

    def _takes_back_at_the_end(self) -> bool:
        """Whether a person takes back the last of all typed weights."""
        if not isinstance(self._weigher, TypedWeigher) or not self._done:
            return False
        text = f"All weights of {self._bench.rig.name} are in. Press Enter to judge and write them"
        if self._weigher.wait(text, undoes=True) is not Word.UNDO:
            return False
        self._undo(self._done[-1])
        return True

    def kept_texts(self, valves: Iterable[ValveTarget]) -> Iterator[str]:
        """Yield how many bursts of each valve are kept, where, and how to go on."""
        for valve in valves:
            partial = self.partials[valve]
            if partial.numbers:
                kept = f"{len(partial.numbers)} of {len(self.bursts[valve])} bursts of {valve.device} are kept"
                line = f"`rig device calibrate {quoted(self._bench.word)} {valve.device}`"
                yield f"{kept} in {display_path(partial.path)}: {line} with the same options goes on"


def minutes(seconds: float) -> str:
    """Write a time in whole minutes, at least one."""
    return f"{max(1, round(seconds / 60))} min"


def give_burst(bench: Bench, valve: ValveTarget, burst: Burst, weigher: Weigher, seed: int) -> float | None:
    """Run the drops of a burst; return their weight in mg if the rig has a scale of its own.

    The board is open during the burst only: while a person weighs, no host needs to keep its lease. Raises
    ``StoppedError`` when the operator stops, ``BoardError``.
    """
    train = burst.train(valve.output)

    async def give(client: BoardClient[Board], connection: Connection) -> float:
        await run_output(client, train)
        return connection.scale.stable_mg() if weigher.on_board and connection.scale is not None else -1.0

    if not weigher.on_board:
        bench.tell(f"{valve.device}: the board gives the drops; wait {burst.lasts_s:.0f} s")
    virtual_mg = bench.run_on_board(give, seed)
    if virtual_mg is None:
        raise StoppedError("stopped during the burst: everything is off")
    return virtual_mg if weigher.on_board and virtual_mg >= 0 else None


def check_scale(valve: ValveTarget, burst: Burst, weight: float, judge: Judge) -> None:
    """Check the weight that a scale has read. Raises ``ScaleError`` for one that cannot be right."""
    if impossible := judge(weight).impossible:
        raise ScaleError(f"{valve.device}: {weight:.0f} mg for {burst.pulses} drops {impossible}")
