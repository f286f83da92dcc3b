"""A virtual mouse that perceives long buzzes better than short ones."""

import math

from pydantic import Field

from sim_hardware.models.base import Model, ModelParams, lognormal
from sim_hardware.world.body import Body, output


class WhiskerMouseParams(ModelParams):
    """Parameters of the mouse."""

    threshold_ms: float = Field(default=30, gt=0, description="the mouse perceives 63 % of the buzzes of this length")
    latency_s: float = Field(default=0.4, gt=0, description="median time from the end of a buzz to the poke")


class WhiskerMouse(Model):
    """Pokes after the buzzes that it perceives."""

    Params = WhiskerMouseParams
    needs = ("hole", "buzzer")

    def __init__(self, params: WhiskerMouseParams) -> None:
        self._params = params

    async def live(self, body: Body) -> None:
        """Wait for buzzes until the session ends."""
        buzzer = output("buzzer")
        while True:
            await body.wait_for(buzzer.on)
            start_s = body.now_s
            await body.wait_for(buzzer.off)
            buzz_ms = (body.now_s - start_s) * 1000
            if body.random.random() < 1 - math.exp(-buzz_ms / self._params.threshold_ms):
                await body.wait(lognormal(body.random, self._params.latency_s, 0.3))
                body.enter("hole")
                await body.wait(0.2)
                body.leave("hole")
