"""Which boards there are to be held to the contract: ``--board NAME``; without it, all those that are simulated.

A port is held to what can be promised without leads on its pins. A test that is a coroutine function begins when the
board has been opened, under the ``conditions`` of `ContractBench.run`.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.contracts.bench import ContractBench
from tests.contracts.port_bench import PortBench
from tests.contracts.virtual_bench import Avr8jsBench, AvrBench, PicoBench, PicoUsbBench, SimBench
from tests.coroutine_tests import Test, run_coroutine_test

BENCHES: Mapping[str, Mapping[str, Callable[[], ContractBench]]] = {
    "sim": {
        "1us": SimBench,
        "4us-slow-wraps": lambda: SimBench(4000, 0x1_0000_0000 - 500_000, -3_000.0),
        "half-us-fast": lambda: SimBench(500, 7, 150.0),
    },
    "avr": {
        "uno": AvrBench,
        "mega-slow": lambda: AvrBench("mega", ppm=-200.0),
        "uno-wraps": lambda: AvrBench(laps=8),  # after a quarter of a second
    },
    "avr8js": {
        "uno": Avr8jsBench,
        "mega": lambda: Avr8jsBench("mega", ppm=200.0),
    },
    "pico": {"pico": PicoBench},
    "pico-usb": {"pico": PicoUsbBench},
}

SAMPLING = ("sim", "pico")
"""Boards that sample analog inputs and encoders: those of tests with the fixture ``sampling``."""

SLOW = {"pico": (pytest.mark.slow,), "pico-usb": (pytest.mark.campaign,)}
"""Boards whose simulator is slow, by the command that has them: `make slow`, or `make campaign`."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "rig" in metafunc.fixturenames:
        name = metafunc.config.getoption("--board")
        if name is not None and name.startswith(("/", "COM")):
            chosen: Mapping[str, Mapping[str, Callable[[], ContractBench]]] = {"port": {name: lambda: PortBench(name)}}
        elif name is None or name in BENCHES:
            chosen = BENCHES if name is None else {name: BENCHES[name]}
        else:
            raise pytest.UsageError(f"--board {name}: there are: {', '.join(BENCHES)}, and ports such as /dev/ttyACM0")
        if "sampling" in metafunc.fixturenames:
            chosen = {board: kinds for board, kinds in chosen.items() if board in SAMPLING}
        benches = [
            pytest.param(made, id=f"{board}-{kind}", marks=SLOW.get(board, ()))
            for board, kinds in chosen.items()
            for kind, made in kinds.items()
        ]
        metafunc.parametrize("rig", benches, indirect=True)


@pytest.fixture
def conditions() -> Mapping[str, Any]:
    """Return the conditions under which the board of a coroutine function is opened; a test may have its own."""
    return {}


@pytest.fixture
def rig(request: pytest.FixtureRequest, conditions: Mapping[str, Any]) -> ContractBench:
    bench: ContractBench = request.param()
    bench.conditions = conditions
    return bench


@pytest.fixture
def sampling() -> None:
    """Keep a test to the boards that sample."""


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine function on the board of its bench."""

    def run(test: Test) -> None:
        (bench,) = (value for value in pyfuncitem.funcargs.values() if isinstance(value, ContractBench))
        bench.run(lambda rig: test(), **bench.conditions)

    return run_coroutine_test(pyfuncitem, run)
