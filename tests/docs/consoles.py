"""The commands of a block, what it shows below each, and whether that is what was printed."""

import re
from collections.abc import Iterator


def commands(text: str, prompt: str = "") -> Iterator[tuple[str, str]]:
    """Split a block into its commands, each with the output below it; a block without a prompt has no output."""
    command, shown = "", list[str]()
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith(prompt):
            if command:
                yield command, "\n".join(shown)
            command, shown = line.removeprefix(prompt).strip(), []
            if command.startswith("#"):
                command = ""
        else:
            shown.append(line)
    if command:
        yield command, "\n".join(shown)


def wrong_result(shown: str, wanted: int, status: int, printed: str) -> str:
    """Return what is wrong with what a command did; an empty text if its page says so."""
    if "Traceback" in printed:
        return f"a traceback\n{printed}"
    if status != wanted:
        return f"exit status {status}, not {wanted}\n{printed}"
    if shown and not looks_like(shown, printed):
        return f"prints\n{printed}\nand the page shows\n{shown}"
    return ""


def looks_like(shown: str, printed: str) -> bool:
    """Whether the output on a page is what was printed; ``...`` or ``…`` matches anything."""
    parts = re.split(r"\.\.\.|…", _plain(shown))
    return re.fullmatch(".*?".join(map(re.escape, parts)), _plain(printed), re.DOTALL) is not None


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
