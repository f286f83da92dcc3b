"""Two programs that prove a secret to each other: what is wrong, old or turned around proves nothing."""

import itertools

import pytest

from rig.system.handshake import (
    GREETING_BYTES,
    PROOF_BYTES,
    RESPONSE_BYTES,
    ClientHandshake,
    ServerHandshake,
    new_secret,
)

SECRET, OTHER = bytes(range(32)), bytes(32)


def test_both_know_the_secret() -> None:
    server = ServerHandshake(SECRET)
    client = ClientHandshake(SECRET, server.greeting)
    proof = server.prove(client.response)
    client.check(proof)
    assert [len(message) for message in (server.greeting, client.response, proof)] == [
        GREETING_BYTES,
        RESPONSE_BYTES,
        PROOF_BYTES,
    ]


def test_neither_believes_one_that_does_not_know_it() -> None:
    server = ServerHandshake(SECRET)
    with pytest.raises(PermissionError, match="client does not know"):
        server.prove(ClientHandshake(OTHER, server.greeting).response)
    impostor = ServerHandshake(OTHER)
    client = ClientHandshake(SECRET, impostor.greeting)
    with pytest.raises(PermissionError, match="client does not know"):  # nor does the impostor learn anything of use
        impostor.prove(client.response)
    with pytest.raises(PermissionError, match="server does not know"):
        client.check(impostor.greeting)


def test_what_was_recorded_proves_nothing_at_the_next_connection() -> None:
    first, second = ServerHandshake(SECRET), ServerHandshake(SECRET)
    recorded = ClientHandshake(SECRET, first.greeting)
    proof = first.prove(recorded.response)
    with pytest.raises(PermissionError):
        second.prove(recorded.response)
    with pytest.raises(PermissionError):
        ClientHandshake(SECRET, first.greeting).check(proof)


def test_a_proof_that_is_sent_back_proves_nothing() -> None:
    server = ServerHandshake(SECRET)
    client = ClientHandshake(SECRET, server.greeting)
    with pytest.raises(PermissionError):
        client.check(client.response[64:])


def test_each_digit_counts() -> None:
    server = ServerHandshake(SECRET)
    client = ClientHandshake(SECRET, server.greeting)
    response = client.response
    for place in range(RESPONSE_BYTES - 1):
        changed = bytearray(response)
        changed[place] = ord("1" if changed[place] == ord("0") else "0")
        with pytest.raises(PermissionError):
            server.prove(bytes(changed))
    client.check(server.prove(response))


@pytest.mark.parametrize("message", [b"", b"\n", b"zz\n", b"\xff" * 129, b"a" * 128 + b"\n", b" " * 128 + b"\n"])
def test_nonsense_is_no_message(message: bytes) -> None:
    with pytest.raises(PermissionError):
        ServerHandshake(SECRET).prove(message)
    with pytest.raises(PermissionError, match="no message"):
        ClientHandshake(SECRET, message)


def test_no_secret_and_no_nonce_comes_twice() -> None:
    secrets = {new_secret() for _ in range(100)}
    assert {len(secret) for secret in secrets} == {32}
    greetings = [ServerHandshake(SECRET).greeting for _ in range(100)]
    assert len(secrets) == 100
    assert all(a != b for a, b in itertools.pairwise(sorted(greetings)))
