"""Run the sessions of a study that have not run yet."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from rig.campaigns.condition import Condition, condition_of
from rig.campaigns.session_job import ALL_RECORDS, SessionOrder, SessionProduct, run_job
from rig.campaigns.store import CampaignStore
from rig.config.models.study_file import StudyFile
from rig.core.task.random_streams import session_seed
from rig.jobs.engine import Chain, Engine
from rig.records.journal.read import JOURNAL
from rig.studies.arms import ArmPlan

FIRST_DAY = datetime.datetime(2026, 1, 5, 9)
"""When the first session of every subject begins, in virtual time."""


@dataclass(frozen=True)
class ArmSessions:
    """The sessions of an arm: what they run, what decides them, and how the orders are made."""

    plan: ArmPlan
    condition: Condition
    keeps: tuple[str, ...]
    """The files of a session that are kept beside the tables."""

    @classmethod
    def of(cls, plan: ArmPlan, file: StudyFile) -> ArmSessions:
        """Return the sessions of an arm of a study. Raises ``ConfigError``."""
        return cls(plan, condition_of(file.seed, plan.request), ALL_RECORDS if file.keep == "journals" else ())

    def order(self, subject: str, before: tuple[SessionProduct, ...]) -> SessionOrder:
        """Return the session of a subject that comes after some."""
        number = len(before) + 1
        past = tuple(each.record.only(JOURNAL) for each in before if each.record is not None)
        return SessionOrder(
            condition=self.condition,
            arm=self.plan.name,
            subject=subject,
            number=number,
            # The arm is in the seed: a subject that comes under two conditions does not repeat its draws.
            seed=session_seed(self.condition.seed, f"{self.plan.name}/{subject}", number - 1),
            start=FIRST_DAY + datetime.timedelta(days=number - 1),
            past=past,
            state=before[-1].state if before else b"",
            keeps=self.keeps or ((JOURNAL,) if number < self.plan.sessions else ()),
        )

    def is_last(self, product: SessionProduct) -> bool:
        """Whether no session follows for the subject: it has all, or its curriculum is over."""
        return product.tables is None or product.number == self.plan.sessions


def run_sessions(
    arms: Mapping[str, ArmSessions],
    store: CampaignStore,
    engine: Engine,
    on_session: Callable[[SessionProduct], object] = lambda product: None,
) -> None:
    """Run what is not in the store yet, and write each session there; ``on_session`` is called behind each.

    Raises ``RigError``, and ``KeyboardInterrupt`` after a stop: what ran is in the store.
    """
    chains = (chain for arm in arms.values() for chain in _chains(arm, store))
    for product in engine.run(run_job, chains):
        store.add(product, last=arms[product.arm].is_last(product))
        on_session(product)


def sessions_done(arm: ArmPlan, store: CampaignStore) -> int:
    """Return how many sessions of an arm need not run any more."""
    return sum(
        arm.sessions if store.is_finished(arm.name, subject) else store.unfinished.count(arm.name, subject)
        for subject in arm.subjects
    )


def _chains(arm: ArmSessions, store: CampaignStore) -> Iterator[Chain[SessionOrder, SessionProduct]]:
    name = arm.plan.name
    for subject in arm.plan.subjects:
        if store.is_finished(name, subject):
            store.unfinished.remove(name, subject)
        else:
            yield _chain(arm, subject, tuple(store.unfinished.read(name, subject)))


def _chain(arm: ArmSessions, subject: str, before: tuple[SessionProduct, ...]) -> Chain[SessionOrder, SessionProduct]:
    done = list(before)

    def after(product: SessionProduct) -> SessionOrder | None:
        if arm.is_last(product):
            return None
        done.append(product)
        return arm.order(subject, tuple(done))

    return Chain(arm.order(subject, before), after)
