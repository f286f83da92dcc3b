"""What pages name in backticks: commands, options, paths, classes, modules, keys and tests; and which are there.

Each function takes a text. It returns True, or the wrong word, if the text names a thing of its kind that is missing.
"""

import argparse
import ast
import builtins
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from rig.cli.main import build
from rig.config.models.protocol_file import ProtocolFile
from tests.docs.pages import PAGES, ROOT, path_of

FOLDERS = ("rig", "protocols", "sim_hardware", "tests", "scripts", "benchmarks", "docs/recipes", "configs", "firmware")
LABORATORY = ROOT / "docs" / "recipes"
"""Its folders look like those of a laboratory's own folder."""

_FENCED = re.compile(r"^ *(```+).*?^ *\1 *$", re.DOTALL | re.MULTILINE)
_NAME = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_PATH = re.compile(r"(?:rig|protocols|sim_hardware|tests|scripts|benchmarks|configs|docs|firmware)/[\w.*/-]*")
_CLASS = re.compile(r"([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+)((?:\.\w+)*)(?:\(.*\))?")
_MODULE = re.compile(r"(?:python -m )?((?:rig|protocols|sim_hardware|tests|scripts|benchmarks)(?:\.[A-Za-z_]\w*)+)")
_COMMAND = re.compile(r"rig ((?:[a-z]+|--\w+)(?![\w:,]).*)")
_OPTION = re.compile(r"(--[a-z][\w-]*)(?:[ =].*)?")
_KEY = re.compile(r"(stop|simulation|expect)\.(\w+)(?:[.: =].*)?")
_TARGET = re.compile(r"make ([a-z][\w-]*)(?: .*)?")
_TEST = re.compile(r"test_\w+")


class Named(NamedTuple):
    """A text in backticks, and the page and line on which it stands."""

    where: str
    text: str


@cache
def names() -> tuple[Named, ...]:
    """Return every text in backticks that is not in a block of code."""
    return tuple(chain.from_iterable(names_of(page) for page in PAGES))


def names_of(page: Path) -> Iterator[Named]:
    text = page.read_text(encoding="utf-8")
    prose = _FENCED.sub(lambda block: "\n" * block[0].count("\n"), text)
    for match in _NAME.finditer(prose):
        yield Named(f"{path_of(page)}:{prose.count(chr(10), 0, match.start()) + 1}", " ".join(match[1].split()))


@cache
def files() -> tuple[Path, ...]:
    """Return the files of the program, its tests and its examples."""
    return tuple(chain.from_iterable((ROOT / folder).rglob("*.*") for folder in FOLDERS))


@cache
def text_of(path: Path) -> str:
    """Return the text of a file."""
    return path.read_text(encoding="utf-8")


# --- paths ---


def missing_path(text: str) -> bool:
    """Return whether a path of the repository or of a laboratory is not there; NAME in it stands for any name."""
    if not _PATH.fullmatch(text):
        return False
    pattern = re.sub(r"\b[A-Z]{2,}\b(?=\.)", "*", text.rstrip("/"))
    roots = (ROOT, LABORATORY)
    return not any(list(root.glob(f"{pattern}{end}")) for root in roots for end in ("", ".*"))


# --- classes and modules ---


class Class(NamedTuple):
    """The names of the classes from which a class inherits, and all words of its text."""

    bases: frozenset[str]
    words: frozenset[str]


