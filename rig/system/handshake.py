"""Two programs prove to each other that they know a secret, without sending it.

The server sends a nonce; the client sends a nonce of its own and its proof; the server sends its proof. A proof is the
HMAC-SHA-256 of both nonces and of the direction. So no proof is of use again, nor in the other direction. Each message
is a line of hexadecimal digits with a fixed length.
"""

from __future__ import annotations

import hmac
import secrets

SECRET_BYTES = 32
NONCE_BYTES = 32
_DIGEST = "sha256"
_DIGITS = 2 * NONCE_BYTES
"""A proof has as many bytes as a nonce."""

GREETING_BYTES = PROOF_BYTES = _DIGITS + 1
"""The length of both messages of the server, with the line break."""
RESPONSE_BYTES = 2 * _DIGITS + 1
"""The length of the client's message, with the line break."""

_OF_CLIENT = b"rig control: client"
_OF_SERVER = b"rig control: server"


def new_secret() -> bytes:
    """Return a new secret of 256 bits."""
    return secrets.token_bytes(SECRET_BYTES)


class ServerHandshake:
    """The server's side of one connection."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._nonce = secrets.token_bytes(NONCE_BYTES)

    @property
    def greeting(self) -> bytes:
        """Return the first message."""
        return _line(self._nonce)

    def prove(self, response: bytes) -> bytes:
        """Return the server's proof. Raises ``PermissionError`` for a client that does not know the secret."""
        nonce, proof = _parsed(response, RESPONSE_BYTES)
        nonces = self._nonce + nonce
        if not hmac.compare_digest(proof, _proof(self._secret, _OF_CLIENT, nonces)):
            raise PermissionError("the client does not know the secret")
        return _line(_proof(self._secret, _OF_SERVER, nonces))


class ClientHandshake:
    """The client's side of one connection. Raises ``PermissionError`` for what is no greeting."""

    def __init__(self, secret: bytes, greeting: bytes) -> None:
        self._secret = secret
        self._nonce = secrets.token_bytes(NONCE_BYTES)
        self._nonces = b"".join(_parsed(greeting, GREETING_BYTES)) + self._nonce

    @property
    def response(self) -> bytes:
        """Return the client's message."""
        return _line(self._nonce + _proof(self._secret, _OF_CLIENT, self._nonces))

    def check(self, proof: bytes) -> None:
        """Check the server's proof. Raises ``PermissionError`` for a server that does not know the secret."""
        received = b"".join(_parsed(proof, PROOF_BYTES))
        if not hmac.compare_digest(received, _proof(self._secret, _OF_SERVER, self._nonces)):
            raise PermissionError("the server does not know the secret")


def _proof(secret: bytes, direction: bytes, nonces: bytes) -> bytes:
    return hmac.digest(secret, direction + nonces, _DIGEST)


def _line(raw: bytes) -> bytes:
    return raw.hex().encode() + b"\n"


def _parsed(line: bytes, length: int) -> tuple[bytes, bytes]:
    """Return the first 32 bytes of a message, and those behind them. Raises ``PermissionError``."""
    try:
        raw = bytes.fromhex(line[:-1].decode("ascii"))
    except ValueError:
        raw = b""
    if len(line) != length or len(raw) != (length - 1) // 2:
        raise PermissionError("this is no message of the handshake")
    return raw[:NONCE_BYTES], raw[NONCE_BYTES:]
