"""A session at whose socket nonsense is spoken decides and records what it would without it."""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from rig.core.clock import running
from rig.core.journal.kinds import OperatorNote, SessionLine
from rig.platform.local_sockets import REFUSES_AT_ONCE
from rig.records.journal.read import read_journal
from rig.session.replay import replay_lines
from rig.session.run.control_requests import FIELDS
from rig.session.run.run_session import SessionResult
from tests.control_client import ControlClient
from tests.session.run.test_controls import SLOW, Desk

pytestmark = pytest.mark.skipif(not REFUSES_AT_ONCE, reason="a full queue takes seconds to refuse a client there")

REQUESTS = (
    b'{"do": "reward", "source": "left"}',
    b'{"do": "note", "text": "x"}',
    b'{"do": "set", "param": "reward_ul=3"}',
    b'{"do": "pause"}',
    b'{"do": "resume"}',
    b'{"do": "end"}',
)
SHAPES: tuple[Any, ...] = (
    *(None, True, 17, -1.5e308, "end", [], ["end"], [{"do": "end"}], {}),
    *({"do": do} for do in (None, 3, ["end"], {"do": "end"}, "END", "\x00end", "reward", "note", "resume", "stop")),
    *({"do": "reward", "source": source} for source in (["left"], "", "center", "../left", None, 1)),
    *({"do": "note", "text": text} for text in ("\x1b[2J", "\ud800", "a" * 2_000, " ", 7)),
    *({"do": do, "now": True} for do in ("pause", "resume", "end", "status")),
    *({"do": "set", "param": param} for param in ("reward_ul", "wings=2", "=", "", 3, {"reward_ul": 3})),
    {"do": "reward", "source": "left", "ul": 1e9},
)
"""JSON that is no request, or one that cannot be done while nothing is paused."""


@dataclass(frozen=True)
class Message:
    """Parts that are sent one after the other, 0.15 s apart; the client then goes, or stays."""

    parts: tuple[bytes, ...]
    stays_s: float


def random_bytes(draw: random.Random) -> tuple[bytes, ...]:
    return (draw.randbytes(draw.randrange(1, 300)), b"\n")


def another_shape(draw: random.Random) -> tuple[bytes, ...]:
    return (json.dumps(draw.choice(SHAPES)).encode() + b"\n",)


def half_a_line(draw: random.Random) -> tuple[bytes, ...]:
    request = draw.choice(REQUESTS)
    return (request if draw.random() < 0.5 else request[: draw.randrange(1, len(request))],)


def changed_request(draw: random.Random) -> tuple[bytes, ...]:
    raw = bytearray(draw.choice(REQUESTS))
    for _ in range(draw.randrange(1, 6)):
        raw[draw.randrange(len(raw))] = draw.randrange(256)
    return (bytes(raw) + b"\n",)


def huge_line(draw: random.Random) -> tuple[bytes, ...]:
    return (b'{"do": "end", "a": "' + b"a" * draw.randrange(4_096, 100_000), b'"}\n')


def one_byte_now_and_then(draw: random.Random) -> tuple[bytes, ...]:
    raw = draw.choice((b"end\n", b'{"do":\n', b"\n\n\n\n"))
    return tuple(bytes([each]) for each in raw)


def nothing(draw: random.Random) -> tuple[bytes, ...]:
    return ()


KINDS: tuple[Callable[[random.Random], tuple[bytes, ...]], ...] = (
    random_bytes,
    another_shape,
    half_a_line,
    changed_request,
    huge_line,
    one_byte_now_and_then,
    nothing,
)


def may_be_done(texts: dict[str, str]) -> bool:
    """Whether a request has its fields, and asks for something that this session could do."""
    match texts:
        case {"do": "reward", "source": source}:
            return source.strip() in ("left", "right")
        case {"do": "set", "param": param}:
            return "reward_ul" in param and "=" in param
        case {"do": "note", "text": text}:
            return len(text.strip()) in range(1, 1001)
    return texts.get("do") in ("pause", "end") and len(texts) == 1


def is_request(parts: tuple[bytes, ...]) -> bool:
    """Whether one of the lines may be a request that can be done; judged without the program's own reader."""
    for line in b"".join(parts).split(b"\n")[:-1]:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(found, dict):
            continue
        texts = {name: text for name, text in found.items() if isinstance(text, str) and text.isprintable()}
        if texts == found and may_be_done(texts):
            return True
    return False


def nonsense(draw: random.Random) -> Message:
    while is_request(parts := draw.choice(KINDS)(draw)):
        pass
    return Message(parts, draw.choice((0.0, 0.05, 0.3, 15.0)))


class Crowd(Desk):
    """Many programs at the socket, each with a message of its own."""

    def _ask(self, request: dict[str, Any]) -> None:
        message: Message = request["message"]
        client = ControlClient(self._path)
        self.clients.append(client)
        for number, part in enumerate(message.parts):
            running().call_later(0.15 * number, self._send, client, part)
        running().call_later(0.15 * len(message.parts) + message.stays_s, client.close)

    def _send(self, client: ControlClient, part: bytes) -> None:
        if client.socket.fileno() >= 0:
            client.send(part)


@pytest.fixture
def crowd(runtime: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Crowd:
    return Crowd(runtime, monkeypatch, tmp_path)


def spoken(crowd: Crowd, messages: list[tuple[float, Message]]) -> SessionResult:
    try:
        return crowd.run([(at_s, {"message": message}) for at_s, message in messages], **SLOW)
    finally:
        for client in crowd.clients:
            client.close()


def told(result: SessionResult) -> list[SessionLine]:
    """The lines of a session, without its ends."""
    return read_journal(result.folder)[1:-1]


def test_nonsense_is_no_request() -> None:
    draw = random.Random(3)
    made = [nonsense(draw) for _ in range(2_000)]
    assert not any(is_request(message.parts) for message in made)
    assert any(message.parts == (b'{"do": "end"}',) for message in made), "a whole request that lacks its line break"
    assert {request.split(b'"')[3].decode() for request in REQUESTS} | {"status"} == set(FIELDS)


@pytest.mark.parametrize("seed", range(3))
def test_a_thousand_pieces_of_nonsense_change_no_line_of_the_journal(crowd: Crowd, seed: int) -> None:
    quiet = crowd.run([], **SLOW)
    draw = random.Random(seed)
    at = sorted(0.5 + 18 * draw.random() for _ in range(1_000))
    loud = spoken(crowd, [(at_s, nonsense(draw)) for at_s in at])
    assert len(crowd.clients) > 900, "the others have found too many programs before them"
    assert told(loud) == told(quiet)
    # Only the header is another one: it has the first session among those before.
    loud_end, quiet_end = (structs.replace(result.outcome.footer, digest="") for result in (loud, quiet))
    assert loud_end == quiet_end
    assert replay_lines(read_journal(loud.folder))[1] is None


def test_among_nonsense_a_note_is_written_and_nothing_else_changes(crowd: Crowd) -> None:
    quiet = crowd.run([], **SLOW)
    draw = random.Random(9)
    messages = [(1 + 0.17 * each, nonsense(draw)) for each in range(100)]
    note = Message((b'{"do": "note", "text": "here"}\n',), 1.0)
    loud = spoken(crowd, sorted([*messages, *((at_s, note) for at_s in (3.0, 9.0, 15.0))], key=lambda each: each[0]))
    found = [line for line in told(loud) if not isinstance(line, OperatorNote)]
    assert len(found) == len(told(loud)) - 3
    assert found == told(quiet)
