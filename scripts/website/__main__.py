"""Build the site into build/site/html: python -m scripts.website."""

from __future__ import annotations

import sys

from scripts.website.build import SiteError, build
from scripts.website.repository import HTML, ROOT, WORK


def main() -> int:
    """Build the site, and say where it is; the exit status is 1 if it cannot be built."""
    try:
        build(ROOT, WORK)
    except SiteError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"the site: {(HTML / 'index.html').as_uri()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
