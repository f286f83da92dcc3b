"""What an acceptance has found: rows by steps, and the file in which they are kept between two runs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from rig.core.errors import RecordError
from rig.system.atomic_files import write_atomic

FORMAT = 1
Verdict: TypeAlias = Literal["pass", "fail", "skipped", "info"]
VERDICTS: tuple[Verdict, ...] = ("pass", "fail", "skipped", "info")


@dataclass(frozen=True)
class AcceptanceRow:
    """One line: what was tried, what was found, and what must be."""

    what: str
    verdict: Verdict
    found: str
    must: str = ""


@dataclass(frozen=True)
class StepResult:
    """The rows of one step, and when it was done, in ISO form."""

    date: str
    rows: tuple[AcceptanceRow, ...]

    @property
    def passed(self) -> bool:
        """Whether every row is measured, and as it must be."""
        return all(row.verdict in ("pass", "info") for row in self.rows)


@dataclass(frozen=True)
class Acceptance:
    """All steps that were done with one rig file, by their names; ``facts`` are the board, its firmware and others."""

    rig: str
    wiring: str
    """The hash of the rig's wiring: results of another wiring do not count."""
    facts: Mapping[str, str] = field(default_factory=dict)
    steps: Mapping[str, StepResult] = field(default_factory=dict)

    def passed(self, names: Sequence[str]) -> bool:
        """Whether all steps of these names were done and passed."""
        return all(name in self.steps and self.steps[name].passed for name in names)

    def add(self, name: str, result: StepResult, facts: Mapping[str, str] | None = None) -> Acceptance:
        """Return it with one more step."""
        return replace(self, steps={**self.steps, name: result}, facts={**self.facts, **(facts or {})})

    def write(self, path: Path) -> None:
        """Write it, for the next run. Raises ``RecordError``."""
        write_atomic(path, json.dumps({"format": FORMAT, **asdict(self)}, indent=1) + "\n", synced=True)


def load_acceptance(path: Path) -> Acceptance | None:
    """Read what an earlier run has written; None if there is nothing. Raises ``RecordError`` for another file."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return _parsed(document)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, AttributeError):
        raise RecordError(
            f"{path}: is not what this program wrote: move it away, and the acceptance begins from its first step"
        ) from None


def _parsed(found: Any) -> Acceptance:
    if found["format"] != FORMAT:
        raise ValueError(found["format"])
    steps = {str(name): _step(each) for name, each in found["steps"].items()}
    facts = {str(name): str(value) for name, value in found["facts"].items()}
    return Acceptance(str(found["rig"]), str(found["wiring"]), facts, steps)


def _step(found: Any) -> StepResult:
    rows = tuple(AcceptanceRow(**{key: str(value) for key, value in row.items()}) for row in found["rows"])  # type: ignore[arg-type]
    if any(row.verdict not in VERDICTS for row in rows):
        raise ValueError("verdict")
    return StepResult(str(found["date"]), rows)
