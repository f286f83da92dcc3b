"""A mapping goes both ways, says nothing where it knows nothing, and is read only if it is whole."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.errors import RecordError
from rig.records.alignments.alignment import FORMAT, KIND, Mapping, Piece, alignments_of, read_alignment


@st.composite
def mappings(draw: st.DrawFn) -> Mapping:
    at_us, at_s = draw(st.floats(0, 1e9)), draw(st.floats(-1e4, 2e9))
    pieces = []
    for _ in range(draw(st.integers(1, 6))):
        length_us = draw(st.floats(1e3, 1e9))
        pieces.append(Piece(at_us, at_us + length_us, at_s, draw(st.floats(0.985, 1.015))))
        at_us = pieces[-1].to_us + draw(st.sampled_from([0.0, 1e6]))
        at_s = pieces[-1].end_s + draw(st.sampled_from([0.0, 2.5]))
    return Mapping("other", pieces, 10.0)


def document(**changes: object) -> dict[str, object]:
    piece = {"from_us": 0.0, "to_us": 1e6, "offset_s": 5.0, "rate": 1.0}
    return {"format": FORMAT, "kind": KIND, "uncertainty_us": 12.5, "pieces": [piece], **changes}


def put(session: Path, name: str, content: object) -> Path:
    path = session / "alignment" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


@settings(max_examples=40)
@given(mappings(), st.lists(st.floats(0.001, 0.999), min_size=1, max_size=20))
def test_there_and_back_is_the_same_time(mapping: Mapping, shares: list[float]) -> None:
    for piece in mapping.pieces:
        times = piece.from_us + np.array(shares) * (piece.to_us - piece.from_us)
        there = mapping.to_other(times)
        assert np.isfinite(there).all()
        back = mapping.to_session(there)
        # A time since 1970 in seconds is known to 0.24 us.
        assert (np.abs(back - times)[np.isfinite(back)] < 2).all()


@settings(max_examples=40)
@given(mappings())
def test_outside_of_all_pieces_nothing_is_known(mapping: Mapping) -> None:
    first, last = mapping.pieces[0], mapping.pieces[-1]
    assert np.isnan(mapping.to_other([first.from_us - 1e3, last.to_us + 1e3, np.nan])).all()
    assert np.isnan(mapping.to_session([first.offset_s - 1, last.end_s + 1, np.nan])).all()
    for one, other in zip(mapping.pieces, mapping.pieces[1:], strict=False):
        if other.from_us > one.to_us:
            assert np.isnan(mapping.to_other((one.to_us + other.from_us) / 2))


def test_a_number_gives_a_number_and_a_shape_its_shape() -> None:
    mapping = Mapping("other", [Piece(0.0, 1e6, 5.0, 1.0)], 1.0)
    assert float(mapping.to_other(500_000)) == 5.5
    assert mapping.to_other(np.zeros((2, 3))).shape == (2, 3)


@pytest.mark.parametrize(
    "pieces",
    [
        [],
        [Piece(1e6, 0.0, 0.0, 1.0)],
        [Piece(0.0, 1e6, 0.0, 0.0)],
        [Piece(0.0, 1e6, np.nan, 1.0)],
        [Piece(0.0, 1e6, 0.0, 1.0), Piece(5e5, 2e6, 5.0, 1.0)],
        [Piece(0.0, 1e6, 0.0, 1.0), Piece(1e6, 2e6, 0.5, 1.0)],
    ],
)
def test_pieces_that_contradict_each_other_are_no_mapping(pieces: list[Piece]) -> None:
    with pytest.raises(ValueError, match="piece"):
        Mapping("other", pieces, 1.0)


def test_all_alignments_of_a_session_are_found_by_name(tmp_path: Path) -> None:
    assert alignments_of(tmp_path) == {}
    put(tmp_path, "ephys.json", document())
    put(tmp_path, "camera-2.json", document(source={"file": "frames.csv"}))
    put(tmp_path, "frames_camera.ttl.csv", "frame,t_us\n")
    put(tmp_path, ".hidden.json", "{")
    found = alignments_of(tmp_path)
    assert sorted(found) == ["camera-2", "ephys"]
    assert found["camera-2"].source == "frames.csv"
    assert found["ephys"].uncertainty_us == 12.5
    assert sorted(alignments_of(tmp_path / "journal.jsonl")) == sorted(found)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        document(format=9),
        document(pieces=[]),
        document(pieces=[{}]),
        document(pieces=[{"from_us": "0", "to_us": 1, "offset_s": 0, "rate": 1}]),
        document(pieces=[{"from_us": 0, "to_us": 1, "offset_s": 0, "rate": True}]),
        document(pieces=5),
        document(source=5),
        document(uncertainty_us=None),
        json.dumps(document()).replace("12.5", "NaN"),
        json.dumps(document()).replace("12.5", "9" * 400),
    ],
)
def test_a_damaged_alignment_is_refused_with_its_path(tmp_path: Path, content: object) -> None:
    path = put(tmp_path, "ephys.json", content)
    with pytest.raises(RecordError, match=r"ephys\.json: "):
        read_alignment(path)
