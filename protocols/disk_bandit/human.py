"""The eight-disk bandit with people (Racey et al. 2011, Experiment 2).

Six sessions of six minutes. A click on a disk whose interval has elapsed lights a box; a click on the box is a point.
Which disk has which interval changes from session to session, in the same way for every participant of a study.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from protocols.disk_bandit.assignment import by_location
from protocols.disk_bandit.disk_layout import OFF_TARGET, DiskLayout
from protocols.disk_bandit.human_params import HumanParams
from protocols.disk_bandit.instruction_pages import BOX, InstructionPages
from protocols.disk_bandit.params import LOCATIONS
from protocols.disk_bandit.rows import CollectedPoint, DiskRecords, Peck, QuestionnaireAnswer
from protocols.disk_bandit.schedules import NONE_RUNNING, RUNNING, Interval, IntervalSchedule
from protocols.disk_bandit.screen_layout_check import check_screen_layout
from protocols.disk_bandit.views import disk_views
from protocols.person.pages import STOP, TWICE_S
from protocols.person.task import PersonTask
from rig import Key, Next, RandomStreams, Speaker, Touch, Touchscreen, exact_s, state


@dataclass
class Box:
    """A screen to click on, and a speaker."""

    screen: Touchscreen
    speaker: Speaker


class DiskBanditHuman(PersonTask[HumanParams, Box, Peck]):
    """Clicks on disks with individual intervals of reward."""

    publications = ("https://doi.org/10.3758/s13420-011-0025-7",)
    tables: ClassVar = {"intervals": Interval, "points": CollectedPoint, "answers": QuestionnaireAnswer}
    views: ClassVar = disk_views("clicks")

    def prepare(self) -> None:
        """Draw the assignment of intervals to disks for all sessions."""
        params, screen = self.params, self.box.screen
        self.pages: InstructionPages = InstructionPages(params, screen.width_cm, screen.height_cm)
        check_screen_layout(params, screen.width_cm, screen.height_cm)
        self.words = params.words
        # Not by the session's seed: all participants have the same rearrangement (Racey et al. 2011).
        study = RandomStreams(params.study_seed)
        orders = [study(f"assignment.{session}").shuffled(params.vi_s) for session in self.numbers]
        self.assignments = [dict(enumerate(order)) for order in orders]
        self.note(what="assignment", vi_s=[by_location(order) for order in self.assignments])
        self.points = [0] * params.sessions
        self.session = self.asked = self.page = 0
        self.ends_s = self.now_s
        self.typed = ""
        self.sampled = not params.sample_trial
        self.intervals: IntervalSchedule | None = None
        self.point: CollectedPoint | None = None
        self.scene, self.shown = screen.scene, (0, 0, False)
        self.after_leave: Next = self.consent
        self.count_disks({}, {})

    @state(to=("consent", "read", "sample", "ready", "respond", "pending", "ask", "debrief"), can_end=True)
    async def consent(self) -> Next:
        """Wait for consent; a participant who was interrupted continues where the session stopped."""
        if self.agreed or self.told:
            return self.here
        return self.read if await self.consents() else self.debrief

    @state(to=("read", "sample", "ready", "leave"), can_end=True)
    async def read(self) -> Next:
        """Show the instructions, page by page."""
        pressed = await self.press(self.words.instructions[self.page], *self.on_or_stop(self.words.next_page))
        if pressed == STOP:
            return self.leave_from(self.read, self.leave)
        self.page += 1
        return self.here

    @state(to=("sample", "ready", "leave"), can_end=True, when=lambda params: params.sample_trial)
    async def sample(self) -> Next:
        """Run the sample trial: a click on any disk lights the box, once."""
        lit = self.point is not None
        self.box.screen.show(self.pages.disks(self.points, 0, lit=lit, hint=self.words.sample))
        click = await self.first(self.box.screen.pecked)
        if click.on == STOP:
            return self.leave_from(self.sample, self.leave)
        if self.point is not None and click.on == BOX:
            self.take(click, self.point)
            self.sampled = True
            return self.ready
        row = self.write(click, "sample")
        if self.point is None and row.disk != OFF_TARGET:
            row.rewarded = 1
            self.point = CollectedPoint(0, row.disk, row.t)
        self.end_trial()
        return self.sample

    @state(to=("respond", "leave"), can_end=True)
    async def ready(self) -> Next:
        """Wait between two sessions until the participant continues."""
        said = self.params.between(self.session + 1, sum(self.points))
        if await self.press(said, *self.on_or_stop(self.words.next_session)) == STOP:
            return self.leave_from(self.ready, self.leave)
        self.begin_session()
        return self.respond

    @state(to=("respond", "pending", "over", "leave"), can_end=True)
    async def respond(self) -> Next:
        """Wait for clicks: a click on a disk whose interval has elapsed lights the box."""
        self.show_disks(lit=False)
        click = await self.first(self.box.screen.pecked, until_s=self.ends_s)
        if click is None:
            return self.over
        if click.on == STOP:
            return self.leave_from(self.respond, self.leave)
        row = self.write(click, "respond")
        if row.disk != OFF_TARGET and self.intervals is not None:
            row.armed_before = row.rewarded = int(self.intervals.wins(row.disk, click.t_s))
            self.disks.chosen(row)
        if row.rewarded and self.intervals is not None:
            self.record(self.intervals.collected(row.disk, click.t_s))
            row.interval_drawn_s = self.intervals.draw(row.disk)
            # Ours, as the paper is silent: at the click that lights the box, not at that on the box.
            self.intervals.start(row.disk, click.t_s)
            self.note(what=RUNNING, **self.intervals.running())
            self.disks.paid(row)
            self.point = CollectedPoint(self.session, row.disk, row.t)
        self.end_trial()
        return self.pending if row.rewarded else self.respond

    @state(to=("respond", "pending", "over", "leave"), can_end=True)
    async def pending(self) -> Next:
        """Wait for a click on the lit box; disks are without effect meanwhile, and all intervals run on."""
        self.show_disks(lit=True)
        click = await self.first(self.box.screen.pecked, until_s=self.ends_s)
        if click is None:
            return self.over
        if click.on == STOP:
            return self.leave_from(self.pending, self.leave)
        if click.on == BOX and self.point is not None:
            self.points[self.session - 1] += 1
            self.take(click, self.point)
            return self.respond
        row = self.write(click, "pending")
        if row.disk != OFF_TARGET and self.intervals is not None:
            row.armed_before = int(self.intervals.waits(row.disk, click.t_s))
        self.end_trial()
        return self.pending

    @state(to=("ready", "ask", "debrief"), can_end=True)
    async def over(self) -> Next:
        """End a session; a point that was not collected is lost."""
        self.end_session()
        return self.here

    @state(to=("ask", "ready", "debrief", "leave"), can_end=True, when=lambda params: params.questionnaire_after)
    async def ask(self) -> Next:
        """Show the next question, and record its answer, which is given by keys."""
        questions, screen = self.words.questions, self.box.screen
        asked_s = self.now_s
        while True:
            screen.show(self.pages.question(questions[self.asked], self.typed))
            told = await self.first(screen.typed, screen.pecked)
            if isinstance(told, Key):
                self.typed = self.typed[:-1] if told.key == "backspace" else self.typed + _letter(told.key)
            elif isinstance(told, Touch) and told.on == STOP:
                return self.leave_from(self.ask, self.leave)
            elif isinstance(told, Touch) and told.on == "next" and told.after_s(asked_s) >= TWICE_S:
                break
        self.record(QuestionnaireAnswer(self.session, questions[self.asked], self.typed, asked_s, self.now_s))
        self.asked, self.typed = self.asked + 1, ""
        return self.here

    @state(to=("consent", "read", "sample", "ready", "respond", "pending", "ask", "debrief"), can_end=True)
    async def leave(self) -> Next:
        """Wait for a participant who wants to stop to confirm it."""
        return self.debrief if await self.confirms_stop(session=self.session) else self.after_leave

    # All are debriefed, because the task is announced as a test of intelligence, which it is not.
    @state(to=("debrief", "done"), closing=True)
    async def debrief(self) -> Next:
        """Show the debriefing and the payment; also after an early end."""
        self.end_session()
        points = sum(self.points)
        self.note(what="payment", points=self.points, payment=self.params.payment(points))
        await self.tells(self.params.debriefing(points))
        return self.done

    @state(to=("done",), can_end=True)
    async def done(self) -> Next:
        """End the task."""
        return self.done

    def conclude(self) -> None:
        """Record open points and intervals of a session that was interrupted."""
        self.end_session()

    def carry_over(self) -> dict[str, object]:
        """Return the points, and the payment."""
        return {"points": self.points, "payment": self.params.payment(sum(self.points))}

    # --- what the states share --------------------------------------------------------------------------------

    @property
    def here(self) -> Next:
        """Return the state in which the participant was interrupted."""
        if self.told:
            return self.debrief
        if self.page < len(self.words.instructions):
            return self.read
        if not self.sampled:
            return self.sample
        if self.intervals is not None:
            return self.respond if self.point is None else self.pending
        if 0 < self.session == self.params.questionnaire_after and self.asked < len(self.words.questions):
            return self.ask
        return self.ready if self.session < self.params.sessions else self.debrief

    @property
    def numbers(self) -> range:
        """Return the numbers of the sessions, from 1."""
        return range(1, self.params.sessions + 1)

    def show_disks(self, *, lit: bool) -> None:
        """Show the disks, unless they are shown already."""
        wanted = (self.session, sum(self.points), lit)
        if self.box.screen.scene is not self.scene or self.shown != wanted:
            self.scene, self.shown = self.pages.disks(self.points, self.session, lit=lit), wanted
            self.box.screen.show(self.scene)

    def write(self, click: Touch, phase: str) -> Peck:
        """Open the row of a click."""
        return self.begin_trial(self.disks.row(click, phase))

    def take(self, click: Touch, point: CollectedPoint) -> None:
        """Record a collected point."""
        self.do(self.box.speaker.tone(self.params.penny_hz, self.params.penny_ms))
        point.t_collected, self.point = click.t_s, None
        self.record(point)

    def begin_session(self) -> None:
        """Start the intervals of the next session."""
        self.session += 1
        vi_s = self.assignments[self.session - 1]
        self.count_disks(vi_s, self.assignments[self.session - 2] if self.session > 1 else {})
        self.intervals = IntervalSchedule(self.params, vi_s, self.stream, self.session)
        self.intervals.start_all(self.now_s)
        self.note(what=RUNNING, **self.intervals.running())
        self.ends_s = exact_s(self.now_s + self.params.session_s)

    def end_session(self) -> None:
        """Record points and intervals that were not collected."""
        intervals, self.intervals = self.intervals, None
        # The state may change later than the session ends, to which the intervals count.
        for interval in () if intervals is None else intervals.left(min(self.now_s, self.ends_s)):
            self.record(interval)
        if intervals is not None:
            self.note(what=RUNNING, **NONE_RUNNING)
        if self.point is not None:
            self.record(self.point)
            self.point = None

    def count_disks(self, vi_s: dict[int, float], previous_vi_s: dict[int, float]) -> None:
        """Start the records of the disks, without those of the session before."""
        colors = DiskLayout(self.params, self.box.screen.width_cm).color_of
        self.disks = DiskRecords(
            {location: colors[location] for location in range(LOCATIONS)},
            vi_s=vi_s,
            previous_vi_s=previous_vi_s,
            p={},
            block_s=self.params.block_s,
            began_s=self.now_s,
            session=self.session,
        )


def _letter(key: str) -> str:
    return "\n" if key == "enter" else key
