"""Only `rig.platform` asks which system this is: mypy checks both of its sides, and would miss one elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from scripts.house.sources import Finding, Source, dotted

ASKERS = {
    "rig/platform/": "has a POSIX and a Windows side of each subject",
    "sim_hardware/avr/pseudo_port.py": "opens pseudo-terminals, which Windows does not have",
}
"""Files that may, with the reason of each."""
OF_ONE_SYSTEM = {
    "sys.platform",
    "os.name",
    "socket.AF_UNIX",
    "socket.SO_PEERCRED",
    *(f"signal.{name}" for name in ("SIGHUP", "SIGKILL", "SIGBREAK", "SIGTTIN", "SIGTTOU", "pthread_kill")),
    *(f"signal.{name}" for name in ("pthread_sigmask", "SIG_BLOCK", "SIG_UNBLOCK", "SIG_SETMASK")),
    *(f"os.{name}" for name in ("fork", "geteuid", "getuid", "getpgrp", "tcgetpgrp", "killpg", "kill", "nice")),
    *(f"os.{name}" for name in ("openpty", "ttyname", "set_blocking", "sched_getaffinity", "sched_setaffinity")),
    *(f"os.{name}" for name in ("O_NOFOLLOW", "O_NOCTTY", "O_BINARY", "fdatasync", "major", "minor")),
    "select.poll",
}
"""Names that ask for the system, that it may lack, or that do another thing on it: ``os.kill`` ends a program."""
MODULES = ("os", "socket", "signal", "subprocess", "select")
MOVES = {"os.rename", "os.renames", "os.replace", "shutil.move"}
"""Functions that Windows refuses while a program has the file open, as a virus scanner has for a moment."""
MOVE_METHODS = ("rename", "replace")
"""Those of a path; with more arguments, or with names, they are methods of texts, times and tables."""


def findings(sources: Sequence[Source]) -> Iterator[Finding]:
    """Yield every name of one system, every look for one, and every move, in files that are not listed."""
    for source in sources:
        if source.is_python_in("rig/", "protocols/", "sim_hardware/") and not source.path.startswith(tuple(ASKERS)):
            for node in source.nodes(ast.Attribute):
                if (name := dotted(node)) in OF_ONE_SYSTEM:
                    yield Finding(source.path, node.lineno, f"{name} is not the same on each system: see rig/platform")
            for call in source.nodes(ast.Call):
                if text := _call_finding(call):
                    yield Finding(source.path, call.lineno, text)


def _call_finding(call: ast.Call) -> str:
    """Return what is wrong with a call, empty for nothing."""
    name = dotted(call.func)
    if name in ("getattr", "hasattr") and call.args and dotted(call.args[0]) in MODULES:
        return f"{dotted(call.args[0])} is not the same on each system: see rig/platform"
    is_of_path = isinstance(call.func, ast.Attribute) and call.func.attr in MOVE_METHODS
    if name in MOVES or (is_of_path and len(call.args) == 1 and not call.keywords):
        return "Windows moves no open file: take rig.platform.files.move_path, which waits until it is closed"
    return ""
