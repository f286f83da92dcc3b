"""The page of an acceptance, to keep with the rig: one HTML file without scripts, which loads nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from html import escape

from rig.diagnostics.acceptance.results import Acceptance, AcceptanceRow, StepResult

_STYLE = """
body { font: 15px/1.4 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #111; }
table { border-collapse: collapse; width: 100%; margin: 0.5em 0 1.5em; }
th, td { border: 1px solid #bbb; padding: 0.3em 0.6em; text-align: left; vertical-align: top; }
.pass { background: #dff2df; } .fail { background: #f7d4d4; font-weight: bold; } .skipped { background: #fdf1cc; }
.sign { border-bottom: 1px solid #111; display: inline-block; min-width: 20em; }
code { overflow-wrap: anywhere; }
@media print { body { margin: 0; } }
"""


def digest(acceptance: Acceptance) -> str:
    """Return the SHA-256 of everything that was found, which the signature is for."""
    return hashlib.sha256(json.dumps(asdict(acceptance), sort_keys=True).encode()).hexdigest()


def html_page(acceptance: Acceptance, names: Sequence[str], signed_by: str, date: str) -> str:
    """Return the page; ``names`` are all steps that there are, in their order."""
    passed = acceptance.passed(names)
    title = f"Acceptance of rig {acceptance.rig}"
    verdict = "passed" if passed else "NOT passed"
    facts = [("result", verdict), ("date", date), ("signed by", signed_by), *acceptance.facts.items()]
    facts.append(("SHA-256 of these results", digest(acceptance)))
    sections = "".join(_section(name, acceptance.steps.get(name)) for name in names)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{escape(title)}</h1>\n"
        f"{_facts(facts)}{sections}"
        f'<p>{escape(signed_by)}, {escape(date)}</p><p>Signature: <span class="sign">&nbsp;</span></p>\n'
        "</body></html>\n"
    )


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td{_class(value)}><code>{escape(value)}</code></td></tr>\n'
        for name, value in facts
    )
    return f"<table>{rows}</table>\n"


def _class(value: str) -> str:
    return {"passed": ' class="pass"', "NOT passed": ' class="fail"'}.get(value, "")


def _section(name: str, step: StepResult | None) -> str:
    if step is None:
        return f'<h2>{escape(name)}</h2><p class="skipped">not done</p>\n'
    head = "<tr><th>what</th><th>result</th><th>measured</th><th>must be</th></tr>\n"
    return f"<h2>{escape(name)}</h2><p>{escape(step.date)}</p>\n<table>{head}{''.join(map(_row, step.rows))}</table>\n"


def _row(row: AcceptanceRow) -> str:
    cells = "".join(f"<td>{escape(text)}</td>" for text in (row.found, row.must))
    return f'<tr><td>{escape(row.what)}</td><td class="{escape(row.verdict)}">{escape(row.verdict)}</td>{cells}</tr>\n'
