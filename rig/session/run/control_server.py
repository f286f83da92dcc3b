"""The server at a session's socket: it never waits, and it works in small bounded steps.

Every ``POLL_S`` it accepts a few clients and reads at most one line of each. So no number of clients, and no client
that is slow, silent or talks nonsense, holds the session's loop. It works on every loop, also in virtual time.

At a port of the loopback interface any program may connect. Clients that have not passed the handshake have places of
their own, so that they take none from this user's programs, and little time.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from rig.core.clock import Timer, in_background, running
from rig.session.run.control_requests import ControlRequest, parse_request
from rig.system.carriers import listen
from rig.system.control_socket import MAX_LINE_BYTES
from rig.system.handshake import RESPONSE_BYTES, ServerHandshake

POLL_S = 0.05
MAX_CLIENTS = 16
MAX_UNAUTHENTICATED = 32
"""A further client that has not passed the handshake closes the oldest one: even in a flood each has 4 steps."""
ACCEPTED_AT_ONCE = 8
"""Clients that are accepted in one step, those included that are refused because there are too many."""
BACKLOG = 64
SILENT_S = 10.0
"""A client that sends no whole line, or reads no answer, for so long is disconnected."""
HANDSHAKE_S = 2.0
"""The longest time of a handshake: a client that needs longer is disconnected."""

TOO_MANY = f"{MAX_CLIENTS} programs are connected to this session already"

Reply = Callable[[dict[str, object]], None]
Handle = Callable[[ControlRequest, Reply], None]


def refusal(why: str) -> dict[str, object]:
    """Return the answer to a request that is not done."""
    return {"ok": False, "error": why}


class Client:
    """One connection: it sends lines, and gets one answer to each before its next line is read.

    With a handshake its first line must prove that it knows the secret; a client that does not gets no answer.
    """

    def __init__(self, connection: socket.socket, now_s: float) -> None:
        connection.setblocking(False)
        self.is_closed = False
        self._connection = connection
        self._handshake: ServerHandshake | None = None
        self._active_s = now_s
        self._received = bytearray()
        self._unsent = bytearray()
        self._ends = False
        self._is_answered = True

    def step(self, now_s: float, handle: Handle) -> None:
        """Send what is left of the last answer, or read on and handle one line."""
        try:
            if self._unsent:
                self._send(now_s)
            elif self._ends:
                self.close()
            elif self._is_answered:
                self._read(now_s)
                if self._handshake is None:
                    self._handle_line(handle)
                else:
                    self._check_proof(self._handshake)
                if self._unsent:
                    self._send(now_s)
            limit_s = SILENT_S if self.is_authenticated else HANDSHAKE_S
            if now_s - self._active_s > limit_s and self._is_answered:
                self.close()
        except OSError:  # it has gone: what it asked for is done all the same
            self.close()

    def challenge(self, handshake: ServerHandshake) -> None:
        """Send the first message of a handshake, which the client must pass. Raises ``OSError``."""
        self._handshake = handshake
        # A new connection takes so few bytes at once.
        self._connection.send(handshake.greeting)

    def reply(self, answer: dict[str, object]) -> None:
        """Queue the answer to the last line; a client that has gone gets none."""
        self._is_answered = True
        if not self.is_closed:
            self._unsent += json.dumps(answer).encode() + b"\n"

    def end(self, answer: dict[str, object]) -> None:
        """Queue a last answer; the connection is closed behind it."""
        self.reply(answer)
        self._ends = True

    def close(self) -> None:
        """Close the connection, after one more attempt to send what is left."""
        if not self.is_closed:
            self.is_closed = True
            with suppress(OSError):
                self._connection.send(self._unsent)
            # What is left unread would reach the other end as an error, before our last answer.
            with suppress(OSError):
                self._connection.recv(1 << 16)
            self._connection.close()

    @property
    def is_ending(self) -> bool:
        """Whether its last answer is queued."""
        return self._ends

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for an answer."""
        return not self._is_answered

    @property
    def is_authenticated(self) -> bool:
        """Whether it has passed the handshake, or needs none."""
        return self._handshake is None

    def _send(self, now_s: float) -> None:
        with suppress(BlockingIOError):
            sent = self._connection.send(self._unsent)
            del self._unsent[:sent]
            self._active_s = now_s

    def _read(self, now_s: float) -> None:
        if b"\n" in self._received:
            return
        with suppress(BlockingIOError):
            received = self._connection.recv(MAX_LINE_BYTES)
            if not received:
                raise ConnectionResetError
            self._received += received
            if b"\n" in self._received:  # half a line is no sign of life: a client may send one byte now and then
                self._active_s = now_s

    def _check_proof(self, handshake: ServerHandshake) -> None:
        # Exactly one line: an honest client sends no request before it has the server's proof.
        if len(self._received) >= RESPONSE_BYTES:
            self._unsent += handshake.prove(bytes(self._received))
            self._received.clear()
            self._handshake = None

    def _handle_line(self, handle: Handle) -> None:
        line, line_end, rest = self._received.partition(b"\n")
        if len(line) >= MAX_LINE_BYTES:
            self.end(refusal(f"a request has at most {MAX_LINE_BYTES} bytes"))
        elif line_end:
            self._received = rest
            self._is_answered = False
            try:
                request = parse_request(bytes(line))
            except ValueError as error:
                self.reply(refusal(str(error)))
            else:
                handle(request, self.reply)


