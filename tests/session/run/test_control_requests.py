"""One line of a request: what is accepted, and what is said of everything else."""

import json
import random
from contextlib import suppress

import pytest

from rig.session.run.control_requests import FIELDS, ControlRequest, parse_request


def test_every_request_has_its_fields() -> None:
    assert parse_request(b'{"do": "status"}') == ControlRequest("status")
    assert parse_request(b'{"do": "reward", "source": " left "}') == ControlRequest("reward", "left")
    assert parse_request('{"do": "note", "text": "groomed, 3 µl left"}'.encode()) == ControlRequest(
        "note", "groomed, 3 µl left"
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"", "no JSON"),
        (b"hello", "no JSON"),
        (b"\xff\xfe\x00", "no JSON"),
        (b"[" * 4000, "no JSON"),
        (b"[]", "do, which is one of status, reward, note, set, pause, resume, end"),
        (b"17", "do, which is one of"),
        (b"{}", "do, which is one of"),
        (b'{"do": ["end"]}', "do, which is one of"),
        (b'{"do": "sudo"}', "do, which is one of"),
        (b'{"do": "reward"}', "reward needs source, a text"),
        (b'{"do": "reward", "source": 3}', "reward needs source, a text"),
        (b'{"do": "reward", "source": "  "}', "reward needs source, a text"),
        (b'{"do": "reward", "source": "left", "ul": 3}', "reward has no field 'ul'; it has source"),
        (b'{"do": "end", "now": true}', "end has no field 'now'; it has no further field"),
        (json.dumps({"do": "note", "text": "a" * 1001}).encode(), "1001 characters, and at most 1000"),
        (b'{"do": "note", "text": "\\u001b[2J"}', "control character"),
        (b'{"do": "note", "text": "\\ud800"}', "half a character"),
        (b'{"do": "note", "text": "' + b"a" * 4096 + b'"}', "at most 4096 bytes"),
    ],
)
def test_everything_else_gets_one_sentence(line: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        parse_request(line)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_no_bytes_do_anything_but_be_refused() -> None:
    draw = random.Random(1)
    for _ in range(2_000):
        raw = bytearray(b'{"do": "reward", "source": "left"}')
        for _ in range(draw.randrange(1, 6)):
            raw[draw.randrange(len(raw))] = draw.randrange(256)
        with suppress(ValueError):
            assert parse_request(bytes(raw)).do in FIELDS
