"""`run_session`: run a protocol file in memory and return the session."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from rig.core.model.rig_spec import SimulationOptions
from rig.session.run.run_session import simulation_options
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from rig.session.subject_facts import rehearsed_subject
from rig.testing import moves
from rig.testing.harness import Arrange, SessionHarness, Subject


def run_session(
    protocol: str | Path,
    subject: moves.Script | Subject | str = (),
    *,
    rig: str | None = None,
    params: Mapping[str, object] | None = None,
    stop: Mapping[str, object] | None = None,
    options: Mapping[str, object] | None = None,
    facts: Mapping[str, float] | None = None,
    seed: int = 1,
    carried_over: Mapping[str, object] | None = None,
    board: str = "sim",
    faults: Mapping[str, float] | None = None,
    cut: Iterable[str] = (),
    arrange: Arrange = lambda session: None,
    after_s: float = 5.0,
    keep_error: bool = False,
) -> SessionHarness:
    """Run a session of a protocol in memory, in virtual time, and return its harness with all records.

    ``protocol`` is a YAML file, or a name as for ``rig sim``. ``subject`` is a script of moves, a coroutine function
    that acts through a body, or the name of a virtual subject, whose parameters are ``options``. ``params`` and
    ``stop`` override values of the file; ``rig`` overrides its rig. ``seed`` is the seed of the protocol's draws and of
    the virtual subject. ``facts`` is what the protocol knows of its subject, such as ``{"weight_g": 22.0}``.
    ``carried_over`` is the state that the previous session left. ``faults`` are fields of
    ``sim_hardware.link_model.LinkFaults``, such as ``{"latency_s": 0.1}``. ``cut`` names channels with a broken wire,
    such as ``("left.beam",)``. ``arrange`` is called with the harness before the session begins.

    Raises ``ConfigError`` with all mistakes of the files, or for a place that the rig lacks. A session that ends with
    a fault raises its cause, such as the protocol's exception, unless ``keep_error``: then ``outcome`` has it.
    """
    sets = [*_sets("params", params), *_sets("stop", stop)]
    model = subject if isinstance(subject, str) else None
    asked = {name: str(value) for name, value in (options or {}).items()}
    simulation = SimulationOptions(model, asked, seed=seed, cut=frozenset(cut), faults=faults or {})
    request = SessionRequest(
        str(protocol), rig, sets, board, seed=seed, simulation=simulation, subject_facts=facts or {}
    )
    spec = build_spec(request)
    about = rehearsed_subject(spec)
    request = replace(request, subject=about.name)
    spec = replace(spec, request=request, simulated=True, carried_over=carried_over or {}, about_subject=about)
    session = SessionHarness(spec, board=board, rehearsal=simulation_options(spec))
    script, living = _script_or_coroutine(subject)
    session.run(script, living, arrange=arrange, after_s=after_s)
    if not keep_error and session.outcome is not None and session.outcome.failure is not None:
        raise session.outcome.failure
    return session


def _script_or_coroutine(subject: moves.Script | Subject | str) -> tuple[moves.Script, Subject | None]:
    """Return a script of moves and a coroutine function; a named subject needs neither, the rig starts it."""
    if isinstance(subject, str):
        return (), None
    if isinstance(subject, Iterable):
        return subject, None
    return (), subject


def _sets(section: str, values: Mapping[str, object] | None) -> list[str]:
    """Return values in the form of ``--set``; JSON is valid YAML."""
    return [f"{section}.{name}={json.dumps(value)}" for name, value in (values or {}).items()]