class ControlServer:
    """A server of one session: ``with ControlServer(folder, handle):``; its socket is removed at the end.

    ``handle(request, reply)`` does a request and calls ``reply`` once with the answer, at once or later. Raises
    ``OSError`` where the socket cannot be opened.
    """

    def __init__(self, folder: Path, handle: Handle) -> None:
        self._folder = folder
        self._handle = handle
        self._clients: list[Client] = []
        self._timer: Timer | None = None

    def __enter__(self) -> ControlServer:
        self._listener = listen(self._folder, BACKLOG)
        self.path = self._listener.path
        self._schedule()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._listener.close()
        for client in self._clients:
            if client.is_waiting:
                client.reply(refusal("the session has ended"))
            client.close()

    def _schedule(self) -> None:
        # In the background: a server alone must not keep a simulated session from its `Deadlock`.
        self._timer = in_background(running())(POLL_S, self._poll)

    def _poll(self) -> None:
        now_s = running().time()
        self._accept(now_s)
        if self._clients:
            for client in self._clients:
                was_authenticated = client.is_authenticated
                client.step(now_s, self._handle)
                if client.is_authenticated and not was_authenticated and self._count_authenticated() > MAX_CLIENTS:
                    client.end(refusal(TOO_MANY))
            self._clients = [client for client in self._clients if not client.is_closed]
        self._schedule()

    def _accept(self, now_s: float) -> None:
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                connection = self._listener.accept()
            except OSError:  # there is none, or it has gone, or this program has no file descriptor left
                return
            client = Client(connection, now_s)
            try:
                if (handshake := self._listener.handshake(connection)) is not None:
                    client.challenge(handshake)
                    self._make_room()
                elif self._count_authenticated() >= MAX_CLIENTS:
                    client.end(refusal(TOO_MANY))
            except PermissionError as error:
                client.end(refusal(str(error)))
            except OSError:
                client.close()
            if client.is_ending:
                client.close()
            if not client.is_closed:
                self._clients.append(client)

    def _count_authenticated(self) -> int:
        open_clients = (client for client in self._clients if not (client.is_ending or client.is_closed))
        return sum(client.is_authenticated for client in open_clients)

    def _make_room(self) -> None:
        """Close the oldest unauthenticated client if there are too many: a flood must not keep the next one out."""
        unauthenticated = [client for client in self._clients if not client.is_authenticated]
        if len(unauthenticated) >= MAX_UNAUTHENTICATED:
            unauthenticated[0].close()
            self._clients.remove(unauthenticated[0])
