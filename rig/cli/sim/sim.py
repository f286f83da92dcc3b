"""``rig sim``: run sessions of virtual subjects; subjects in parallel, those of a subject in order."""

from __future__ import annotations

import argparse
import math
import sys

from rig.boards.driver_lookup import find_driver
from rig.cli.run.request import requested
from rig.cli.run_and_save import run_and_save
from rig.cli.sim.campaign import Campaign, run_campaign
from rig.cli.terminal.display import Display
from rig.cli.terminal.end_screen import print_end, remarks
from rig.cli.terminal.printing import print_json, print_table
from rig.core.errors import ConfigError
from rig.records.session.summary import Summary
from rig.records.session.task_version import change_since, versions_before
from rig.session.curriculum.stage_planner import StagePlanner
from rig.session.spec.local_files import replaced_sources


def run(arguments: argparse.Namespace) -> int:
    """Run the sessions."""
    planner = StagePlanner(requested(arguments))
    for spec in planner.everything():
        if not find_driver(spec.plan.board.driver).accepts_models:
            raise ConfigError(
                f"rig {spec.plan.name} has a real board ({spec.plan.board.driver}): add --board sim to rehearse it"
            )
    if arguments.model is None:
        raise ConfigError("which virtual subject? Give --model NAME, such as --model rflr")
    if arguments.model == "keyboard":
        raise ConfigError("--model keyboard: that is a person, who needs real time: use `rig run`")
    for line in dict.fromkeys(line for spec in planner.everything() for line in replaced_sources(spec)):
        print(line, file=sys.stderr)
    campaign = Campaign.of(arguments)
    if len(campaign.subjects) * campaign.sessions == 1:
        return _run_one(arguments, planner, campaign)
    sessions = run_campaign(campaign, jobs=arguments.jobs)
    if not sessions:
        raise ConfigError(planner.over_said(campaign.records(campaign.subjects[0])))
    summaries = [finished.summary for finished in sessions]
    if arguments.json:
        print_json({"sessions": [summary.document() for summary in summaries]})
    else:
        _print_summaries(summaries)
    _warn(summaries)
    return max(finished.status for finished in sessions)


def _run_one(arguments: argparse.Namespace, planner: StagePlanner, campaign: Campaign) -> int:
    subject = campaign.subjects[0]
    records = campaign.records(subject)
    spec = campaign.session(subject, 0, planner.assign_today(records))
    before = versions_before(records.folder, simulated=records.simulated)
    for text in change_since(spec.version, before).unexpected:
        print(f"warning: {text}", file=sys.stderr)
    with Display(real_time=campaign.speed == 1) as display:
        finished = run_and_save(spec) if math.isinf(campaign.speed) else run_and_save(spec, on_folder=display.start)
    if arguments.json:
        print_json({"sessions": [finished.summary.document()]})
        _warn([finished.summary])
    else:
        print_end(finished.summary, sys.stdout)
    return finished.status


def _warn(summaries: list[Summary]) -> None:
    """Print the remarks of the end screen for each session."""
    for summary in summaries:
        for said in remarks(summary):
            print(f"{summary.folder}: {said}", file=sys.stderr)


def _print_summaries(summaries: list[Summary]) -> None:
    first = ("subject", "start", "stage", "seed", "trials", "rewards", "ul", "pellets", "access_s")
    shares = dict.fromkeys(name for summary in summaries for name in summary.shares)
    rows = [{**summary.document(), **summary.shares} for summary in summaries]
    columns = (*first, *shares, "reason")
    shown = [name for name in columns if any(row.get(name, 0) != 0 for row in rows)]
    print_table([[str(row.get(name, "")) for name in shown] for row in rows], shown)
    print(f"records: {summaries[0].folder} ... {summaries[-1].folder}")
