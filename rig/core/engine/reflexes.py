"""The reflexes of one task: armed with the next batch, resolved by the edges that are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rig.core.engine.event_reader import FAR_US, Wanted
from rig.core.engine.order_queue import OrderQueue
from rig.core.engine.reflex import ReflexGroup, ReflexGroups, check_exclusive, check_members
from rig.core.engine.reward_ledger import RewardLedger
from rig.core.model.actions import Action, Cancel, Disarm, Nothing, RewardAction
from rig.core.model.events import Edge
from rig.core.model.patterns import EdgePattern
from rig.core.model.reward import Reward


class Reflexes:
    """The reflex groups of a task and their rewards; the host reads ``host_inputs``."""

    def __init__(self, host_inputs: Iterable[str], orders: OrderQueue, ledger: RewardLedger) -> None:
        self.host_inputs = frozenset(host_inputs)
        self._groups = ReflexGroups(self.host_inputs)
        self._orders = orders
        self._ledger = ledger
        self._given: dict[int, Reward | None] = {}
        """What the board gave for the edges that are read and not decided, by their numbers."""

    def __len__(self) -> int:
        return len(self._groups)

    def new(self, members: Mapping[EdgePattern, Action]) -> ReflexGroup:
        """Return a new group; the next wait arms it."""
        return self._groups.new(members, self._ledger.reserved_groups)

    def end(self, group: ReflexGroup) -> None:
        """Queue the disarming of a group that is still undecided."""
        # A decided group needs no disarm: the board removed it when its edge fired.
        if self._groups.end(group):
            if group.armed_on_board:
                self._orders.put(Disarm(group.number))
            else:
                self._ledger.release(group.number)

    def arm(self, wanted: Wanted, until_us: int | None) -> None:
        """Arm the groups that are not armed; an edge of ``wanted`` ends them too. Raises ``TaskError``."""
        for group in self._groups:
            if group.armed:
                # The board adds no member to an armed group, so it could not decide between a member and another edge.
                check_members(group, wanted)
                continue
            group.watch(wanted)
            check_exclusive(group, self._groups)
            self._orders.put_arming(group, until_us)

    @property
    def alarm_us(self) -> int:
        """Return when `rearm_next` has to arm a group again, on the board's clock."""
        times = (group.rearm_us for group in self._groups)
        return min((t_us for t_us in times if t_us is not None), default=FAR_US)

    def rearm_next(self) -> None:
        """Arm the group again whose deadline has come near first, now with this deadline."""
        due_us = self.alarm_us
        self._orders.put_deadline(next(group for group in self._groups if group.rearm_us == due_us))

    @property
    def is_armed(self) -> bool:
        """Whether a group is armed and not decided."""
        return any(group.armed and group.deciding_edge is None for group in self._groups)

    @property
    def acting_edges(self) -> set[tuple[str, int]]:
        """Return the edges to which the armed groups answer with an action."""
        undecided = (group for group in self._groups if group.armed and group.deciding_edge is None)
        return {edge for group in undecided for edge in group.acting_edges}

    def would_fire(self, edge: Edge) -> bool:
        """Whether an edge would decide an armed group."""
        return any(group.action_for(edge) is not None for group in self._groups)

    def resolve(self, edge: Edge) -> None:
        """Record what the board gave for an edge, and order what the board could not do."""
        # The board's report comes first: it decides whether the host still has to give the reward.
        self.record(edge)
        reward = self._given.pop(edge.number, None)
        if reward is not None:
            self._ledger.attribute(reward)
        for group in self._groups:
            action = group.resolve(edge)
            if action is None:
                continue
            # An edge without a number was read by the host: the board still holds the other members.
            still_armed = group.armed_on_board and not edge.number
            self._ledger.release(group.number, still_armed=still_armed)
            if still_armed:
                self._orders.put(Disarm(group.number))
            if edge.fired == group.number or isinstance(action, (Nothing, Cancel)):
                continue
            # One edge gives one reward, even to a reflex that was being disarmed.
            if reward is None or not isinstance(action, RewardAction):
                self._orders.put(action)

    def record(self, edge: Edge) -> None:
        """Record what the board did for an edge, once, when the edge is read; the task may decide it later."""
        if not edge.fired or edge.number in self._given:
            return
        group = self._groups.by_number.get(edge.fired)
        action = group.members.get((edge.channel, edge.level)) if group is not None else None
        self._given[edge.number] = self._ledger.fired(edge.fired, action, edge.t_us)

    def clear(self) -> None:
        """Remove all groups: the board has removed them too, or is about to."""
        self._groups.clear()
