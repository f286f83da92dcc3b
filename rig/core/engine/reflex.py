"""Reflex groups, as the host follows them.

The board decides which member edge came first and does its action at once. The host reads the same edges in
the same order and reaches the same decision. Where the board did not act (the order came too late, or was refused over
a newer edge) the host orders the reward itself, so it is given exactly once in every order of events. The host alone
answers an input that it reads itself, such as a zone of a tracker. The board holds the other members, and the host
disarms them after its decision.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from rig.core.errors import TaskError
from rig.core.model.actions import NOTHING, Action, Arm, Cancel, Nothing, plain_action
from rig.core.model.events import Edge
from rig.core.model.patterns import EdgePattern, ScreenPattern

MAX_GROUP = 255
"""Group numbers are one byte and are used in turn; 0 means that no group fired."""

LONGEST_DEADLINE_US = 500_000_000
"""How far ahead a board gets a deadline: less than the quarter of its 32-bit clock that lies ahead, which is 536 s."""


class ReflexGroup:
    """One reflex group: its members, its deadline, and the edge that decided it.

    Raises ``TaskError`` for a member that the board does not read.
    """

    def __init__(
        self, number: int, members: Mapping[EdgePattern, Action], host_inputs: frozenset[str] = frozenset()
    ) -> None:
        self.number = number
        seen = of_board(members)
        if len(seen) < len(members):
            unseen = next(pattern for pattern in members if pattern not in seen)
            raise TaskError(f"{unseen}: the board does not read the screen, so no reflex can use it: wait for it")
        self.armed_on_board = False
        self._host_inputs = host_inputs
        self.members: dict[tuple[str, int], Action] = {
            (channel, level): action for (channel, level), action in members.items()
        }
        self.until_us: int | None = None
        self._rearm_us: int | None = None
        self.armed = False
        self.deciding_edge: Edge | None = None

    def watch(self, patterns: Iterable[tuple[str, int]]) -> None:
        """Add every edge that can end the wait as a member: the board decides which came first."""
        for pattern in of_board(patterns):
            self.members.setdefault(pattern, NOTHING)

    @property
    def acting_edges(self) -> set[tuple[str, int]]:
        """Return the edges that cause an action."""
        return {edge for edge, action in self.members.items() if not isinstance(action, (Nothing, Cancel))}

    def arm(self, until_us: int | None, now_us: int) -> Arm | None:
        """Return the order that arms the group on the board; None when it has no member there.

        A deadline that is far ahead is left out: at ``rearm_us`` the group is armed again, with it.

        Raises ``TaskError`` when the board and the host would both have something to do: each might do it.
        """
        # The board and the host would each decide which edge came first, and could give two rewards.
        if len({channel in self._host_inputs for channel, _ in self.acting_edges}) > 1:
            names = " and ".join(sorted(channel for channel, _ in self.acting_edges))
            raise TaskError(
                f"one reflex has actions for {names}, but the board reads only some of them: use beams only, or "
                "zones of the tracker only"
            )
        self.armed = True
        self.until_us = until_us
        members = self._board_members
        self.armed_on_board = bool(members)
        if not members:
            return None
        if until_us is None or until_us - now_us <= LONGEST_DEADLINE_US:
            return Arm(self.number, until_us, members)
        self._rearm_us = until_us - LONGEST_DEADLINE_US
        return Arm(self.number, None, members)

    @property
    def rearm_us(self) -> int | None:
        """Return when an undecided group is to be armed again, with its deadline; None if it has it, or has none."""
        return None if self.deciding_edge is not None else self._rearm_us

    def rearm(self) -> Arm:
        """Return the order that arms the group again, with its deadline: the board replaces the armed group."""
        # A member's edge that the host has not read has ended the group, and the board refuses this order.
        self._rearm_us = None
        return Arm(self.number, self.until_us, self._board_members)

    @property
    def _board_members(self) -> tuple[tuple[str, int, Action], ...]:
        return tuple(
            (*pattern, action) for pattern, action in self.members.items() if pattern[0] not in self._host_inputs
        )

    def action_for(self, edge: Edge) -> Action | None:
        """Return the action of an edge; None when the edge decides nothing."""
        # Strictly later than ``until_us``: an edge at exactly the deadline fires, on the board and here.
        if (
            self.deciding_edge is not None
            or not self.armed
            or (self.until_us is not None and edge.t_us > self.until_us)
        ):
            return None
        return self.members.get((edge.channel, edge.level))

    def resolve(self, edge: Edge) -> Action | None:
        """Record the edge that decides the group; return its action, or None when it decides nothing."""
        action = self.action_for(edge)
        if action is not None:
            self.deciding_edge = edge
        return action

    def __repr__(self) -> str:
        state = "decided" if self.deciding_edge else "armed" if self.armed else "new"
        return f"<ReflexGroup {self.number} {state} {[str(plain_action(a)) for a in self.members.values()]}>"


class ReflexGroups:
    """The groups that have not ended, in their order; ``by_number`` finds the last group of each number."""

    def __init__(self, host_inputs: frozenset[str]) -> None:
        self.by_number: dict[int, ReflexGroup] = {}
        self._host_inputs = host_inputs
        self._last = 0
        self._open: list[ReflexGroup] = []

    def __iter__(self) -> Iterator[ReflexGroup]:
        return iter(self._open)

    def __len__(self) -> int:
        return len(self._open)

    def new(self, members: Mapping[EdgePattern, Action], reserved: Iterable[int]) -> ReflexGroup:
        """Return a new group, with the next number that no open group has and that is not ``reserved``.

        Raises ``TaskError`` when no number is left.
        """
        # A number that still has a reservation is not used again: a late edge would be counted for the wrong group.
        taken = {group.number for group in self._open}.union(reserved)
        if len(taken) == MAX_GROUP:
            raise TaskError(f"{MAX_GROUP} reflexes are open: end one before the next")
        self._last = self._last % MAX_GROUP + 1
        while self._last in taken:
            self._last = self._last % MAX_GROUP + 1
        group = self.by_number[self._last] = ReflexGroup(self._last, members, self._host_inputs)
        self._open.append(group)
        return group

    def end(self, group: ReflexGroup) -> bool:
        """Remove a group; return whether it was open, armed and undecided."""
        if group not in self._open:
            return False
        # ``by_number`` keeps the group: an edge that it fired may be on its way, and names it.
        self._open.remove(group)
        return group.armed and group.deciding_edge is None

    def clear(self) -> None:
        """Remove all groups."""
        self._open.clear()


def of_board(patterns: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return the patterns that the board can match: all but those of the screen."""
    return [pattern for pattern in patterns if not isinstance(pattern, ScreenPattern)]


def check_members(group: ReflexGroup, wanted: Collection[tuple[str, int]]) -> None:
    """Check that every edge that ends a wait is a member of an armed group. Raises ``TaskError``."""
    missing = [channel for channel, level in of_board(wanted) if (channel, level) not in group.members]
    # The board has removed a decided group, so a wait inside it may ask for any edge.
    if missing and group.deciding_edge is None:
        raise TaskError(
            f"a wait inside an armed reflex waits for {missing[0]}, which is not a member of it: "
            "add it to the reflex, with NOTHING if it gives no reward"
        )


def check_exclusive(group: ReflexGroup, groups: Iterable[ReflexGroup]) -> None:
    """Check that no other armed group has an action for an edge of this one. Raises ``TaskError``."""
    others = [other for other in groups if other is not group and other.armed and other.deciding_edge is None]
    # Only edges with an action: two groups may watch one edge, but two actions could give two rewards.
    shared = {pattern for other in others for pattern in group.acting_edges & other.acting_edges}
    if shared:
        raise TaskError(f"two reflexes have an action for {min(shared)[0]}: an edge can cause only one")
