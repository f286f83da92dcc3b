"""The eight disks on a harness: pecks as a script, and what came of them."""

from collections import defaultdict
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from protocols.disk_bandit.assignment import draw_assignment
from protocols.disk_bandit.disk_layout import DiskLayout
from rig.core.model.events import Touch
from rig.core.task.random_streams import RandomStreams
from sim_hardware.world.body import Body
from tests.harness import FaultHarness, run_harness
from tests.session_specs import protocol_spec

Act = Callable[[Body], object]
Script = Sequence[tuple[float, Act]]
Row = dict[str, Any]

WIDTH_CM = 800 / 26.2
ALL_SAME = "[9,9,9,9,9,9,9,9]"
"""Every disk has the same interval, so that no test has to know which has which."""


def place(location: int) -> tuple[float, float]:
    """Where the middle of a disk is."""
    (disk,) = DiskLayout(protocol_spec("disk_bandit").params, WIDTH_CM).scene([location]).items
    return disk.x_cm, disk.y_cm


def peck(at_s: float, location: int, aside_cm: float = 0.0) -> tuple[float, Act]:
    """A peck on a disk, or so far to the right of its middle."""
    x_cm, y_cm = place(location)
    return peck_at(at_s, x_cm + aside_cm, y_cm)


def peck_at(at_s: float, x_cm: float, y_cm: float) -> tuple[float, Act]:
    return at_s, lambda body: body.peck(x_cm, y_cm)


def press(at_s: float, location: int) -> tuple[float, Act]:
    """A touch that is not lifted any more."""
    return at_s, lambda body: body.press(*place(location))


def head(at_s: float, for_s: float) -> list[tuple[float, Act]]:
    """A head goes into the hopper, and out again."""
    return [(at_s, lambda body: body.enter("hopper")), (at_s + for_s, lambda body: body.leave("hopper"))]


def bird(script: Script) -> Callable[[Body], Coroutine[Any, Any, None]]:
    """A bird that follows a list."""

    async def live(body: Body) -> None:
        for at_s, act in sorted(script, key=lambda entry: entry[0]):
            await body.wait_until_us(round(at_s * 1e6))
            act(body)

    return live


def run(
    *script: tuple[float, Act], protocol: str = "disk_bandit", rig: str | None = None, **values: Any
) -> FaultHarness:
    """Play a session in which every disk has a fixed interval of 9 s, unless ``values`` say otherwise."""
    settings = {key: values.pop(key) for key in ("arrange", "carried_over", "seed", "loop", "after_s") if key in values}
    asked = {"stop_session_s": 60, **({"vi_s": ALL_SAME, "vi_distribution": "fixed"} if "vi_s" not in values else {})}
    return run_harness(protocol_spec(protocol, rig, **{**asked, **values}), bird(script), **settings)


def day(
    seed: int = 1, carried_over: Mapping[str, Any] | None = None, protocol: str = "disk_bandit", **values: Any
) -> Any:
    """What a session of that seed is run with."""
    return draw_assignment(
        protocol_spec(protocol, **values).params, carried_over or {}, RandomStreams(seed)("assignment")
    )


def at_us(harness: FaultHarness, number: int = 0) -> int:
    """When the number-th peck came, in microseconds."""
    return [touch for touch in harness.of_kind(Touch) if touch.peck][number].t_us


def began_us(harness: FaultHarness) -> int:
    """When the clocks of the session began."""
    (assignment,) = harness.notes("assignment")
    return assignment.t_us


def hoppers(harness: FaultHarness) -> list[tuple[int, int]]:
    """When the hopper went up, and for how long it was."""
    edges = [t_us for t_us, _ in harness.changes("hopper.hopper")]
    return [(up, down - up) for up, down in zip(edges[::2], edges[1::2], strict=True)]


def column(harness: FaultHarness, name: str) -> list[Any]:
    return [row[name] for row in harness.rows]


def paid(harness: FaultHarness) -> list[int]:
    return column(harness, "rewarded")


def assert_intervals(rows: list[Row], intervals: list[Row]) -> None:
    """Every reward collects one interval, and none is collected twice; the next one is what the peck drew."""
    vi_s = {row["disk"]: row["vi_s"] for row in rows if row["on_target"]}
    collected = sorted((row["t_collected"], row["disk"]) for row in intervals if row["t_collected"] is not None)
    assert collected == sorted((row["t"], row["disk"]) for row in rows if row["rewarded"])
    of_disk = defaultdict(list)
    for row in intervals:
        of_disk[row["disk"]].append(row)
        if row["disk"] in vi_s:
            assert 0.5 * vi_s[row["disk"]] <= row["draw_s"] <= 1.5 * vi_s[row["disk"]]
    for disk, line in of_disk.items():
        assert [row["t_collected"] is None for row in line] == [False] * (len(line) - 1) + [True]
        drawn = [row["interval_drawn_s"] for row in rows if row["rewarded"] and row["disk"] == disk]
        assert [row["draw_s"] for row in line[1:]] == drawn
    assert set(of_disk) == set(range(8))


def assert_waiting(rows: list[Row], intervals: list[Row]) -> None:
    """A reward waited at a peck exactly when one of the disk's intervals had elapsed and was not collected before."""
    for row in rows:
        if not row["on_target"] or any(row["t"] == other["t"] for other in rows if other is not row):
            continue
        waited = any(
            interval["disk"] == row["disk"]
            and interval["t_armed"] is not None
            and interval["t_armed"] <= row["t"]
            and (interval["t_collected"] is None or row["t"] <= interval["t_collected"])
            for interval in intervals
        )
        assert row["armed_before"] == waited
