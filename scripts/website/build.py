"""Build the site: collect the pages in a folder, translate their links, and let Zensical make HTML of them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

from nbformat import NotebookNode

from scripts.website import api, notebooks
from scripts.website.navigation import Entry, navigation
from scripts.website.repository import page_paths
from scripts.website.translate import Site, show_source, source_page

HERE = Path(__file__).parent
ASSETS = ("site.css", "iframe-worker.js")
CONFIG = "zensical.toml"
_COLOR = re.compile(r"\x1b\[[\d;]*m")


class SiteError(Exception):
    """The site cannot be built; the text says why."""


def build(root: Path, work: Path, *, run_notebooks: bool = True) -> None:
    """Build the site of a repository in the folder ``html`` of ``work``.

    Raises ``SiteError`` for a page to which no page leads, a dead link, any warning of the builder, and a notebook
    that fails.
    """
    if work.exists():
        shutil.rmtree(work)
    pages = work / "pages"
    originals = _texts(root, pages, run_notebooks)
    site = Site(root, {*originals, *page_paths(root)})
    texts = {path: site.translate(path, text) for path, text in originals.items()}
    for path, text in texts.items():
        _write(pages / path, text)
    for path in site.sources:
        _write(pages / source_page(path), show_source(path, (root / path).read_text(encoding="utf-8")))
    for path in site.files:
        (pages / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, pages / path)
    for name in ASSETS:
        shutil.copyfile(HERE / name, pages / name)
    _write(work / CONFIG, _config(root, texts))
    _run_builder(work)


def _texts(root: Path, pages: Path, run_notebooks: bool) -> dict[str, str]:
    """Return the text of every page by its path on the site; figures of notebooks are written beside their pages."""
    texts = {}
    for path in page_paths(root):
        if not path.endswith(".ipynb"):
            texts[path] = (root / path).read_text(encoding="utf-8")
            continue
        notebook = notebooks.read(root / path)
        if run_notebooks:
            _run(path, notebook)
        page = Path(path).with_suffix(".md")
        texts[page.as_posix()], figures = notebooks.to_page(notebook, page.stem)
        for name, content in figures.items():
            (pages / page.parent).mkdir(parents=True, exist_ok=True)
            (pages / page.with_name(name)).write_bytes(content)
    texts[api.SHORT] += api.WAY_THERE
    texts[api.PAGE] = api.page()
    return texts


def _run(path: str, notebook: NotebookNode) -> None:
    try:
        notebooks.run(notebook)
    except notebooks.FAILURES as error:
        raise SiteError(f"{path} does not run to its end:\n{error}") from error


def _config(root: Path, texts: Mapping[str, str]) -> str:
    """Return the builder's configuration with the navigation."""
    try:
        entries = navigation(texts)
    except LookupError as error:
        raise SiteError(str(error)) from error
    template = Template((HERE / CONFIG).read_text(encoding="utf-8"))
    return template.substitute(root=json.dumps(str(root)), navigation=_toml(entries))


def _toml(entries: Sequence[Entry]) -> str:
    """Return entries as a value of TOML; a page with pages below it is the first of its section."""
    written = []
    for entry in entries:
        below = entry.below if entry.page is None else [Entry(entry.title, entry.page), *entry.below]
        value = _toml(below) if entry.below else json.dumps(entry.page)
        written.append(f"{{ {json.dumps(entry.title, ensure_ascii=False)} = {value} }}")
    return f"[{', '.join(written)}]"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _run_builder(work: Path) -> None:
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode != 0 or "warning" in done.stderr.lower():
        warnings, _, traceback = done.stderr.partition("Traceback (most recent call last)")
        raise SiteError(_COLOR.sub("", warnings or traceback).strip())
