"""Which boards there are to be held to the contract: ``--board NAME``; without it, all those that are simulated.

A port is held to what can be promised without leads on its pins.
"""

from collections.abc import Callable, Mapping

import pytest

from tests.contracts.bench import ContractBench
from tests.contracts.port_bench import PortBench
from tests.contracts.virtual_bench import Avr8jsBench, AvrBench, SimBench

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
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "rig_under_test" in metafunc.fixturenames:
        name = metafunc.config.getoption("--board")
        if name is not None and name.startswith(("/", "COM")):
            chosen: Mapping[str, Mapping[str, Callable[[], ContractBench]]] = {"port": {name: lambda: PortBench(name)}}
        elif name is None or name in BENCHES:
            chosen = BENCHES if name is None else {name: BENCHES[name]}
        else:
            raise pytest.UsageError(f"--board {name}: there are: {', '.join(BENCHES)}, and ports such as /dev/ttyACM0")
        benches = {f"{board}-{kind}": made for board, kinds in chosen.items() for kind, made in kinds.items()}
        metafunc.parametrize("rig_under_test", list(benches.values()), ids=list(benches), indirect=True)


@pytest.fixture
def rig_under_test(request: pytest.FixtureRequest) -> ContractBench:
    bench: ContractBench = request.param()
    return bench
