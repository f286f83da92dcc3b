"""What blocks of samples take of the line, compared with the bytes of their frames."""

import pytest

from rig.boards.wire import frame
from rig.boards.wire.block_size import bytes_per_s
from rig.boards.wire.messages import COUNTS, SAMPLES
from rig.core.model.board import AnalogSource, EncoderSource


@pytest.mark.parametrize(("period_us", "values"), [(100, 51), (1_000, 51), (10_000, 10), (100_000, 1), (1_000_000, 1)])
def test_an_analog_input_takes_the_bytes_of_its_blocks(period_us: int, values: int) -> None:
    sent = frame.encode(SAMPLES.pack_values(0, 0, 0, 0, period_us, values=[1] * values))
    assert bytes_per_s(AnalogSource("lever", 14, period_us)) == pytest.approx(1e6 * len(sent) / (values * period_us))


@pytest.mark.parametrize(("period_us", "values"), [(100, 25), (1_000, 25), (10_000, 10), (1_000_000, 1)])
def test_an_encoder_takes_the_bytes_of_its_blocks(period_us: int, values: int) -> None:
    sent = frame.encode(COUNTS.pack_values(0, 0, 0, 0, period_us, values=[1] * values))
    assert bytes_per_s(EncoderSource("wheel", 2, 3, period_us)) == pytest.approx(1e6 * len(sent) / (values * period_us))
