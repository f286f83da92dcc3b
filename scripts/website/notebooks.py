"""Notebooks as pages: each is run, and its page shows the code, the tables and the figures."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal, DeadKernelError
from nbconvert import MarkdownExporter

CELL_TIMEOUT_S = 600
FAILURES = (CellControlSignal, DeadKernelError)
"""What ``run`` raises when a cell fails, takes too long, or ends its process."""
_STYLE = re.compile(r"<style scoped>.*?</style>\s*", re.DOTALL)
_TABLE = re.compile(r'<table border="1" class="dataframe">')


def run(notebook: nbformat.NotebookNode) -> None:
    """Run all cells in an empty folder. Raises one of ``FAILURES``."""
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(
            notebook,
            timeout=CELL_TIMEOUT_S,
            resources={"metadata": {"path": folder}},
            extra_arguments=["--log-level=ERROR"],  # it warns of the local port that it listens at
        ).execute()


def read(path: Path) -> nbformat.NotebookNode:
    """Return the notebook of a file."""
    notebook: nbformat.NotebookNode = nbformat.read(path, as_version=4)
    return notebook


def to_page(notebook: nbformat.NotebookNode, stem: str) -> tuple[str, Mapping[str, bytes]]:
    """Return a notebook as Markdown, and its figures by the name of their file."""
    text, resources = MarkdownExporter().from_notebook_node(notebook, {"unique_key": stem})
    # The site's own style draws the tables of pandas.
    return _TABLE.sub("<table>", _STYLE.sub("", text)), resources.get("outputs", {})
