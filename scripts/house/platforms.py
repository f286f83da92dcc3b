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


def findings(sources: Sequence[Source]) -> Iterator[Finding]:
    """Yield every name of one system, and every look for one, in files that are not listed."""
    for source in sources:
        if source.is_python_in("rig/", "protocols/", "sim_hardware/") and not source.path.startswith(tuple(ASKERS)):
            for node in source.nodes(ast.Attribute):
                if (name := dotted(node)) in OF_ONE_SYSTEM:
                    yield Finding(source.path, node.lineno, f"{name} is not the same on each system: see rig/platform")
            for call in source.nodes(ast.Call):
                if dotted(call.func) in ("getattr", "hasattr") and call.args and dotted(call.args[0]) in MODULES:
                    module = dotted(call.args[0])
                    yield Finding(
                        source.path, call.lineno, f"{module} is not the same on each system: see rig/platform"
                    )
