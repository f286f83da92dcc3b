"""``rig subject add`` and ``set``: record facts about a subject, such as its species and its baseline weight."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from rig.cli import common
from rig.cli.subject_names import known_subject
from rig.cli.terminal.prompt import settle_doubt
from rig.cli.terminal.top_up import unrestricted_text
from rig.config.subject_facts import SubjectFacts
from rig.core.errors import ConfigError
from rig.records.subject.known_subject import load_known_subject, record_facts
from rig.records.weight_entry import read_grams
from rig.session.typed_facts import doubts_of, new_subject, parse_facts
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Record facts. Raises ``ConfigError``, ``RecordError``."""
    facts = _facts(arguments)
    by = common.signed_by(arguments)
    new = arguments.what == "add"
    subject = new_subject(common.data_folder(arguments), arguments.subject) if new else known_subject(arguments)
    if not new and not facts:
        raise ConfigError(f"rig subject set {subject.name}: give at least one fact, such as --baseline-g 24.1")
    for name, doubt in doubts_of(subject, facts).items():
        facts[name] = settle_doubt(facts[name], doubt, partial(read_grams, _option(name)), "weight", yes=arguments.yes)
    with subject:
        if new:
            subject.state()  # makes the state of a new subject
        record_facts(subject.folder, facts, by, common.now())
    listed = ", ".join(f"{name} {value}" for name, value in facts.items())
    print(f"{subject.name}: {'added' if new else 'changed'}{f': {listed}' if listed else ''}")
    if text := unrestricted_text(load_known_subject(subject.folder), subject.name):
        print(text)
    return OK


def _facts(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the facts on the command line, checked. Raises ``ConfigError`` that lists every mistake."""
    words = {name: value for name in SubjectFacts.model_fields if (value := getattr(arguments, name)) is not None}
    facts, mistakes = parse_facts(words, common.now().date())
    if mistakes:
        raise ConfigError(*(f"{_option(name)} {text}" for name, text in mistakes.items()))
    return facts


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
