"""What an operator can do to a running session from another program or by a key of its display.

A request that decides something goes through the task's inbox, so that a replay reads it too. Its answer is what the
task made of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from rig.config.errors.formatting import value_text
from rig.core.clock import in_background, running
from rig.core.engine.observer import SessionObserver
from rig.core.errors import RecordError, RigError
from rig.core.model.events import Request
from rig.core.model.microseconds import to_s
from rig.core.model.reward import NOT_SENT, Reward, RewardStatus
from rig.session.run.control_requests import ControlRequest
from rig.session.run.control_server import ControlServer, Reply, refusal
from rig.session.run.session import Session
from rig.system.control_socket import make_folder

CONFIRM_S = 5.0
"""The longest wait for the board's answer about a reward; then the request's answer says that it is pending."""
UNAVAILABLE = "control_unavailable"
"""The note of a session without a socket."""


def done(text: str, **facts: object) -> dict[str, object]:
    """Return the answer to a request that was done."""
    return {"ok": True, "text": text, **facts}


class RequestFollower(SessionObserver):
    """Follows each request for a reward or a parameter until its outcome is known."""

    def __init__(self) -> None:
        self.state = ""
        """The state of the task; empty before the first one."""
        self._asked: deque[tuple[Request, Callable[[Reward | str], None]]] = deque()
        self._ordered: list[tuple[Reward, Callable[[Reward | str], None]]] = []

    def follow(self, request: Request, tell: Callable[[Reward | str], None]) -> None:
        """Schedule ``tell`` for the time when the outcome of a request is known.

        It is called with the reward, or with the reason why there is none; for a parameter that changes with an empty
        text.
        """
        self._asked.append((request, tell))

    def on_state(self, name: str) -> None:
        """Record the state."""
        self.state = name

    def on_request(self, request: Request, reward: Reward | None, refusal: str) -> None:
        """Record the reward of a request, or answer it; the same object has passed through the inbox."""
        for one in [one for one in self._asked if one[0] is request]:
            self._asked.remove(one)
            if reward is None:
                one[1](refusal)
            else:
                self._ordered.append((reward, one[1]))

    def on_reward(self, reward: Reward) -> None:
        """Send the status to the one who waits for this reward."""
        for one in [one for one in self._ordered if one[0] is reward]:
            self._ordered.remove(one)
            one[1](reward)


class SessionControls:
    """The requests of one running session, each with its answer."""

    def __init__(self, session: Session, follower: RequestFollower, folder: Path) -> None:
        self._session = session
        self._follower = follower
        self._folder = folder
        self._is_ending = False
        self._actions: dict[str, Callable[[str, Reply], None]] = {
            "status": self._status,
            "reward": self._reward,
            "note": self._note,
            "set": self._set,
            "pause": self._pause,
            "resume": self._resume,
            "end": self._end,
        }

    def handle(self, request: ControlRequest, reply: Reply) -> None:
        """Handle a request; ``reply`` is called once with its answer."""
        try:
            self._actions[request.do](request.text, reply)
        except RigError as error:
            reply(refusal(str(error)))

    @contextmanager
    def served(self) -> Iterator[None]:
        """Yield while other programs can reach the session; where they cannot, a note says why."""
        with ExitStack() as stack:
            try:
                stack.enter_context(ControlServer(make_folder(), self.handle))
            except OSError as error:
                # After the header, which the session writes before its first wait.
                running().call_soon(self._write_unavailable, error.strerror or str(error))
            yield

    def _write_unavailable(self, why: str) -> None:
        with suppress(RecordError):  # the next line raises it where the session can end
            self._session.journal.note(0, UNAVAILABLE, detail=why)

    # --- requests -------------------------------------------------------------------------------------------------

    def _status(self, text: str, reply: Reply) -> None:
        paused = "paused in " if self._session.engine.time.pauses.is_paused else ""
        reply(done(paused + (self._follower.state or "opening the board"), **self._facts()))

    def _facts(self) -> Mapping[str, object]:
        engine, header = self._session.engine, self._session.spec.header
        rewards, amount = engine.ledger.account.total
        return {
            "box": self._session.spec.request.box,
            "subject": header.subject,
            "protocol": header.protocol,
            "variant": header.variant or None,
            "rig": header.rig.name,
            "simulated": header.simulated,
            "folder": str(self._folder.absolute()),
            "state": self._follower.state,
            "paused": engine.time.pauses.is_paused,
            "pausing": engine.time.pauses.is_wanted and not engine.time.pauses.is_paused,
            "reconnect_s": None if (left_s := self._session.reconnect_s) is None else round(left_s, 1),
            "trials": engine.log.rows,
            "rewards": rewards,
            "ul": round(amount.ul, 3),
            "pellets": amount.pellets,
            "access_s": round(amount.access_s, 3),
            "elapsed_s": self._elapsed_s(),
            "session_s": self._session.spec.stop.session_s,
            "sources": self._sources(),
            "live": engine.live.values,
            "set": engine.live.changed,
            "set_next": engine.live.wanted,
        }

    def _elapsed_s(self) -> float:
        if not self._follower.state:
            return 0.0
        # Without the pauses, as the session's own limit is.
        return round(to_s(self._session.engine.time.pauses.task_us(self._session.board.estimate_us()[0])), 1)

    def _sources(self) -> list[str]:
        names = self._session.spec.header.rig.devices
        return [name for name in names if self._session.engine.manual_reward(name) is not None]

    def _reward(self, source: str, reply: Reply) -> None:
        if source not in (sources := self._sources()):
            can = f"one can be given at {', '.join(sources)}" if sources else "nothing on this rig gives one"
            reply(refusal(f"no reward at '{source}': {can}"))
        elif why := self._unready():
            reply(refusal(why))
        else:
            request = self._session.make_request(f"reward {source}")
            late = f"{source}: ordered; the board has not confirmed it yet, and it counts"
            self._follower.follow(request, _Answer(reply, partial(_reward_answer, source), late).tell)
            self._session.send_request(request)

    def _set(self, text: str, reply: Reply) -> None:
        if why := self._unready():
            reply(refusal(why))
            return
        changed = self._session.engine.live.changed_by(text)
        if not changed:
            reply(done(f"{text}: it has this value"))
            return
        values = ", ".join(f"{key} is {value_text(value)}" for key, value in changed.items())
        request = self._session.make_request(f"set {text}")
        answer = _Answer(
            reply, partial(_set_answer, f"{values} from the next trial on"), f"{text}: asked, and not read yet"
        )
        self._follower.follow(request, answer.tell)
        self._session.send_request(request)

    def _note(self, text: str, reply: Reply) -> None:
        # Before the board is open there is no time to stamp it with.
        if why := self._unready():
            reply(refusal(why))
        else:
            t_us = self._session.note(text)
            reply(done("noted", t_us=t_us))

    def _pause(self, text: str, reply: Reply) -> None:
        if why := self._unready():
            reply(refusal(why))
        elif self._is_paused():
            reply(done("the session is paused already", paused=True))
        else:
            self._session.request("pause")
            # Most waits in which a session may pause end in this very request.
            paused, longest_min = self._is_paused(), self._session.engine.time.pauses.longest_min
            when = "paused" if paused else "the pause begins between two trials"
            reply(done(f"{when}; at most {longest_min:g} minutes, then the session ends", paused=paused))

    def _is_paused(self) -> bool:
        return self._session.engine.time.pauses.is_paused

    def _resume(self, text: str, reply: Reply) -> None:
        if why := self._unready():
            reply(refusal(why))
        elif not self._session.engine.time.pauses.is_wanted:
            reply(refusal("the session is not paused"))
        else:
            self._session.request("resume")
            reply(done("the session goes on"))

    def _end(self, text: str, reply: Reply) -> None:
        if self._is_ending:
            reply(done("the session is ending already"))
            return
        self._is_ending = True
        # Answered first: the session may end within this request.
        reply(done("the session ends"))
        self._session.request("stop")

    def _unready(self) -> str:
        """Return why the task cannot read a request now; empty when it can."""
        if self._is_ending or self._session.is_ending:
            return "the session is ending"
        return "" if self._follower.state else "the board is still opening: wait until the task runs"


class _Answer:
    """The answer to one request, which comes once: with its outcome, or ``late`` after ``CONFIRM_S`` without one."""

    def __init__(self, reply: Reply, answer: Callable[[Reward | str], dict[str, object]], late: str) -> None:
        self._reply = reply
        self._answer = answer
        self._late = late
        self._is_sent = False
        self._timer = in_background(running())(CONFIRM_S, self._give_up)

    def tell(self, outcome: Reward | str) -> None:
        """Send the answer."""
        if not self._is_sent:
            self._is_sent = True
            self._timer.cancel()
            self._reply(self._answer(outcome))

    def _give_up(self) -> None:
        if not self._is_sent:
            self._is_sent = True
            self._reply(done(self._late))


def _reward_answer(source: str, outcome: Reward | str) -> dict[str, object]:
    if isinstance(outcome, str):
        return refusal(f"{source}: not given, because {outcome or 'a limit is reached'}")
    if outcome.status is RewardStatus.DELIVERED:
        return done(f"{source}: {outcome.amount} given", status=outcome.status, id=outcome.number)
    if outcome.status is RewardStatus.UNCONFIRMED:
        text = f"{source}: {outcome.amount} ordered; the board has not said whether it gave it, and it counts"
        return done(text, status=outcome.status, id=outcome.number)
    why = "it was never sent" if outcome.batch == NOT_SENT else "the board has refused it: was a valve open?"
    return refusal(f"{source}: not given, and it does not count: {why}")


def _set_answer(accepted: str, outcome: Reward | str) -> dict[str, object]:
    return refusal(str(outcome)) if outcome else done(accepted)
