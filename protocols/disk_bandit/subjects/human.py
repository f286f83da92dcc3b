"""A virtual participant at the eight disks: reads pages, clicks disks, collects points, answers questions.

Chooses by Luce's rule as a pigeon does, without preferences for places. Theta grows in every session, and begins to
grow later in the first one, in which no disk is known: theta(b) = theta_max (1 - exp(-t / tau)), where t is the time of
growth to the end of the block of 30 seconds b. A share of the clicks is on any disk, because everybody sampled every
disk. In the first minute a disk's interval in the session before has a small weight, too.

No theta of people was published as a number (Racey et al. 2011). ``theta_max``, ``tau_s``, ``late_s``, ``carry_over``
and ``explore`` were set so that the analysis of many people finds about the published R², effects of block, session and
their interaction, and weights of the session before. The weights found after the first minute are those of clicks on
any disk, which Luce's rule does not have: people give the session before no weight then. ``click_s`` was set so that
there are the published 2,067 clicks on disks in 36 minutes; times to read, to react and to type are guesses.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from pydantic import Field

from protocols.disk_bandit.subjects.disk_choice import DiskValues, disks_in, draw_by_weight, log_rate, touch
from protocols.disk_bandit.subjects.human_parameters import traits_of
from protocols.disk_bandit.subjects.luce import LucePolicy, LuceWeights
from rig.core.model.scene import Button, Scene, Text, Tile
from sim_hardware.models.base import Model, ModelParams, lognormal
from sim_hardware.world.body import Body

BOX = "box"
BLOCK_S = 30.0
REMEMBERED_BLOCKS = 2
"""In these first blocks of a session the session before has a weight: t was 1.68 and 2.63, then 0.78 to 1.23."""
WORDS_PER_S = 4.0
GLANCE_S = 0.3
"""Period at which the participant looks at the screen."""
ANSWERS = (
    "Some discs gave points more often than others.",
    "I clicked most on the discs that had given points, and now and then on the others.",
    "Some were ready again soon, some took long.",
    "The good discs were in other places.",
)


class HumanModelParams(ModelParams):
    """Parameters of a participant; guesses unless a source is given."""

    subject: str = Field(
        default="", description="whose differences from the average it has; the subject's name, as a rule"
    )
    spread: float = Field(default=1.0, ge=0, le=5, description="factor of the differences between people; 0: all alike")
    theta_max: float = Field(default=0.68, ge=0, le=20, description="theta at the end of a session")
    tau_s: float = Field(default=22.0, gt=0, le=3600, description="time until theta is 63 % of theta_max")
    late_s: float = Field(
        default=17.0, ge=0, le=3600, description="in the first session theta begins to grow this much later"
    )
    carry_over: float = Field(
        default=0.02, ge=0, le=1, description="weight of the session before in the first minute, as a share of theta"
    )
    explore: float = Field(default=0.06, ge=0, le=1, description="share of clicks on any disk, whatever its interval")
    click_s: float = Field(default=0.58, ge=0.1, le=60, description="median time between two clicks on disks")
    scatter_cm: float = Field(default=0.3, ge=0, le=5, description="SD of clicks around the center of an item")
    point_s: float = Field(default=0.8, ge=0.1, le=60, description="median time to the click on the lit box")
    p_miss: float = Field(default=0.01, ge=0, le=1, description="probability to miss that the box is lit")


class HumanPecker(Model):
    """Reads, clicks disks by their worth, takes points, and answers questions."""

    Params = HumanModelParams
    needs = ("screen",)

    def __init__(self, params: HumanModelParams) -> None:
        self._params = params
        self._traits = traits_of(params.subject, params.spread)
        self.session: int | None = None
        self._answered = 0
        self._began_s = 0.0
        self._policy = LucePolicy(self.matters, log_rate)

    async def live(self, body: Body) -> None:
        """Run all sessions to the end."""
        self._body = body
        while True:
            if disks_in(body.scene):
                await self._play()
            elif any(isinstance(item, Button) for item in body.scene.items):
                await self._read()
            else:
                await body.wait(GLANCE_S)

    async def _read(self) -> None:
        """Read a page, answer it if it is a question, and press its first button."""
        body = self._body
        texts = [item for item in body.scene.items if isinstance(item, Text)]
        await body.wait(sum(len(item.text.split()) for item in texts) / WORDS_PER_S + self._reaction_s())
        if len(texts) > 1:  # below a question is what has been typed
            for key in ANSWERS[self._answered % len(ANSWERS)]:
                await body.wait(lognormal(body.random, 0.18, 0.4))
                body.type(key)
            self._answered += 1
            await body.wait(self._reaction_s())
        page = body.scene
        while body.scene == page:  # a click may have missed
            touch(body, next(item for item in page.items if isinstance(item, Button)), self._params.scatter_cm)
            await body.wait(self._reaction_s())

    async def _play(self) -> None:
        """Touch disks, and the box when it is lit, until the disks are gone."""
        body, params = self._body, self._params
        while disks := disks_in(body.scene):
            if (session := session_of(body.scene)) != self.session:
                self._begin(session)
            box = _lit(body.scene)
            if box is not None and body.random.random() >= params.p_miss:
                await body.wait(lognormal(body.random, params.point_s, 0.4))
                touch(body, box, params.scatter_cm)
                await body.wait(GLANCE_S)
                continue
            touch(body, disks[self._choose(tuple(disks))], params.scatter_cm)
            await body.wait(max(GLANCE_S, lognormal(body.random, params.click_s, 0.4)))

    def _choose(self, places: Sequence[int]) -> int:
        """Draw a disk by its worth, or any disk."""
        random = self._body.random
        if random.random() < self._params.explore:
            return draw_by_weight(random.random(), places, [1.0] * len(places))
        return self._policy.choose(self._body, places)

    def _begin(self, session: int) -> None:
        """Start a session with new intervals."""
        self.session, self._began_s = session, self._body.now_s
        self._policy.start_session(DiskValues.of_session(self._body.task_notes, session))

    def matters(self, now_s: float) -> LuceWeights:
        """Return the weights of the intervals of this session and of the last one."""
        params, traits = self._params, self._traits
        block = int((now_s - self._began_s) // BLOCK_S)
        grown_s = (block + 1) * BLOCK_S - (0.0 if (self.session or 0) > 1 else params.late_s)
        growth = 1 - math.exp(-max(0.0, grown_s) / (traits.tau * params.tau_s))
        theta = traits.theta * params.theta_max * growth
        return LuceWeights(theta, theta * params.carry_over if block < REMEMBERED_BLOCKS else 0.0)

    def _reaction_s(self) -> float:
        """Draw the time from a decision to the click."""
        return lognormal(self._body.random, 0.6, 0.3)


def session_of(scene: Scene) -> int:
    """Return the number of the session, whose counter is the brightest; 0 is the sample trial with a hint."""
    if any(isinstance(item, Text) for item in scene.items):
        return 0
    counters = [item for item in scene.items if isinstance(item, Tile) and not item.name]
    counters.sort(key=lambda counter: counter.x_cm)
    bright = [sum(bytes.fromhex(counter.color[1:])) for counter in counters]
    return 1 + bright.index(max(bright)) if bright else 1


def _lit(scene: Scene) -> Tile | None:
    """Return the box if it is lit, which shows as text in it."""
    box = scene.item(BOX)
    return box if isinstance(box, Tile) and box.text else None
