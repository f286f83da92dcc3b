"""Damaged and foreign recordings: each is read right, or refused with what would be right; never read wrongly."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from rig.align.readers.formats import read_recording
from rig.align.readers.options import ReadOptions
from rig.align.recording import checked
from rig.core.errors import ConfigError, RecordError
from tests.align.readers.foreign import (
    COUNT,
    LEVELS,
    NODE,
    RATE_HZ,
    RECORDING,
    SAMPLES,
    Damage,
    add,
    arrays,
    binary,
    both,
    cut,
    events,
    hdf5,
    link,
    meta,
    nwb,
    old_binary,
    open_ephys_nwb,
    remove,
    rename,
    replace,
    series,
    signal,
    spikeglx,
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


def given(**options: Any) -> ReadOptions:
    return ReadOptions(**options)


NIDQ = "run_g0_t0.nidq"
LINE = given(line=2)
BOTH_RUNS = both(spikeglx(), spikeglx(name="other_g0_t0"), cut("other*.bin", 400))
SPIKEGLX = [
    Variant("plain", spikeglx(), RIGHT, LINE),
    Variant("the only line with edges", spikeglx(), RIGHT),
    Variant("its .bin", spikeglx(), RIGHT, LINE, f"{NIDQ}.bin"),
    Variant("its .meta", spikeglx(), RIGHT, LINE, f"{NIDQ}.meta"),
    Variant("another line", spikeglx(), "line 3 has no edges .* 1 line with edges: 2", given(line=3)),
    Variant("a line that there is not", spikeglx(), "has no '9'; --line one of", given(line=9)),
    Variant("a line below 0", spikeglx(), "has no '-1'; --line one of", given(line=-1)),
    Variant(
        "line 17 of a second word", both(spikeglx(), meta(snsMnMaXaDw="0,0,0,2", niXDBytes1=4)), RIGHT, given(line=18)
    ),
    Variant("lines of two devices", both(spikeglx(line=9), meta(niXDBytes1=1, niXDBytes2=1)), RIGHT, given(line=9)),
    Variant("more lines than words", both(spikeglx(), meta(niXDBytes1=9)), "72 digital lines, and 1 words"),
    Variant("no number of lines", both(spikeglx(line=11), meta(niXDBytes1=None)), RIGHT, given(line=11)),
    Variant("no digital word", both(spikeglx(), meta(snsMnMaXaDw="0,0,2,0")), "no digital word was saved", LINE),
    Variant("two runs, one named", BOTH_RUNS, RIGHT, LINE, f"{NIDQ}.bin"),
    Variant(
        "two runs", BOTH_RUNS, "2 recordings of nidq.*give the file of one of them: other_g0_t0.nidq.bin, run", LINE
    ),
    Variant("two triggers", both(spikeglx(), spikeglx(name="run_g0_t1")), "2 recordings of nidq", LINE),
    Variant("two triggers, one named", both(spikeglx(), spikeglx(name="run_g0_t1")), RIGHT, LINE, "run_g0_t1.nidq.bin"),
    Variant("two gates in folders", both(spikeglx(name="a/run_g0_t0"), spikeglx(name="b/run_g1_t0")), "2 recordings"),
    Variant("one gate of two", both(spikeglx(name="a/run_g0_t0"), spikeglx(name="b/run_g1_t0")), RIGHT, LINE, "b"),
    Variant("a CatGT file", spikeglx(name="run_g0_tcat"), RIGHT, LINE),
    Variant("spaces and dots in the name", spikeglx(name="mouse 3 v1.2_g0_t0"), RIGHT, LINE),
    Variant("no gate and trigger in the name", spikeglx(name="mouse"), RIGHT, LINE),
    Variant(
        "renamed on the disk",
        both(spikeglx(), rename(f"{NIDQ}.bin", "x.bin"), rename(f"{NIDQ}.meta", "x.meta")),
        RIGHT,
        LINE,
    ),
    Variant("a probe that is not known", spikeglx("imec0.ap"), RIGHT),
    Variant("a probe, and the NI device", both(spikeglx(), spikeglx("imec0.ap")), "--stream one of: imec0.ap, nidq"),
    Variant("the probe of both", both(spikeglx(), spikeglx("imec0.ap")), RIGHT, given(stream="imec0.ap")),
    Variant("the NI device of both", both(spikeglx(), spikeglx("imec0.ap")), RIGHT, given(stream="nidq", line=2)),
    Variant(
        "a stream that there is not", spikeglx(), "has no 'imec1.ap'; --stream one of: nidq", given(stream="imec1.ap")
    ),
    Variant("another bit of a probe", spikeglx("imec0.ap"), r"SYNC input \(bit 3 .*edges: 6", given(line=3)),
    Variant("a bit that there is not", spikeglx("imec0.ap"), "wanted a number from 0 to 15", given(line=16)),
    Variant("a probe without SYNC", both(spikeglx("imec0.ap"), meta(snsApLfSy="2,0,0")), "SYNC input was not saved"),
    Variant("a OneBox", spikeglx("obx0.obx"), RIGHT, LINE),
    Variant("a OneBox, its SYNC", spikeglx("obx0.obx"), r"SYNC input .* has no edges .*edges: 2"),
    Variant("a OneBox, another line", spikeglx("obx0.obx"), "line 5 has no edges", given(line=5)),
    Variant("a OneBox without lines", both(spikeglx("obx0.obx"), meta(snsXaDwSy="2,0,1")), "no digital word", LINE),
    Variant("an odd last byte", both(spikeglx(), cut("*.bin", -101)), RIGHT, LINE),
    Variant("an even last byte", both(spikeglx(), cut("*.bin", -102)), RIGHT, LINE),
    Variant("half of it", both(spikeglx(), cut("*.bin", COUNT * 2 + 1)), BEGINNING, LINE),
    Variant("less than a sample", both(spikeglx(), cut("*.bin", 3)), "has 3 bytes, and not one sample", LINE),
    Variant("nothing", both(spikeglx(), cut("*.bin", 0)), "has 0 bytes", LINE),
    Variant("more than it declares", both(spikeglx(), add("*.bin", b"1234")), "they do not belong together", LINE),
    Variant("a run that was not ended", both(spikeglx(), meta(fileSizeBytes=None, fileTimeSecs=None)), RIGHT, LINE),
    Variant("another length", both(spikeglx(), meta(fileTimeSecs=99)), "fileTimeSecs=99, and its samples", LINE),
    Variant("another rate", both(spikeglx(), meta(niSampRate=2000)), "fileTimeSecs=.* or the rate is another", LINE),
    Variant("no rate", both(spikeglx(), meta(niSampRate=None)), "the rate of the samples: --rate HZ", LINE),
    Variant("no rate, but given", both(spikeglx(), meta(niSampRate=None)), RIGHT, given(line=2, rate_hz=RATE_HZ)),
    Variant("rate 0", both(spikeglx(), meta(niSampRate=0)), "niSampRate=0: .*--rate HZ", LINE),
    Variant("rate nan", both(spikeglx(), meta(niSampRate="nan")), "niSampRate=nan", LINE),
    Variant("rate below 0", both(spikeglx(), meta(niSampRate=-5)), "niSampRate=-5", LINE),
    Variant("no channels", both(spikeglx(), meta(nSavedChans=None)), "nSavedChans=: wanted a whole number", LINE),
    Variant("0 channels", both(spikeglx(), meta(nSavedChans=0)), "declares 0 channels", LINE),
    Variant(
        "other channels", both(spikeglx(), meta(nSavedChans=3)), r"declares 3 channels, and 0 \+ 0 \+ 1 \+ 1", LINE
    ),
    Variant("no kinds of channels", both(spikeglx(), meta(snsMnMaXaDw=None)), "snsMnMaXaDw=: wanted the saved", LINE),
    Variant("three kinds of channels", both(spikeglx(), meta(snsMnMaXaDw="0,1,1")), "snsMnMaXaDw=0,1,1", LINE),
    Variant("kinds below 0", both(spikeglx(), meta(snsMnMaXaDw="0,-1,2,1")), "snsMnMaXaDw=0,-1", LINE),
    Variant("no size of the file", both(spikeglx(), meta(fileSizeBytes="x")), "fileSizeBytes=x: wanted a whole", LINE),
    Variant("no type", both(spikeglx(), meta(typeThis=None)), "none of its 1 .meta file is one of SpikeGLX", LINE),
    Variant(
        "a type that is not known", both(spikeglx(), meta(typeThis="scope")), "typeThis is not", LINE, f"{NIDQ}.bin"
    ),
    Variant("no .meta", both(spikeglx(), remove("*.meta")), "its metadata, .* not beside it", LINE, f"{NIDQ}.bin"),
    Variant("no .bin", both(spikeglx(), remove("*.bin")), "the samples that belong to .* are not there", LINE),
    Variant("a .cbin", both(spikeglx(), rename(f"{NIDQ}.bin", f"{NIDQ}.cbin")), "is compressed: decompress", LINE),
    Variant("an empty .meta", both(spikeglx(), cut("*.meta", 0)), "none of its 1 .meta", LINE),
    Variant("half a .meta", both(spikeglx(), cut("*.meta", 60)), "wanted", LINE),
    Variant("a .meta of bytes", both(spikeglx(), write(f"{NIDQ}.meta", bytes(range(256)) * 9)), "none of its 1", LINE),
    Variant(
        "a .meta with a mark", both(spikeglx(), replace("*.meta", b"typeThis", b"\xef\xbb\xbftypeThis")), RIGHT, LINE
    ),
    Variant("a .meta from Windows", both(spikeglx(), replace("*.meta", b"\n", b"\r\n")), RIGHT, LINE),
    Variant("a .meta with spaces", both(spikeglx(), replace("*.meta", b"=", b" = ")), RIGHT, LINE),
    Variant("a .meta of another program", both(spikeglx(), write("a.meta", "fileFormatVersion: 2\n")), RIGHT, LINE),
    Variant("files that macOS leaves", both(spikeglx(), write(f"._{NIDQ}.meta", "typeThis=nidq\n")), RIGHT, LINE),
    Variant("a link to its .bin", both(spikeglx(), link(f"{NIDQ}.bin")), RIGHT, LINE),
    Variant("a link to nothing", both(spikeglx(), link(f"{NIDQ}.bin"), remove("linked")), "are not there", LINE),
    Variant("an empty folder", write("a/b.txt", ""), "has no stream of SpikeGLX, no .meta", LINE, "a", "spikeglx"),
    Variant("a table", write("a.bin", "time,level\n1,1\n"), "its metadata, a.meta, is not beside it", LINE, "a.bin"),
]


def every_array(change: Any, stream: str = "") -> Damage:
    return arrays(stream, **dict.fromkeys(("states", "sample_numbers", "timestamps"), change))


def with_objects(folder: Path) -> None:
    np.save(folder / TTL / "states.npy", np.array([{}] * N), allow_pickle=True)


SHUFFLED = np.random.default_rng(3).permutation(N)
TTL = f"{RECORDING}/events/PXI-100.ProbeA/TTL"
UNSYNCED = arrays(timestamps=lambda t: np.full_like(t, -1.0))
TWO = both(binary("A-100.ProbeA"), binary("B-102.ProbeA"))
HEADER = "header.format = 'Open Ephys Data Format';\n"
OPEN_EPHYS = [
    Variant("plain", binary(), RIGHT),
    Variant("its node", binary(), RIGHT, path=NODE),
    Variant("its recording", binary(), RIGHT, path=RECORDING),
    Variant("its events", binary(), RIGHT, path=f"{RECORDING}/events"),
    Variant("its description", binary(), RIGHT, path=f"{RECORDING}/structure.oebin"),
    Variant("brackets in a name", binary(at="day [1]/Record Node 1/experiment1/recording1"), RIGHT, path="day [1]"),
    Variant("underscores in a name", binary(at="Record_Node_1/experiment1/recording1"), RIGHT),
    Variant("no node in the names", binary(at="x/y z"), RIGHT),
    Variant("no description", both(binary(), remove("structure.oebin")), RIGHT),
    Variant("a description that is none", both(binary(), write(f"{RECORDING}/structure.oebin", "{")), RIGHT),
    Variant(
        "a list as a description", both(binary(), write(f"{RECORDING}/structure.oebin", "[1]"), UNSYNCED), "--rate HZ"
    ),
    Variant("samples with a rate", binary(), RIGHT, given(rate_hz=RATE_HZ)),
    Variant("the first times are -1", both(binary(), arrays(timestamps=lambda t: np.where(t < t[5], -1.0, t))), PART),
    Variant(
        "some times are -1", both(binary(), arrays(timestamps=lambda t: np.where(np.arange(N) % 7 == 3, -1.0, t))), PART
    ),
    Variant("all times are -1", both(binary(), UNSYNCED), "numbers of samples and no times: .*--rate HZ"),
    Variant("all times are -1, with a rate", both(binary(), UNSYNCED), RIGHT, given(rate_hz=RATE_HZ)),
    Variant("all times are -1, of a known rate", both(binary(rate=True), UNSYNCED), RIGHT),
    Variant("a rate of 0", both(binary(rate=True), replace("*.oebin", b"1000.0", b"0.0"), UNSYNCED), "--rate HZ"),
    Variant(
        "a time that is no number",
        both(binary(), arrays(timestamps=lambda t: np.where(t == t[4], np.nan, t))),
        "is no number",
    ),
    Variant(
        "times that are samples",
        both(binary(rate=True), arrays(timestamps=lambda t: SAMPLES)),
        RIGHT,
    ),
    Variant("no times", both(binary(rate=True), remove("timestamps.npy")), RIGHT),
    Variant("no states", both(binary(), remove("states.npy")), "states.npy: cannot be read"),
    Variant("no samples", both(binary(), remove("sample_numbers.npy")), "sample_numbers.npy: cannot be read"),
    Variant(
        "samples that begin again", both(binary(), arrays(timestamps=lambda t: t % 1.5)), "clock was started again"
    ),
    Variant(
        "samples that begin again, with a rate",
        both(binary(), arrays(sample_numbers=lambda n: n % 1500)),
        "started again",
        given(rate_hz=RATE_HZ),
    ),
    Variant(
        "samples of 16 bits that wrap",
        both(binary(), arrays(sample_numbers=lambda n: (n * 30).astype(np.int16))),
        "started again",
        given(rate_hz=30 * RATE_HZ),
    ),
    Variant("events not in order", both(binary(), arrays(timestamps=lambda t: t[SHUFFLED])), "not in order"),
    Variant("events twice", both(binary(), every_array(lambda values: np.repeat(values, 2))), RIGHT),
    Variant("fewer states", both(binary(), arrays(states=lambda s: s[:-3])), "differ in length: 37 states, 40 sample"),
    Variant("fewer times", both(binary(), arrays(timestamps=lambda t: t[:-3])), "differ in length"),
    Variant("a cut array", both(binary(), cut("states.npy", 170)), "is cut off"),
    Variant("a cut header", both(binary(), cut("states.npy", 50)), "is no array of numpy"),
    Variant("an empty array file", both(binary(), cut("states.npy", 0)), "is no array of numpy"),
    Variant(
        "states of two dimensions", both(binary(), arrays(states=lambda s: s[:, None])), "wanted one series of numbers"
    ),
    Variant(
        "states that are words", both(binary(), arrays(states=lambda s: s.astype("U2"))), "wanted one series of numbers"
    ),
    Variant("states that are fractions", both(binary(), arrays(states=lambda s: s + 0.5)), "wanted whole numbers"),
    Variant(
        "states of line 0", both(binary(), arrays(states=lambda s: s * (np.arange(N) != 5))), "event 6 has the line 0"
    ),
    Variant("no events at all", both(binary(), every_array(lambda values: values[:0])), "has no TTL events"),
    Variant("an object in an array", both(binary(), with_objects), "wanted one series"),
    Variant("two processors", TWO, "--stream one of: A-100.ProbeA, B-102.ProbeA"),
    Variant("one of two processors", TWO, RIGHT, given(stream="B-102.ProbeA")),
    Variant(
        "two processors by their short name", TWO, "has no 'ProbeA'; --stream one of: A-100", given(stream="ProbeA")
    ),
    Variant("two streams", both(binary(), binary("PXI-100.ProbeB")), "--stream one of: ProbeA, ProbeB"),
    Variant("a stream of two", both(binary(), binary("PXI-100.ProbeB")), RIGHT, given(stream="ProbeB")),
    Variant(
        "a stream without events",
        both(binary(), binary("PXI-100.ProbeB"), every_array(lambda values: values[:0], "PXI-100.ProbeB")),
        RIGHT,
    ),
    Variant("a line that there is not", binary(), "has no '4'; --line one of: 3", given(line=4)),
    Variant("two recordings", both(binary(), binary(at=f"{NODE}/experiment1/recording2")), "2 recordings: give one of"),
    Variant(
        "one of two recordings", both(binary(), binary(at=f"{NODE}/experiment1/recording2")), RIGHT, path=RECORDING
    ),
    Variant(
        "two nodes", both(binary(), binary(at="Record Node 102/experiment1/recording1")), "2 recordings: give one of"
    ),
    Variant("version 0.5", old_binary, RIGHT),
    Variant(
        "version 0.5 without a rate", both(old_binary, remove("*.oebin")), "no times: give their rate with --rate HZ"
    ),
    Variant("version 0.5 with a rate", both(old_binary, remove("*.oebin")), RIGHT, given(rate_hz=RATE_HZ)),
    Variant("the Open Ephys format", events(), RIGHT),
    Variant("the file of events", events(), RIGHT, path=f"{NODE}/100_Data.events"),
    Variant("the old name of it", events("all_channels.events"), RIGHT),
    Variant("its messages beside it", both(events(), write(f"{NODE}/messages.events", "0, hello\n")), RIGHT),
    Variant("a header without a rate", events(header=HEADER), "no times: give their rate with --rate HZ"),
    Variant("a header with rate 0", events(header=f"{HEADER}header.sampleRate = 0;\n"), "--rate HZ"),
    Variant("a header that is none", events(header="hello"), "no file of Open Ephys events"),
    Variant("an event cut off", both(events(), cut("*.events", -5)), BEGINNING),
    Variant("a header cut off", both(events(), cut("*.events", 800)), "no file of Open Ephys events"),
    Variant("a header alone", both(events(), cut("*.events", 1024)), "has no"),
    Variant("two processors in a file", events(nodes=(100, 103)), "--stream one of: 100_Data.100, 100_Data.103"),
    Variant("one of them", events(nodes=(100, 103)), RIGHT, given(stream="100_Data.100")),
    Variant("two experiments", both(events("all_channels.events"), events("all_channels_2.events")), "2 recordings"),
    Variant(
        "one of two experiments",
        both(events("all_channels.events"), events("all_channels_2.events")),
        RIGHT,
        path=f"{NODE}/all_channels_2.events",
    ),
    Variant("the NWB format", open_ephys_nwb("PXI-100.ProbeA"), RIGHT),
    Variant("its file", open_ephys_nwb("PXI-100.ProbeA"), RIGHT, path=f"{NODE}/experiment1.nwb", form="open-ephys"),
    Variant("two streams in it", open_ephys_nwb("PXI-100.ProbeA", "PXI-100.ProbeB"), "--stream one of: ProbeA, ProbeB"),
    Variant("no streams in it", open_ephys_nwb(), "has no Open Ephys recording"),
    Variant("half of it", both(open_ephys_nwb("PXI-100.ProbeA"), cut("*.nwb", 900)), "cannot be read as NWB"),
    Variant("a node without anything", write(f"{NODE}/settings.xml", "<x/>"), "has no Open Ephys recording"),
    Variant(
        "files of both systems", both(binary(), spikeglx()), "of which format. --format one of: open-ephys, spikeglx"
    ),
    Variant("one of both systems", both(binary(), spikeglx()), RIGHT, form="open-ephys"),
    Variant("a file of neither", write("a.dat", "x"), "of which format", path="a.dat"),
    Variant("a folder that is not there", binary(), "there is no such file", path="nowhere"),
]

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


STATE = given(level="state")
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
    Variant("one channel of several", TWO_CHANNELS, RIGHT, given(line=1)),
    Variant("a channel that there is not", TWO_CHANNELS, "has no '2'; --line one of: 0, 1", given(line=2)),
    Variant("channels beside a signal", nwb(series(np.zeros((9, 4)), "probe"), series(V)), RIGHT),
    Variant("a bit of a word", sampled((signal() << 5 | 1).astype(np.uint16)), RIGHT, given(line=5)),
    Variant(
        "a bit beside others", sampled((signal() << 5 | np.arange(COUNT) % 8).astype(np.int32)), RIGHT, given(line=5)
    ),
    Variant("a bit that there is not", sampled(signal().astype(np.int16)), "wanted a bit from 0 to 15", given(line=16)),
    Variant("a bit of volts", sampled(V), "its values are no whole numbers", given(line=1)),
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
    Variant("states of a line that is named", at_times(np.where(LEVELS == 1, 3, -3)), RIGHT, given(line=3)),
    Variant("samples of 1 and -1 with times", at_times(2 * signal() - 1, SPAN), RIGHT),
    Variant("samples of an amplifier with times", at_times((1000 * V).astype(np.int16) - 1200, SPAN), RIGHT),
    Variant("states of a line", at_times(np.where(LEVELS == 1, 3, -3)), RIGHT),
    Variant("states of two lines", TWO_LINES, "--line one of: 3, 6"),
    Variant("one of two lines", TWO_LINES, RIGHT, given(line=6)),
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
        "a column that there is not", levels(WORDS), "has no 'level'; --level one of: start_time", given(level="level")
    ),
    Variant("one row of each", levels(WORDS), "no row has state=up; it has off, on", given(where=("state", "up"))),
    Variant("times alone", nwb(table(EDGES)), "no levels"),
    Variant("several objects", nwb(series(V), series(V, "other")), "--series one of: other, sync"),
    Variant("one of several objects", nwb(series(V, "other"), series(NOISE)), RIGHT, given(series="other")),
    Variant("nothing in it", nwb(), "has no table with times and no time series"),
    Variant("half a file", both(sampled(V), cut("*.nwb", 20_000)), "cannot be read as NWB"),
    Variant("an empty file", write("a.nwb", b""), "cannot be read as NWB"),
    Variant("a table of text", write("a.nwb", "time,level\n"), "cannot be read as NWB"),
    Variant("a folder", write("a.nwb/zarr.json", "{}"), "is a folder: wanted an NWB file", form="nwb"),
    Variant("HDF5 that is no NWB", both(sampled(V), hdf5(empty)), "cannot be read as NWB"),
]


def judge(path: Path, variant: Variant) -> None:
    """Fail unless the edges are true, or the refusal says what it must."""
    if variant.expected not in (RIGHT, BEGINNING, PART, "no levels", "inverted"):
        with pytest.raises((ConfigError, RecordError), match=f"(?s){variant.expected}") as refused:
            checked(read_recording(path, variant.form, variant.options))
        assert str(path.parent) in str(refused.value) or "edge" in str(refused.value)
        return
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


def ids(variants: list[Variant]) -> list[str]:
    assert len({variant.name for variant in variants}) == len(variants)
    return [variant.name for variant in variants]


@pytest.mark.parametrize("variant", SPIKEGLX, ids=ids(SPIKEGLX))
def test_spikeglx_is_read_right_or_refused(tmp_path: Path, variant: Variant) -> None:
    variant.make(tmp_path)
    judge(tmp_path / variant.path, variant)


@pytest.mark.parametrize("variant", OPEN_EPHYS, ids=ids(OPEN_EPHYS))
def test_open_ephys_is_read_right_or_refused(tmp_path: Path, variant: Variant) -> None:
    variant.make(tmp_path)
    judge(tmp_path / variant.path, variant)


@pytest.mark.filterwarnings("ignore")  # pynwb warns of what it reads or writes here
@pytest.mark.parametrize("variant", NWB, ids=ids(NWB))
def test_nwb_is_read_right_or_refused(tmp_path: Path, variant: Variant) -> None:
    pytest.importorskip("pynwb")
    variant.make(tmp_path)
    judge(tmp_path / "a.nwb", variant)
