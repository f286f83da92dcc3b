"""The subject as NWB and DANDI want it: from its records, and from what a person says at the export.

DANDI requires id, species, sex and age. Names of species are Latin. For a species that DANDI does not list by name it
takes the address in the taxonomy of the NCBI.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from rig.config.species import Species
from rig.config.subject_facts import SubjectFacts
from rig.core.errors import ConfigError
from rig.export.nwb.identity import start_of
from rig.records.recorded_session import RecordedSession
from rig.records.subject.known_subject import load_facts

LATIN: Mapping[Species, str] = {
    "mouse": "Mus musculus",
    "rat": "Rattus norvegicus",
    "pigeon": "http://purl.obolibrary.org/obo/NCBITaxon_8932",  # Columba livia
    "human": "Homo sapiens",
}
SEXES = {"female": "F", "male": "M", "unknown": "U", "other": "O"}
REQUIRED = ("subject_id", "species", "sex", "age")
"""The fields that DANDI requires."""
_OLDEST_YEARS = 90
"""An older person could be recognized by the age: DANDI wants it given as 90 years or more."""
_DAYS_OF_YEAR = 365.25
_SPECIES = re.compile(r"[A-Z][a-z]* [a-z]+|http://purl\.obolibrary\.org/obo/NCBITaxon_\d+")
_AGE = re.compile(r"P(?=.)(\d+(\.\d+)?Y)?(\d+(\.\d+)?M)?(\d+(\.\d+)?W)?(\d+(\.\d+)?D)?")


@dataclass(frozen=True)
class GivenFacts:
    """What a person says of the subject at the export; an empty text says nothing. It goes before the records."""

    subject_id: str = ""
    species: str = ""
    sex: str = ""
    age: str = ""
    birth: date | None = None
    strain: str = ""
    genotype: str = ""


@dataclass(frozen=True)
class SubjectFields:
    """The fields of the subject in the file, and those of ``REQUIRED`` that are ``missing``."""

    fields: Mapping[str, str]
    missing: tuple[str, ...]
    license: str | None = None


def subject_fields(session: RecordedSession, given: GivenFacts) -> SubjectFields:
    """Return the fields of a session's subject. Raises ``ConfigError`` for a fact that is wrong, ``RecordError``."""
    facts = load_facts(session.folder.absolute().parent.parent)
    species = _species(given.species) or ("" if facts.species is None else LATIN[facts.species])
    fields = {
        "subject_id": given.subject_id or session.subject or "",
        "species": species,
        "sex": _sex(given.sex or facts.sex or ""),
        "age": _age(session, given, facts, is_human=species == LATIN["human"]),
        "strain": given.strain or facts.strain or "",
        "genotype": given.genotype,
        "weight": _weight(session.header.facts.get("weight_g")),
        "description": _description(session, facts),
    }
    missing = tuple(name for name in REQUIRED if not fields[name])
    return SubjectFields({name: text for name, text in fields.items() if text}, missing, facts.license)


def _species(word: str) -> str:
    latin = {str(name): text for name, text in LATIN.items()}.get(word, word)
    if latin and not _SPECIES.fullmatch(latin):
        raise ConfigError(
            f"--species {word}: wanted {', '.join(LATIN)}, a Latin name such as 'Mus musculus', or its address in the "
            f"taxonomy of the NCBI, such as {LATIN['pigeon']}"
        )
    return latin


def _sex(word: str) -> str:
    letter = SEXES.get(word, word)
    if letter and letter not in SEXES.values():
        raise ConfigError(f"--sex {word}: wanted {', '.join(SEXES)}, or one of {', '.join(SEXES.values())}")
    return letter


def _age(session: RecordedSession, given: GivenFacts, facts: SubjectFacts, *, is_human: bool) -> str:
    """Return the age at the session, in ISO 8601; the day of birth is not written, as it could identify a person."""
    if given.age:
        if not _AGE.fullmatch(given.age):
            raise ConfigError(f"--age {given.age}: wanted a duration in ISO 8601, such as P90D or P25Y")
        return given.age
    birth = given.birth or facts.birth
    if birth is None:
        return ""
    days = (start_of(session).date() - birth).days
    if days < 0:
        raise ConfigError(
            f"{session.journal}: the session was before the subject's birth, {birth}: is this date right?"
        )
    if not is_human:
        return f"P{days}D"
    years = int(days / _DAYS_OF_YEAR)
    return f"P{_OLDEST_YEARS}Y/" if years >= _OLDEST_YEARS else f"P{years}Y"


def _weight(weight_g: float | str | None) -> str:
    if weight_g is None or isinstance(weight_g, str) or weight_g <= 0:
        return ""
    return f"{round(weight_g / 1000, 9):f}".rstrip("0").rstrip(".") + " kg"


def _description(session: RecordedSession, facts: SubjectFacts) -> str:
    if session.simulated:
        return f"virtual subject, the program '{session.header.model}': no animal and no person took part"
    restriction = {"water": "with restricted water", "food": "with restricted food"}.get(facts.restriction or "", "")
    return f"subject of a behavioral experiment {restriction}".rstrip()
