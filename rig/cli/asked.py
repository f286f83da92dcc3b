"""``python -m rig.cli.asked WORDS``: run a command whose questions another program asks, such as the launcher.

Programs that the command starts are not asked by it: they are started as ``rig.cli.main``.
"""

from __future__ import annotations

import sys

from rig.cli.main import main
from rig.cli.terminal.prompt import ask_by_records

if __name__ == "__main__":
    ask_by_records()
    sys.exit(main(sys.argv[1:]))
