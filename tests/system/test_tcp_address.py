"""Names of TCP ports: which are URLs, which can be opened, and what an option means."""

import pytest

from rig.core.errors import ConfigError
from rig.system.tcp_address import TcpAddress, check_port, is_url, parse_place, parse_url
from tests.tables import rows


@rows("text", "host", "port")
def test_a_url_names_a_host_and_a_port_and_is_written_the_same_way(text: str, host: str, port: int) -> None:
    address = parse_url(text)
    assert address == TcpAddress(host, port)
    assert parse_url(str(address)) == address


@pytest.mark.parametrize("name", ["/dev/ttyACM0", "COM3", r"\\.\COM10", "C:/x", "socket", ""])
def test_a_serial_port_is_no_url(name: str) -> None:
    assert not is_url(name)
    assert check_port(name) == name


@pytest.mark.parametrize(
    "text",
    [
        "socket://127.0.0.1",
        "socket://127.0.0.1:",
        "socket://127.0.0.1:0",
        "socket://127.0.0.1:65536",
        "socket://127.0.0.1:99999999999",
        "socket://:5331",
        "socket://127.0.0.1:5331/x",
        "socket://127.0.0.1:5331?logging=debug",
        "socket://user@host:5331",
        "socket://a b:5331",
        "socket://127.0.0.1:5331\n",
        "socket://rig..lab:5331",
        "socket://.:5331",
        "socket://" + "a" * 64 + ".lab:5331",
        "socket://127.0.0.1:٥٣",
        "rfc2217://127.0.0.1:5331",
        "http://127.0.0.1:5331",
    ],
)
def test_another_url_is_refused_with_one_that_would_do(text: str) -> None:
    assert is_url(text)
    with pytest.raises(ConfigError, match=r"is no port: wanted .* such as socket://127\.0\.0\.1:5331"):
        parse_url(text)
    with pytest.raises(ValueError, match="is no port"):
        check_port(text)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("5331", TcpAddress("127.0.0.1", 5331)),
        ("0", TcpAddress("127.0.0.1", 0)),
        ("0.0.0.0:5331", TcpAddress("0.0.0.0", 5331)),
        ("[::]:5331", TcpAddress("::", 5331)),
    ],
)
def test_an_option_is_a_port_of_this_computer_or_names_a_host(text: str, address: TcpAddress) -> None:
    assert parse_place(text, "--tcp") == address
    assert address.is_of_this_computer == text.isdecimal()


@pytest.mark.parametrize("text", ["-1", "65536", "", "x", "a:b", "a..b:1", "socket://127.0.0.1:1", ":5331"])
def test_another_option_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"--tcp .*wanted the number of a TCP port"):
        parse_place(text, "--tcp")
