"""Small tables of every reader, and what other programs and people do to such a table, as data."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from protocols.delay_discounting.tables.laps import read_laps, read_track
from protocols.disk_bandit.tables.pecks import read_pecks
from protocols.disk_bandit.tables.people import read_people
from protocols.searching.tables.grid_long import read_long
from protocols.searching.tables.grid_wide import read_wide
from protocols.two_armed_bandit.tables.decisions import read_decisions

Rows = list[list[str]]


class Format(NamedTuple):
    """A small table and its reader; ``ordered`` names a column whose rows are in order."""

    read: Callable[[Path], Any]
    text: str
    ordered: str


FORMATS = {
    "decisions": Format(
        read_decisions,
        "decision_s,since_last_poke_s,center_to_side_s,port,p_right,p_left,reward\n"
        "7.561,1.5,0.4,2,0.8,0.2,1\n10.005,1.5,0.4,2,0.8,0.2,1\n12.56,1.5,0.4,1,0.8,0.2,0\n14.8,1.5,0.4,2,0.8,0.2,1\n"
        "1216.25,1.25,0.35,1,0.8,0.2,0\n",
        "decision_s",
    ),
    "laps": Format(
        read_laps,
        "lap,side,is_delayed_side,delay_before_s,pellets,outcome,t_lap_end\n1,left,True,12.5,3,rewarded,41.25\n"
        "2,right,False,13.5,1,skip,62.5\n3,left,True,13.5,3,rewarded,99.25\n5,left,True,14,3,withheld,1204.5\n",
        "lap",
    ),
    "track": Format(
        read_track, "t_s,x_cm,y_cm\n0.0167,1.5,2.25\n0.0333,2.25,3.5\n0.05,2.75,3.75\n1.5,9.25,3.5\n", "t_s"
    ),
    "pecks": Format(
        read_pecks,
        "t,x_cm,y_cm,disk,vi_s,on_target,rewarded,block,phase,session\n12.5,15.27,12.01,0,27,True,False,1,respond,1\n"
        "13.25,15.3,12.02,0,27,True,True,1,respond,1\n3.75,2.25,8.5,3,81,True,False,1,respond,2\n"
        "1444.5,2.5,8.25,3,81,True,False,2,respond,2\n",
        "t",
    ),
    "grid_long": Format(
        read_long,
        "id,session,x,y,chosen,z,zscaled,time,trial,round\n11,1,7,3,32,37.5,27,1734335758008,0,1\n"
        "11,1,4,2,21,9.25,10,1734335762147,1,1\n11,1,0,7,57,81.5,4,1734335763676,2,1\n"
        "12,1,7,0,8,27.5,25,1734335764000,0,1\n12,1,4,0,5,28.25,24,1734335809283,1,1\n",
        "trial",
    ),
    "grid_wide": Format(
        read_wide,
        'id,scenario,kernel,horizon,scale,envOrder,searchHistory,reward\n3,0,1,0,"[67,72]","[8,13]",'
        '"{""xcollect"":[[9,8,9],[0,0]],""ycollect"":[[4,5,4],[6,10]],""zcollect"":[[72,-1,72],[57,1]],'
        '""zcollectScaled"":[[53,4,53],[46,6]]}",1.25\n4,1,0,1,"[67,72]","[8,13]",'
        '"{""xcollect"":[[1,2],[3,3]],""ycollect"":[[4,5],[6,10]],""zcollect"":[[72,-1],[57,1]],'
        '""zcollectScaled"":[[53,4],[46,6]]}",2.5\n',
        "",
    ),
    "people": Format(read_people, "subject,sex,grades\nP1,f,3.4\nP2,m,2.25\nP3,f,11.5\n", "grades"),
}


def rows_of(text: str) -> Rows:
    """The cells of a table."""
    return list(csv.reader(io.StringIO(text)))


def text_of(rows: Rows, **form: Any) -> str:
    """A table of cells, quoted where it is needed."""
    out = io.StringIO()
    csv.writer(out, **{"lineterminator": "\n", **form}).writerows(rows)
    return out.getvalue()


def each_cell(rows: Rows, change: Callable[[str], str]) -> Rows:
    """The table with changed cells below its header."""
    return [rows[0], *([change(cell) for cell in row] for row in rows[1:])]


def with_comma(cell: str) -> str:
    """A number as it is written in Germany."""
    return cell.replace(".", ",") if cell.replace(".", "", 1).isdecimal() else cell


def grouped(cell: str, mark: str = ",") -> str:
    """A number with separators of thousands."""
    whole, point, part = cell.partition(".")
    if not whole.isdecimal() or len(whole) < 4 or (part and not part.isdecimal()):
        return cell
    return f"{int(whole):,}".replace(",", mark) + point + part


def as_float(cell: str) -> str:
    """A whole number as pandas writes it in a column that once had a gap."""
    return f"{cell}.0" if cell.isdecimal() and len(cell) < 13 else cell


def utf16(text: str, encoding: str = "utf-16") -> bytes:
    """A table as Excel saves "Unicode text"."""
    return text_of(rows_of(text), delimiter="\t").encode(encoding)


def numbered(text: str, separator: str) -> str:
    """A table whose rows begin with their numbers, which the header does not name."""
    head, *rows = rows_of(text)
    return text_of([head, *([str(place), *row] for place, row in enumerate(rows, 1))], delimiter=separator)


SAME: dict[str, Callable[[str], bytes | str]] = {
    "as it is": lambda text: text,
    "byte order mark": lambda text: text.encode("utf-8-sig"),
    "lines of Windows": lambda text: text.replace("\n", "\r\n"),
    "lines of an old Mac": lambda text: text.replace("\n", "\r"),
    "no last line end": lambda text: text.rstrip("\n"),
    "semicolons": lambda text: text_of(rows_of(text), delimiter=";"),
    "tabs": lambda text: text_of(rows_of(text), delimiter="\t"),
    "bars": lambda text: text_of(rows_of(text), delimiter="|"),
    "spaces behind commas": lambda text: text if '"' in text else text.replace(",", ", "),
    "German Excel": lambda text: text_of(each_cell(rows_of(text), with_comma), delimiter=";"),
    "German Excel with a mark": lambda text: text_of(each_cell(rows_of(text), with_comma), delimiter=";").encode(
        "utf-8-sig"
    ),
    "decimal commas in quotes": lambda text: text_of(each_cell(rows_of(text), with_comma), quoting=csv.QUOTE_ALL),
    "decimal commas and tabs": lambda text: text_of(each_cell(rows_of(text), with_comma), delimiter="\t"),
    "UTF-16": utf16,
    "UTF-16 without a mark": lambda text: utf16(text, "utf-16-le"),
    "UTF-16 of a Mac": lambda text: utf16(text, "utf-16-be"),
    "sep= of Excel": lambda text: "sep=;\n" + text_of(rows_of(text), delimiter=";"),
    "every cell quoted": lambda text: text_of(rows_of(text), quoting=csv.QUOTE_ALL),
    "header quoted, as R does": lambda text: (
        ",".join(f'"{name}"' for name in rows_of(text)[0]) + "\n" + text.partition("\n")[2]
    ),
    "empty columns at the end": lambda text: text_of([[*row, "", ""] for row in rows_of(text)]),
    "empty rows at the end": lambda text: text + "," * 9 + "\n\n\n",
    "an empty first line": lambda text: "\n" + text,
    "a comment before it": lambda text: "# saved by a program\n" + text,
    "header with spaces": lambda text: text_of([[f" {name} " for name in rows_of(text)[0]], *rows_of(text)[1:]]),
    "header in capitals": lambda text: text_of([[name.upper() for name in rows_of(text)[0]], *rows_of(text)[1:]]),
    "words in capitals, as Excel": lambda text: text.replace("True", "TRUE").replace("False", "FALSE"),
    "words of a German Excel": lambda text: text.replace("True", "WAHR").replace("False", "FALSCH"),
    "spaces in names": lambda text: text_of(
        [[name.replace("_", " ") for name in rows_of(text)[0]], *rows_of(text)[1:]]
    ),
    "whole numbers as floats": lambda text: text_of(each_cell(rows_of(text), as_float)),
    "thousands with spaces": lambda text: text_of(each_cell(rows_of(text), lambda cell: grouped(cell, "\u202f"))),
    "numbers of rows, as write.table of R": lambda text: numbered(text, " "),
    "numbers of rows and tabs": lambda text: numbered(text, "\t"),
    "columns the other way": lambda text: text_of([row[::-1] for row in rows_of(text)]),
    "a comment in Latin-1": lambda text: text_of(
        [[*row, "note" if not place else "gut für heute"] for place, row in enumerate(rows_of(text))]
    ).encode("latin-1"),
}
"""What changes nothing: the table is read as before."""


def moved(text: str, order: Sequence[int] | None = None) -> str:
    """The table with its rows in another order."""
    rows = rows_of(text)
    return text_of([rows[0], *(rows[1:][place] for place in order or range(len(rows) - 2, -1, -1))])


def sorted_by(text: str, column: int) -> str:
    """The table as a spreadsheet sorts it by one column, the largest first."""
    rows = rows_of(text)
    return text_of([rows[0], *sorted(rows[1:], key=lambda row: row[column], reverse=True)])


def replaced(text: str, row: int, column: int, cell: str) -> str:
    """The table with another cell."""
    rows = rows_of(text)
    rows[row][column] = cell
    return text_of(rows)


REFUSED: dict[str, tuple[Callable[[str], bytes | str], str]] = {
    "rows turned round": (moved, "wanted the rows as they were recorded|has more than one row"),
    "a doubled row": (lambda text: text + text.splitlines()[-1] + "\n", "same row as line|more than one row"),
    "pasted twice": (lambda text: text + text.partition("\n")[2], "same row as line|more than one row"),
    "a torn last row": (
        lambda text: text[: text.rstrip("\n").rfind(",")],
        "too few columns.*cut|no table of text",
    ),
    "a row without an end": (lambda text: text + '"12', "no table of text|too few columns"),
    "a first cell that is no number": (lambda text: replaced(text, 2, 0, "#N/A"), "has no "),
    "a first cell of Excel": (lambda text: replaced(text, 2, 0, "########"), "is no number|" + "########"),
    "one column too many": (lambda text: text.replace("\n", ",9\n").replace(",9\n", "\n", 1), "too many columns"),
    "decimal commas without quotes": (
        lambda text: "\n".join(",".join(map(with_comma, row)) for row in rows_of(text)) + "\n",
        "too many columns|no table of text",
    ),
    "a column twice": (lambda text: text_of([[*row, row[0]] for row in rows_of(text)]), "twice: wanted it once"),
    "no header": (lambda text: text.partition("\n")[2], ":1: a file of .* must begin with the line"),
    "a title before it": (lambda text: "My experiment\n" + text, "must begin with the line|too many"),
    "a workbook": (lambda text: b"PK\x03\x04\x14\x00\x06\x00" + text.encode(), "is a workbook: save its sheet as CSV"),
    "zeros": (lambda text: text.encode() + b"\0" * 400, "has only zeros from byte .* not saved to its end"),
    "a row behind #": (
        lambda text: "\n".join(f"#{line}" if at == 2 else line for at, line in enumerate(text.splitlines())) + "\n",
        ":3: a row that begins with #, or a comment",
    ),
    "an empty file": (lambda text: "", "must begin with the line"),
    "only the header": (lambda text: text.partition("\n")[0] + "\n", "has no "),
}
"""What may change a result: refused with what would be right."""

NOT_FOR = {  # what cannot be told, or has another meaning
    ("rows turned round", "people"),  # rows of people have no order
    ("rows turned round", "grid_wide"),
    ("a first cell of Excel", "people"),
    ("a first cell of Excel", "grid_wide"),
    ("a first cell of Excel", "grid_long"),
    ("decimal commas without quotes", "grid_wide"),
    ("columns the other way", "people"),  # the traits are then in another order
    ("a comment in Latin-1", "people"),  # a trait, and its name
    ("header in capitals", "people"),
}
