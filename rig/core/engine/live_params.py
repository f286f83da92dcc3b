"""The parameters of one session, which an operator may change from one trial to the next.

See docs/decisions/live-parameters.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pydantic import BaseModel

from rig.core.errors import ConfigError
from rig.core.model.live import live_names

Change = Callable[[BaseModel, str], BaseModel]
"""A function that returns parameters with one changed, by a text ``KEY=VALUE``. Raises ``ConfigError``."""


class NoParams(BaseModel):
    """The parameters of a task that has none."""


def _no_change(params: BaseModel, text: str) -> BaseModel:
    raise ConfigError("no parameter of this task may change during a session")


class LiveParams:
    """The parameters of the present trial, and those that are wanted from the next one on."""

    def __init__(self, params: BaseModel | None = None, change: Change = _no_change) -> None:
        self.current: BaseModel = NoParams() if params is None else params
        self.changed: dict[str, object] = {}
        """What was changed so far in this session, with the values of now."""
        self._wanted: BaseModel | None = None
        self._change = change

    @property
    def values(self) -> dict[str, object]:
        """Return the parameters that may change, with the values of the present trial."""
        return self._values_of(self.current)

    @property
    def wanted(self) -> dict[str, object]:
        """Return what changes at the start of the next trial."""
        if self._wanted is None:
            return {}
        now = self.values
        return {key: value for key, value in self._values_of(self._wanted).items() if value != now[key]}

    def changed_by(self, text: str) -> Mapping[str, object]:
        """Return what a text ``KEY=VALUE`` would change. Raises ``ConfigError``."""
        before, after = self._latest, self._change(self._latest, text)
        was = self._values_of(before)
        return {key: value for key, value in self._values_of(after).items() if value != was[key]}

    def request(self, text: str) -> str:
        """Write down a change for the next trial; return why it is refused, or an empty text."""
        try:
            self._wanted = self._change(self._latest, text)
        except ConfigError as error:
            return str(error)
        return ""

    def take(self) -> Mapping[str, object]:
        """Set the current parameters to the wanted ones; return what has changed."""
        changed = self.wanted
        if changed and self._wanted is not None:
            self.current = self._wanted
            self.changed |= changed
        self._wanted = None
        return changed

    @property
    def _latest(self) -> BaseModel:
        return self.current if self._wanted is None else self._wanted

    @staticmethod
    def _values_of(params: BaseModel) -> dict[str, object]:
        return params.model_dump(mode="json", include=set(live_names(type(params))))
