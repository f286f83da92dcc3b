"""Damaged and foreign recordings: each is read right, or refused with what would be right; never read wrongly."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import yaml

from rig.align.readers.formats import read_recording
from rig.align.readers.options import ReadOptions
from rig.align.recording import checked
from rig.core.errors import ConfigError, RecordError
from tests.align.readers.foreign import (
    COUNT,
    LEVELS,
    RATE_HZ,
    SAMPLES,
    Damage,
    both,
    cut,
    hdf5,
    nwb,
    series,
    signal,
    steps,
    table,
    write,
)

RIGHT, BEGINNING, PART = "all edges", "the first edges", "most edges"
"""What is read: nothing but true edges, whatever is missing."""
N = len(SAMPLES)
T = SAMPLES / RATE_HZ
WITHOUT_NOTE = {"a pulse without an end", "each value twice"}


class Variant(NamedTuple):
    """One recording: how it is made and damaged, what is given to the reader, and what comes of it."""

    name: str
    make: Damage
    expected: str
    options: ReadOptions = ReadOptions()
    path: str = ""
    form: str | None = None


def variants_of(file: str) -> list[Variant]:
    """Return the cases of a file as recordings."""
    cases = yaml.safe_load(Path(__file__).with_name(file).read_text(encoding="utf-8"))
    return [
        Variant(
            case["case"],
            steps([*case.get("make", cases["make"]), *case.get("damage", [])]),
            case.get("refused") or case.get("read", RIGHT),
            ReadOptions(**case.get("set", cases["set"])),
            case.get("path", ""),
            case.get("format"),
        )
        for case in cases["cases"]
    ]


SPIKEGLX, OPEN_EPHYS = variants_of("spikeglx.yaml"), variants_of("open_ephys.yaml")

V = 3.3 * signal()
RANDOM = np.random.default_rng(5)
NOISE = RANDOM.normal(0, 0.15, COUNT)
SLOW = np.convolve(np.pad(V, (7, 7), mode="edge"), np.full(15, 1 / 15), mode="valid")
WORDS = [{1: "on", 0: "off"}[level] for level in LEVELS]
EDGES = [{"start_time": float(t), "stop_time": float(t)} for t in T]
PULSES = [{"start_time": float(a), "stop_time": float(b)} for a, b in T.reshape(-1, 2)]


def changed(places: Any, value: float, data: np.ndarray = V) -> np.ndarray:
    data = data.astype(float)
    data[places] = value
    return data


def levels(values: list[Any]) -> Damage:
    return nwb(table([{**row, "state": value} for row, value in zip(EDGES, values, strict=True)]))


def at_times(data: Any, times: Any = T) -> Damage:
    return nwb(series(np.array(data) if not isinstance(data, list) else data, timestamps=np.asarray(times)))


def sampled(data: Any, **how: Any) -> Damage:
    return nwb(series(data, **how))


def rate_of(rate_hz: float) -> Damage:
    def change(file: Any) -> None:
        file["acquisition/sync/starting_time"].attrs["rate"] = rate_hz

    return hdf5(change)


def without_start(file: Any) -> None:
    file["acquisition/sync/starting_time"][()] = np.nan


def without_timing(file: Any) -> None:
    del file["acquisition/sync/starting_time"]


def empty(file: Any) -> None:
    for name in list(file):
        del file[name]


def shorter(name: str) -> Damage:
    def change(file: Any) -> None:
        series = file["acquisition/sync"]
        values, attributes = series[name][:-3], dict(series[name].attrs)
        del series[name]
        series.create_dataset(name, data=values).attrs.update(attributes)

    return hdf5(change)


STATE = ReadOptions(level="state")
NO_RATE = "--rate HZ|cannot be read"
TWO_LINES = at_times(np.repeat(np.where(LEVELS == 1, 3, -3), 2) * np.tile([1, 2], N), np.repeat(T, 2))
TWO_CHANNELS = sampled(np.stack([NOISE, V], axis=1))
SPAN = np.arange(COUNT) / RATE_HZ
NWB = [
    Variant("a signal", sampled(V), RIGHT),
    Variant("an artifact", sampled(changed(700, 100.0)), RIGHT),
    Variant("an artifact below", sampled(changed(700, -1000.0)), RIGHT),
    Variant("many artifacts", sampled(changed(np.arange(50, COUNT, 97), 1e6)), PART),
    Variant("a saturated amplifier", sampled(changed(slice(0, 100), 10.0)), PART),
    Variant("noise", sampled(V + NOISE), RIGHT),
    Variant("slow edges", sampled(SLOW), RIGHT),
    Variant("slow edges with noise", sampled(SLOW + NOISE), PART),
    Variant("noise and an artifact", sampled(changed(700, 100.0, V + NOISE)), RIGHT),
    Variant("an inverted signal", sampled(3.3 - V), "inverted"),
    Variant("a drift", sampled(V + np.linspace(0, 1, COUNT)), RIGHT),
    Variant("whole numbers of an amplifier", sampled((1000 * V).astype(np.int16) - 1200), RIGHT),
    Variant("their largest", sampled(np.where(signal() == 1, 32767, -32768).astype(np.int16)), RIGHT),
    Variant("bytes", sampled(signal().astype(np.uint8)), RIGHT),
    Variant("true and false", sampled(signal().astype(bool)), RIGHT),
    Variant("a conversion and an offset", sampled(signal().astype(np.int16), conversion=-2.0, offset=5.0), RIGHT),
    Variant("values that are no numbers", sampled(changed(slice(130, 135), np.nan)), RIGHT),
    Variant("no numbers at an edge", sampled(changed(slice(int(SAMPLES[4]) - 3, int(SAMPLES[4]) + 2), np.nan)), PART),
    Variant("infinite values", sampled(changed(130, np.inf)), RIGHT),
    Variant("no number at all", sampled(changed(slice(None), np.nan)), "none of its values is a number"),
    Variant("one level", sampled(changed(slice(None), 3.3)), "have one level: check the channel"),
    Variant("noise alone", sampled(RANDOM.normal(0, 1, COUNT)), "do not stay at two levels"),
    Variant("a ramp", sampled(np.linspace(0, 1, COUNT)), "do not stay at two levels"),
    Variant("one channel of one", sampled(V[:, None]), RIGHT),
    Variant("several channels", TWO_CHANNELS, "--line one of: 0, 1"),
    Variant("one channel of several", TWO_CHANNELS, RIGHT, ReadOptions(line=1)),
    Variant("a channel that there is not", TWO_CHANNELS, "has no '2'; --line one of: 0, 1", ReadOptions(line=2)),
    Variant("channels beside a signal", nwb(series(np.zeros((9, 4)), "probe"), series(V)), RIGHT),
    Variant("a bit of a word", sampled((signal() << 5 | 1).astype(np.uint16)), RIGHT, ReadOptions(line=5)),
    Variant(
        "a bit beside others",
        sampled((signal() << 5 | np.arange(COUNT) % 8).astype(np.int32)),
        RIGHT,
        ReadOptions(line=5),
    ),
    Variant(
        "a bit that there is not", sampled(signal().astype(np.int16)), "wanted a bit from 0 to 15", ReadOptions(line=16)
    ),
    Variant("a bit of volts", sampled(V), "its values are no whole numbers", ReadOptions(line=1)),
    Variant("a rate of 0", both(sampled(V), rate_of(0.0)), NO_RATE),
    Variant("a rate that is no number", both(sampled(V), rate_of(np.nan)), NO_RATE),
    Variant("a rate below 0", both(sampled(V), rate_of(-1.0)), NO_RATE),
    Variant("no start", both(sampled(V), hdf5(without_start)), "starting_time is no number"),
    Variant("no time at all", both(sampled(V), hdf5(without_timing)), NO_RATE),
    Variant("samples with times", at_times(V, SPAN), RIGHT),
    Variant("samples with an artifact and times", at_times(changed(700, 100.0), SPAN), RIGHT),
    Variant("a level at each edge", at_times(LEVELS), RIGHT),
    Variant("words at each edge", at_times(WORDS), RIGHT),
    Variant("true and false at each edge", at_times(LEVELS > 0), RIGHT),
    Variant("unknown words", at_times([*WORDS[:-1], "perhaps"]), "value 40, 'perhaps': wanted 1 or 0, on or off"),
    Variant("states of a line that is named", at_times(np.where(LEVELS == 1, 3, -3)), RIGHT, ReadOptions(line=3)),
    Variant("samples of 1 and -1 with times", at_times(2 * signal() - 1, SPAN), RIGHT),
    Variant("samples of an amplifier with times", at_times((1000 * V).astype(np.int16) - 1200, SPAN), RIGHT),
    Variant("states of a line", at_times(np.where(LEVELS == 1, 3, -3)), RIGHT),
    Variant("states of two lines", TWO_LINES, "--line one of: 3, 6"),
    Variant("one of two lines", TWO_LINES, RIGHT, ReadOptions(line=6)),
    Variant("times that are no numbers", at_times(V, np.where(np.arange(COUNT) == 130, np.nan, SPAN)), RIGHT),
    Variant("times that go back", at_times(V, SPAN % 1.5), "clock was started again, or its values are not in order"),
    Variant("each value twice", at_times(np.repeat(LEVELS, 2), np.repeat(T, 2)), PART),
    Variant("fewer times", both(at_times(LEVELS), shorter("timestamps")), "40 values and 37 times"),
    Variant("fewer values", both(at_times(LEVELS), shorter("data")), "37 values and 40 times"),
    Variant("pulses", nwb(table(PULSES)), RIGHT),
    Variant("pulses not in order", nwb(table(PULSES[::-1])), "they are not in order, or the clock was started again"),
    Variant("a pulse without an end", nwb(table([*PULSES[:-1], {**PULSES[-1], "stop_time": np.nan}])), BEGINNING),
    Variant(
        "a pulse that ends before",
        nwb(table([{**PULSES[0], "stop_time": 0.0}, *PULSES[1:]])),
        "row 1: ends 0.0+ s, before",
    ),
    Variant("a pulse without a start", nwb(table([*PULSES[:-1], {**PULSES[-1], "start_time": np.nan}])), BEGINNING),
    Variant("pulses twice", nwb(table([pulse for pulse in PULSES for _ in range(2)])), RIGHT),
    Variant("on and off", levels(WORDS), RIGHT, STATE),
    Variant("True and False", levels([bool(level) for level in LEVELS]), RIGHT, STATE),
    Variant("words of True", levels([str(bool(level)) for level in LEVELS]), RIGHT, STATE),
    Variant("high and low", levels([{1: "HIGH", 0: "low "}[level] for level in LEVELS]), RIGHT, STATE),
    Variant("rising and falling", levels([{1: "Rising", 0: "Falling"}[level] for level in LEVELS]), RIGHT, STATE),
    Variant("1 and 0", levels([int(level) for level in LEVELS]), RIGHT, STATE),
    Variant("1 and -1", levels([int(2 * level - 1) for level in LEVELS]), RIGHT, STATE),
    Variant("volts", levels([5.0 * level for level in LEVELS]), RIGHT, STATE),
    Variant("words that mean nothing", levels([*WORDS[:-1], "maybe"]), "row 40: state 'maybe': wanted 1 or 0", STATE),
    Variant("numbers that mean nothing", levels([*LEVELS.tolist()[:-1], 7]), "row 40: state '7': wanted 1 or 0", STATE),
    Variant("a level that is no number", levels([*LEVELS[:-1].astype(float), np.nan]), "row 40: state 'nan'", STATE),
    Variant(
        "a column that there is not",
        levels(WORDS),
        "has no 'level'; --level one of: start_time",
        ReadOptions(level="level"),
    ),
    Variant(
        "one row of each", levels(WORDS), "no row has state=up; it has off, on", ReadOptions(where=("state", "up"))
    ),
    Variant("times alone", nwb(table(EDGES)), "no levels"),
    Variant("several objects", nwb(series(V), series(V, "other")), "--series one of: other, sync"),
    Variant("one of several objects", nwb(series(V, "other"), series(NOISE)), RIGHT, ReadOptions(series="other")),
    Variant("nothing in it", nwb(), "has no table with times and no time series"),
    Variant("half a file", both(sampled(V), cut("*.nwb", 20_000)), "cannot be read as NWB"),
    Variant("an empty file", write("a.nwb", b""), "cannot be read as NWB"),
    Variant("a table of text", write("a.nwb", "time,level\n"), "cannot be read as NWB"),
    Variant("a folder", write("a.nwb/zarr.json", "{}"), "is a folder: wanted an NWB file", form="nwb"),
    Variant("HDF5 that is no NWB", both(sampled(V), hdf5(empty)), "cannot be read as NWB"),
]


def judge(path: Path, variant: Variant) -> float:
    """Fail unless the edges are true, or the refusal says what it must; return the sampling of what is read."""
    if variant.expected not in (RIGHT, BEGINNING, PART, "no levels", "inverted"):
        with pytest.raises((ConfigError, RecordError), match=f"(?s){variant.expected}") as refused:
            checked(read_recording(path, variant.form, variant.options))
        assert str(path.parent) in str(refused.value) or "edge" in str(refused.value)
        return 1 / RATE_HZ
    found = checked(read_recording(path, variant.form, variant.options))
    true_levels = LEVELS if variant.expected != "inverted" else 1 - LEVELS
    near = np.abs(found.times_s[:, None] - T[None, :])
    places = near.argmin(axis=1)
    allowed_s = 3.5 / RATE_HZ if "slow" in variant.name else 1e-9
    assert near.min(axis=1).max() <= allowed_s, "an edge at no time of the signal"
    assert (np.diff(places) > 0).all()
    fewest = {BEGINNING: 2, PART: 0.6 * N}.get(variant.expected, N)
    assert len(places) >= fewest
    if variant.expected == BEGINNING:
        assert places.tolist() == list(range(len(places)))
    if variant.expected == "no levels":
        assert found.levels is None
    else:
        assert found.levels is not None
        assert found.levels.tolist() == true_levels[places].tolist()
    assert found.notes or variant.expected not in (BEGINNING, PART) or variant.name in WITHOUT_NOTE
    return found.resolution_s


def ids(variants: list[Variant]) -> list[str]:
    assert len({variant.name for variant in variants}) == len(variants)
    return [variant.name for variant in variants]


@pytest.mark.parametrize("variant", SPIKEGLX, ids=ids(SPIKEGLX))
def test_spikeglx_is_read_right_or_refused(tmp_path: Path, variant: Variant) -> None:
    variant.make(tmp_path)
    assert judge(tmp_path / variant.path, variant) == 1 / RATE_HZ


@pytest.mark.parametrize("variant", OPEN_EPHYS, ids=ids(OPEN_EPHYS))
def test_open_ephys_is_read_right_or_refused(tmp_path: Path, variant: Variant) -> None:
    variant.make(tmp_path)
    resolution_s = judge(tmp_path / variant.path, variant)
    assert variant.options.rate_hz != RATE_HZ or resolution_s == 1 / RATE_HZ


@pytest.mark.filterwarnings("ignore")  # pynwb warns of what it reads or writes here
@pytest.mark.parametrize("variant", NWB, ids=ids(NWB))
def test_nwb_is_read_right_or_refused(tmp_path: Path, variant: Variant) -> None:
    pytest.importorskip("pynwb")
    variant.make(tmp_path)
    judge(tmp_path / "a.nwb", variant)
