"""Spoilt YAML: what a tired person, a careless editor or a bad disk makes of a file that was right."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

CONFIGS = Path(__file__).parents[2] / "configs"
FILES = sorted(path.relative_to(CONFIGS) for path in CONFIGS.glob("[prcs]*s/*.yaml"))
TEXTS = {name: (CONFIGS / name).read_text(encoding="utf-8") for name in FILES}

VALUES = (
    "", "x", "no", "true", "null", "~", "-1", "0", "1", "1e9", "-1e9", "1e400", ".nan", "-.inf", "0x10", "0o17", "3.5",
    "9" * 30, "9" * 5000, "'2.5'", "2,5", "2.5 ul", "2.5.5", "[]", "[1, 2]", "{}", "{a: 1}", "[[1]]", "2026-11-03",
    "2026-13-45", "12:30:00", "&a 1", "*a", "*nothing", "!!int x", "!!python/object:os.system x", "!tag 3", "| text",
    "> text", "%", "@x", "`x`", '"', "'", "a: b: c", "- 1", "# gone", "\u00b5", "\u2028", "\U0001f42d", "\u202e", "\\x",
    '"\\xZZ"', '"\\U00110000"', "../../../etc/passwd", "/dev/zero", "/", ".", "nul", "a" * 300, "sim\\left", "{{ x }}",
    "./x.py:X", ":", "x.py", "a:b", "two_armed_bandit", "free_water", "sim_nose_ports", "<<: *a",
)  # fmt: skip

LONG = 900_000
"""Less than what is refused by its size alone."""
HUGE: dict[str, Callable[[str], str]] = {
    "a comment": lambda text: text + "# " + "x" * LONG,
    "a word": lambda text: text + "note: " + "x" * LONG,
    "a list": lambda text: text + "note: [" + "1," * (LONG // 2) + "]",
    "lines": lambda text: text + "".join(f"key{n}: {n}\n" for n in range(LONG // 16)),
    "blank lines": lambda text: text + "\n" * LONG,
    "one key again and again": lambda text: text + "stop: 1\n" * (LONG // 8),
    "tabs": lambda text: text + "\t" * LONG,
    "quotes": lambda text: text + "'" * LONG,
    "dashes": lambda text: text + "- " * (LONG // 2),
    "brackets": lambda text: text + "[" * LONG,
}
DEEP: dict[str, Callable[[int], str]] = {
    "lists": lambda n: "[" * n + "]" * n,
    "mappings": lambda n: "{a: " * n + "1" + "}" * n,
    "blocks": lambda n: "\n" + "".join(f"{'  ' * (level + 1)}a:\n" for level in range(n)),
    "unclosed lists": lambda n: "[" * n,
    "sequences": lambda n: "- " * n + "1",
}
LAUGHS = "\n".join(["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]" for n in range(1, 40))]) + "\n"
ODD_BYTES = (
    *(b"\xff", b"\x00", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf"),
    *("é".encode("latin-1"), b"\x1b[2J", b"\r", b"\x85"),
)


@dataclass(frozen=True)
class CorruptedConfig:
    """A spoilt file: whose it was, and its bytes."""

    name: Path
    contents: bytes


@st.composite
def corrupted_configs(draw: st.DrawFn) -> CorruptedConfig:
    """Spoil a shipped file once to three times; now and then its bytes too."""
    name = draw(st.sampled_from(FILES))
    text = TEXTS[name]
    for _ in range(draw(st.integers(1, 3))):
        text = draw(st.sampled_from(_SPOIL))(draw, text)
    return CorruptedConfig(name, _bytes(draw, text))


def _bytes(draw: st.DrawFn, text: str) -> bytes:
    contents = text.encode("utf-8", "surrogatepass")
    kind = draw(st.integers(0, 19))
    if kind == 0:
        place = draw(st.integers(0, len(contents)))
        return contents[:place] + draw(st.sampled_from(ODD_BYTES)) + contents[place:]
    if kind == 1:
        return text.encode(draw(st.sampled_from(("utf-16", "utf-32", "utf-8-sig"))), "replace")
    if kind == 2:
        return text.encode("latin-1", "replace")
    return contents


def _line(draw: st.DrawFn, text: str) -> tuple[list[str], int]:
    lines = text.split("\n")
    return lines, draw(st.integers(0, len(lines) - 1))


def _another_value(draw: st.DrawFn, text: str) -> str:
    lines, n = _line(draw, text)
    key, colon, _ = lines[n].partition(":")
    lines[n] = f"{key}{colon or ':'} {draw(st.sampled_from(VALUES))}"
    return "\n".join(lines)


def _another_inner_value(draw: st.DrawFn, text: str) -> str:
    """Replace one value of a `{key: value, ...}` on a line."""
    lines, n = _line(draw, text)
    parts = lines[n].split(",")
    place = draw(st.integers(0, len(parts) - 1))
    key, colon, rest = parts[place].rpartition(":")
    parts[place] = f"{key}{colon} {draw(st.sampled_from(VALUES))}" + ("}" if rest.rstrip().endswith("}") else "")
    lines[n] = ",".join(parts)
    return "\n".join(lines)


def _a_number_out_of_bounds(draw: st.DrawFn, text: str) -> str:
    digits = [place for place, letter in enumerate(text) if letter.isdigit()]
    if not digits:
        return text
    place = draw(st.sampled_from(digits))
    return text[:place] + draw(st.sampled_from(("-1", "1e12", "99999", "0", "-0.001", "1.0000001"))) + text[place + 1 :]


def _a_typing_mistake(draw: st.DrawFn, text: str) -> str:
    place = draw(st.integers(0, max(0, len(text) - 2)))
    kind = draw(st.integers(0, 2))
    if kind == 0:
        return text[:place] + text[place + 1 :]
    if kind == 1:
        return text[:place] + text[place : place + 2][::-1] + text[place + 2 :]
    return text[:place] + draw(st.sampled_from("aeiou_:-{}[]#'\"&*!|>%@`, \t\n\\")) + text[place:]


def _another_indentation(draw: st.DrawFn, text: str) -> str:
    lines, n = _line(draw, text)
    lines[n] = draw(st.sampled_from(("", " ", "  ", "   ", "      ", "\t", " \t", "\t\t"))) + lines[n].lstrip()
    return "\n".join(lines)


def _a_line_twice(draw: st.DrawFn, text: str) -> str:
    lines, n = _line(draw, text)
    lines.insert(draw(st.integers(0, len(lines))), lines[n])
    return "\n".join(lines)


def _a_line_gone(draw: st.DrawFn, text: str) -> str:
    lines, n = _line(draw, text)
    return "\n".join(lines[:n] + lines[n + 1 :])


def _lines_of_another_file(draw: st.DrawFn, text: str) -> str:
    other = TEXTS[draw(st.sampled_from(FILES))].split("\n")
    lines, n = _line(draw, text)
    first = draw(st.integers(0, len(other) - 1))
    return "\n".join(lines[:n] + other[first : first + draw(st.integers(1, 5))] + lines[n:])


def _cut_off(draw: st.DrawFn, text: str) -> str:
    return text[: draw(st.integers(0, len(text)))]


def _very_deep(draw: st.DrawFn, text: str) -> str:
    lines, n = _line(draw, text)
    lines[n] = lines[n].partition(":")[0] + ": " + DEEP[draw(st.sampled_from(sorted(DEEP)))](1000)
    return "\n".join(lines)


def _extends(draw: st.DrawFn, text: str) -> str:
    name = draw(st.sampled_from(FILES)).name
    wanted = draw(st.sampled_from((name, f"[{name}, {name}]", ".", "", "nowhere.yaml", "{a: 1}", "3", "[3]", "[[a]]")))
    return f"extends: {wanted}\n{text}"


def _laughing(draw: st.DrawFn, text: str) -> str:
    return text + LAUGHS


_SPOIL = (
    _another_value,
    _another_value,
    _another_inner_value,
    _another_inner_value,
    _a_number_out_of_bounds,
    _a_typing_mistake,
    _a_typing_mistake,
    _another_indentation,
    _a_line_twice,
    _a_line_gone,
    _lines_of_another_file,
    _cut_off,
    _very_deep,
    _extends,
    _laughing,
)
