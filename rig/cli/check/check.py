"""``rig check``: report every mistake in every file, and the source of each value."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from rig.cli import common
from rig.cli.check.explain import explain_files
from rig.cli.terminal.printing import print_json
from rig.config import collect_errors
from rig.config.errors.errors import ConfigIssue
from rig.config.errors.formatting import display_path
from rig.config.find_any import find_any
from rig.core.errors import ConfigError
from rig.session.check.check import FileReport, check
from rig.session.spec.request import SessionRequest
from rig.session.subject_facts import parse_facts
from rig.studies.check import check_study
from rig.system.statuses import OK, WRONG_INPUT


def run(arguments: argparse.Namespace) -> int:
    """Check the files, or explain their values."""
    key, words = _explained_key(arguments)
    if key is not None:
        return explain_files(collect_errors(*(partial(find_any, word) for word in words)), key, arguments)
    data = None if arguments.subject is None else common.data_folder(arguments)
    request = SessionRequest(
        rig=arguments.rig,
        sets=arguments.set,
        driver=arguments.board,
        start=common.start_time(arguments.start),
        simulation=common.simulation(arguments, 0),
        subject_facts=parse_facts(arguments.fact),
    )
    if data is not None:  # a subject's records are to be rehearsed
        request = replace(request, subject=arguments.subject, data=data)
    checked = [_checked(word, request) for word in dict.fromkeys(words)]
    if arguments.strict:
        checked = [replace(one, mistakes=(*one.mistakes, *one.warnings), warnings=()) for one in checked]
    if arguments.json:
        print_json({"files": [_as_json(one) for one in checked]})
    else:
        _print(checked)
    return WRONG_INPUT if any(one.mistakes for one in checked) else OK


def _checked(word: str, request: SessionRequest) -> FileReport:
    """Check the file that a word names; an unknown word does not stop the other checks."""
    try:
        path = find_any(word)
    except ConfigError as error:
        return FileReport(Path(word), "file", error.mistakes)
    return check(path, request, {"study": check_study})


def _explained_key(arguments: argparse.Namespace) -> tuple[str | None, list[str]]:
    """Return the key to explain, and the files: `--explain FILE` means all keys of the file."""
    key, words = arguments.explain, list(arguments.files)
    if key is not None and key and not words:
        return "", [key]
    if not words:
        raise ConfigError("which file? Give one or more, such as `rig check my_task.yaml`")
    return key, words


def _print(checked: Iterable[FileReport]) -> None:
    said: set[str] = set()
    for one in checked:
        for mistake in one.mistakes:
            if mistake not in said:
                print(mistake, file=sys.stderr)
            said.add(mistake)
        if not one.mistakes:
            print(f"{display_path(one.path)}: ok: {'; '.join(one.notes)}")
        for line in one.warnings:
            print(f"{display_path(one.path)}: warning: {line}", file=sys.stderr)
        for line in one.replaced:
            print(f"{display_path(one.path)}: {line}")


def _as_json(one: FileReport) -> dict[str, object]:
    return {
        "file": display_path(one.path),
        "kind": one.kind,
        "ok": not one.mistakes,
        "mistakes": [_parts(mistake) for mistake in one.mistakes],
        "notes": list(one.notes),
        "warnings": list(one.warnings),
        "replaced": list(one.replaced),
    }


def _parts(mistake: str) -> dict[str, object]:
    if isinstance(mistake, ConfigIssue):
        return {"file": mistake.location.file, "line": mistake.location.line, "key": mistake.key, "text": mistake.text}
    return {"file": None, "line": None, "key": "", "text": mistake}
