"""What both searches for rewards do: rounds of clicks, what they earn, and a payment at any end."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import ClassVar, TypeVar, cast

from protocols.person.pages import STOP, TWICE_S
from protocols.searching.earnings import Earnings
from protocols.searching.grids.places import parse_place
from protocols.searching.instructions import ALL, InstructedTask
from protocols.searching.params import SearchParams
from protocols.searching.plan import RoundPlan
from protocols.searching.records import click_row, round_row
from protocols.searching.rounds import Round
from protocols.searching.rows import QuizAnswer, SearchRound
from rig import Hover, Next, Touch, state

P = TypeVar("P", bound=SearchParams)


class SearchTask(InstructedTask[P]):
    """The base of both tasks: a subclass draws the plan, and says what a round earns and what is told of it."""

    tables: ClassVar = {"rounds": SearchRound, "quiz": QuizAnswer}

    def prepare(self) -> None:
        """Read the plan, and start before the first round."""
        super().prepare()
        self.earnings = Earnings(self.params.show_up_pay, self.params.max_bonus)
        self.played: Round | None = None
        self.pointed: int | None = None
        """The tile under the pointer."""
        self.fed, self.guessed = False, cast("int | None", None)
        self.round_began_s = self.clicked_s = self.now_s

    @state(to=("choose", "leave"), can_end=True)
    async def ready(self) -> Next:
        """Wait before a round until the participant continues."""
        if await self.press(self.ready_text(self.next_plan), *self.on_or_stop(self.words.begin)) == STOP:
            return self.leave_from(self.ready, self.leave)
        plan, noise = self.next_plan, partial(self.stream("noise").normal, sd=self.params.noise_sd)
        self.played = Round(self.params, plan, self.plan.environments[plan.environment], noise)
        self.fed, self.round_began_s = False, self.now_s
        return self.choose

    @state(to=("choose", "feedback", "leave"), can_end=True)
    async def choose(self) -> Next:
        """Wait for a click on a tile, and draw its reward."""
        played, came_s = self.round_now, self.now_s
        click = await self.tile_of(played, came_s)
        if click.on == STOP:
            # While the question about stopping is shown, the pointer moves unseen.
            self.pointed = None
            return self.leave_from(self.choose, self.leave)
        self.clicked_s = click.t_s
        draw = played.click(self.tile(click.on))
        reaction_s, condition = click.after_s(came_s), self.condition_of(played.plan)
        self.begin_trial(
            click_row(
                played,
                draw,
                click,
                number=self.number,
                grid=self.params.grid,
                reaction_s=reaction_s,
                condition=condition,
            )
        )
        self.end_trial()
        return self.here

    @state(to=("ready", "guess", "debrief", "leave"), can_end=True)
    async def feedback(self) -> Next:
        """Show what the round has earned."""
        played = self.round_now
        text = self.feedback_text(played, self.earned(played))
        if await self.go_on_from(self.pages.feedback(played, self.rounds_left, text)) == STOP:
            return self.leave_from(self.feedback, self.leave)
        self.fed = True
        if not (self.guess_text and self.rounds_left == 1):
            self.end_round()
        return self.here

    @state(to=("debrief", "leave"), can_end=True, when=lambda params: getattr(params, "guess", False))
    async def guess(self) -> Next:
        """Wait for the tile with the largest reward; the answer earns nothing."""
        scene = self.pages.guessing(self.round_now, self.guess_text)
        pressed = await self.press_on(scene, lambda name: name == STOP or parse_place(name) is not None)
        if pressed == STOP:
            return self.leave_from(self.guess, self.leave)
        self.guessed = self.tile(pressed)
        self.end_round()
        return self.here

    @state(to=ALL, can_end=True)
    async def leave(self) -> Next:
        """Wait for a participant who wants to stop to confirm it."""
        return self.debrief if await self.confirms_stop(round=self.number) else self.after_leave

    @state(to=("debrief", "done"), closing=True)
    async def debrief(self) -> Next:
        """Show the debriefing and the payment; also after an early end."""
        self.end_round()
        self.note(what="payment", bonus=self.earnings.bonus, payment=self.earnings.payment)
        await self.tells(self.debriefing_text())
        return self.done

    @state(to=("done",), can_end=True)
    async def done(self) -> Next:
        """End the task."""
        return self.done

    def conclude(self) -> None:
        """Record the round that was interrupted."""
        self.end_round()

    def carry_over(self) -> dict[str, object]:
        """Return the condition, which the participant keeps, and the payment."""
        return {
            "condition": dict(self.params.condition),
            "bonus": self.earnings.bonus,
            "payment": self.earnings.payment,
        }

    # --- what a task decides ----------------------------------------------------------------------------------

    @abstractmethod
    def bonus_of(self, played: Round) -> float:
        """Return what a round has earned so far, before the limit of the session."""

    @abstractmethod
    def condition_of(self, plan: RoundPlan) -> str:
        """Return the condition of a round."""

    def ready_text(self, plan: RoundPlan) -> str:
        """Return what is told before a round."""
        return self.params.filled(self.words.ready, round=self.number, clicks=plan.horizon)

    def feedback_text(self, played: Round, earned: float) -> str:
        """Return what is told after a round."""
        return self.params.filled(self.words.feedback, **self.told_of(played, earned))

    @property
    def guess_text(self) -> str:
        """Return the question for the best tile, asked at the end of the last round; empty if it is not."""
        return ""

    # --- what the states share --------------------------------------------------------------------------------

    @property
    def in_rounds(self) -> Next:
        """Return the state among the rounds."""
        if self.played is None:
            return self.ready if self.rounds_left else self.debrief
        if not self.played.end:
            return self.choose
        return self.guess if self.fed else self.feedback

    @property
    def number(self) -> int:
        """Return the number of the round that is played, or comes next, from 1."""
        return len(self.earnings.bonuses) + 1

    @property
    def round_now(self) -> Round:
        """Return the round that is played. Raises ``LookupError`` between two rounds."""
        if self.played is None:
            raise LookupError("no round is played")
        return self.played

    @property
    def rounds_left(self) -> int:
        """Return the rounds that are left, the one that is played included."""
        return len(self.plan.rounds) - self.number + 1

    @property
    def next_plan(self) -> RoundPlan:
        """Return the plan of the first round that is not over."""
        return self.plan.rounds[self.number - 1]

    def earned(self, played: Round) -> float:
        """Return the bonus of a round; all rounds together earn at most ``max_bonus``."""
        return self.earnings.capped(self.bonus_of(played))

    def told_of(self, played: Round, earned: float) -> dict[str, object]:
        """Return what is filled into the text after a round."""
        return {
            "round": self.number,
            "points": self.params.score_text(played.score, played.largest),
            "bonus": f"{earned:.2f}",
            "total": f"{self.earnings.bonus + earned:.2f}",
        }

    def debriefing_text(self) -> str:
        """Return the debriefing, with the payment if anything is paid."""
        params, earnings = self.params, self.earnings
        points = params.in_points(earnings.points)
        paid = params.filled(self.words.payment, amount=f"{earnings.payment:.2f}") if earnings.pays else ""
        return params.filled(self.words.debriefing, points=points, payment=paid).replace("  ", " ")

    def tile(self, name: str) -> int:
        """Return the number of the tile with a name. Raises ``LookupError`` for another name."""
        place = parse_place(name)
        if place is None:
            raise LookupError(f"no tile is called {name!r}")
        return self.params.grid.tile(*place)

    async def tile_of(self, played: Round, came_s: float) -> Touch:
        """Show the tiles, and wait for a click on one; the tile under the pointer shows all its draws."""
        screen = self.box.screen
        # From a click on these tiles every click counts; from another page not those that were meant for it.
        guard_s = 0.0 if came_s == self.clicked_s else TWICE_S
        screen.show(self.pages.choosing(played, self.rounds_left, self.pointed))
        while True:
            event = await self.first(screen.pecked, screen.hovered)
            if isinstance(event, Hover):
                place = parse_place(event.on)
                self.pointed = None if place is None else self.params.grid.tile(*place)
                scene = self.pages.choosing(played, self.rounds_left, self.pointed)
                if scene != screen.scene:
                    screen.show(scene)
            elif isinstance(event, Touch) and self.accepts(event, came_s, guard_s):
                return event

    def accepts(self, click: Touch, came_s: float, guard_s: float) -> bool:
        """Whether a click stops the task, or is meant for a tile."""
        return click.on == STOP or (parse_place(click.on) is not None and click.after_s(came_s) >= guard_s)

    def end_round(self) -> None:
        """Record the round that is played, if one is, with what it has earned so far."""
        played, self.played = self.played, None
        if played is None:
            return
        bonus = self.earned(played)
        self.record(
            round_row(
                played,
                number=self.number,
                bonus=bonus,
                guess=self.guessed,
                t_began=self.round_began_s,
                t_ended=self.clicked_s if played.end else self.now_s,
            )
        )
        self.earnings.add(bonus, played.score)
        self.pointed = None