@cache
def classes() -> Mapping[str, Class]:
    """Return the classes and aliases of types of all sources. Classes of one name are one here."""
    found: dict[str, Class] = {}
    for text in (text_of(path) for path in files() if path.suffix == ".py"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                named = {word.id for base in node.bases for word in ast.walk(base) if isinstance(word, ast.Name)}
                words = re.findall(r"\w+", ast.get_source_segment(text, node) or "")
                before = found.get(node.name, Class(frozenset(), frozenset()))
                found[node.name] = Class(before.bases | named, before.words | frozenset(words))
        for name in re.findall(r"^(\w+)(?:: TypeAlias)? = ", text, re.MULTILINE):
            found.setdefault(name, Class(frozenset(), frozenset()))
    for text in (text_of(path) for path in files() if path.suffix in (".h", ".cpp")):
        for name in re.findall(r"\b(?:class|struct|enum) (\w+)", text):
            found.setdefault(name, Class(frozenset(), frozenset()))
    return found


def missing_class(text: str) -> bool:
    """Return whether no source defines a class, or the class and its bases do not have the attribute."""
    match = _CLASS.fullmatch(text)
    if match is None or hasattr(builtins, match[1]):
        return False
    return match[1] not in classes() or any(not has(match[1], word) for word in match[2].split(".") if word)


def has(name: str, word: str) -> bool:
    """Return whether a class or one of its bases has a name."""
    ahead, seen = [name], set[str]()
    while ahead:
        known = classes().get(ahead.pop())
        if known is not None and word in known.words:
            return True
        bases = known.bases - seen if known is not None else set()
        ahead += bases
        seen |= bases
    return False


def missing_module(text: str) -> bool:
    """Return whether a module, or a name in one, cannot be imported."""
    match = _MODULE.fullmatch(text)
    if match is None or match[1] in groups_of_entry_points() or text.endswith(".toml"):
        return False
    module, _, name = match[1].rpartition(".")
    try:
        return find_spec(match[1]) is None and not hasattr(import_module(module), name)
    except ModuleNotFoundError:
        return True


@cache
def groups_of_entry_points() -> frozenset[str]:
    """Return the groups of entry points; the package itself has none of YAML files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return frozenset(project["entry-points"]) | {"rig.configs"}


# --- commands, options and keys ---


@cache
def parser() -> argparse.ArgumentParser:
    """Return the parser of the program, with the arguments of every command."""
    return build(None)


def commands_of(parser: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """Return the parsers of its commands or verbs."""
    found = (action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return dict(next(found, None) or {})


def wrong_command(text: str) -> str:
    """Return the first word of a command line that the program does not have; an empty text if it has all."""
    match = _COMMAND.fullmatch(text)
    return "" if match is None else _wrong_word(parser(), match[1].split())


def _wrong_word(parser: argparse.ArgumentParser, words: list[str]) -> str:
    verbs = commands_of(parser)
    if verbs and words and re.fullmatch(r"[a-z|]+", words[0]):
        named = words[0].split("|")
        unknown = [verb for verb in named if verb not in verbs]
        return "".join(unknown[:1] or [wrong for verb in named if (wrong := _wrong_word(verbs[verb], words[1:]))][:1])
    options = (match[1] for word in words if (match := _OPTION.fullmatch(word)))
    return next((option for option in options if option not in parser._option_string_actions), "")


def wrong_option(text: str) -> bool:
    """Return whether an option is that of no command."""
    match = _OPTION.fullmatch(text)
    return match is not None and match[1] not in all_options()


@cache
def all_options() -> frozenset[str]:
    """Return the options of every command and of every verb."""

    def options(parser: argparse.ArgumentParser) -> Iterator[str]:
        yield from parser._option_string_actions
        for command in commands_of(parser).values():
            yield from options(command)

    return frozenset(options(parser()))


def wrong_key(text: str) -> bool:
    """Return whether a section of a protocol file does not have a key."""
    match = _KEY.fullmatch(text)
    return match is not None and match[2] not in keys_of(match[1])


@cache
def keys_of(section: str) -> frozenset[str]:
    """Return the keys of a section of a protocol file."""
    schema = ProtocolFile.model_json_schema()
    found = set(re.findall(r"#/\$defs/(\w+)", str(schema["properties"][section])))
    return frozenset(chain.from_iterable(schema["$defs"][name].get("properties", ()) for name in found))


def wrong_target(text: str) -> bool:
    """Return whether the Makefile does not have a target."""
    match = _TARGET.fullmatch(text)
    return match is not None and match[1] not in targets()


@cache
def targets() -> frozenset[str]:
    """Return the targets of the Makefile."""
    return frozenset(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def missing_test(text: str) -> bool:
    """Return whether no test has a name."""
    return _TEST.fullmatch(text) is not None and text not in tests()


@cache
def tests() -> frozenset[str]:
    """Return the names of all tests, and of their files."""
    modules = [path for path in files() if path.name.startswith("test_") and path.suffix == ".py"]
    found = (re.findall(r"\bdef (test_\w+)", text_of(path)) for path in modules)
    return frozenset(chain((path.stem for path in modules), chain.from_iterable(found)))


# --- a name and its file ---


class Defined(NamedTuple):
    """A name, and the file in which a page says it is."""

    where: str
    name: str
    file: str


_IN_FILE = re.compile(r"`([A-Za-z_][\w.]*)(?:\([^`]*\))?`\s+(?:\(|in\s+)`([\w/]+\.(?:py|cpp|h|yaml|toml))`")


@cache
def names_in_files() -> tuple[Defined, ...]:
    """Return every name that a page says is in a file: "`name` (`file.py`)" or "`name` in `file.py`"."""
    return tuple(
        Defined(path_of(page), match[1].rpartition(".")[2], match[2])
        for page in PAGES
        for match in _IN_FILE.finditer(_FENCED.sub("", page.read_text(encoding="utf-8")))
    )


def is_in_file(defined: Defined) -> bool:
    """Return whether a file whose path ends so has the name."""
    texts = (text_of(path) for path in files() if path.as_posix().endswith(f"/{defined.file}"))
    return any(re.search(rf"\b{re.escape(defined.name)}\b", text) for text in texts)
