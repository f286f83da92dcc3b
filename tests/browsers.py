"""A headless browser, for tests that look at pages as a person does."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
INSTALL = "make test-tools names the package"


@contextmanager
def headless_browser() -> Iterator[Any]:
    """A headless Chromium; without one the test is skipped, and fails in CI."""
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    sync_api = pytest.importorskip("playwright.sync_api")
    if path is None:
        why = f"Chromium is absent: {INSTALL}"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        yield opened
        opened.close()
