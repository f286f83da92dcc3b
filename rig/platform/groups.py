"""The groups of users that may open a serial port."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

PORT_GROUP = "dialout"
"""The group to which Debian gives serial ports."""

if sys.platform == "win32":

    def group_of(path: str) -> str:
        """Return `PORT_GROUP`: no group is needed."""
        return PORT_GROUP

    def is_member(group: str) -> bool:
        """Whether this user is in a group; no group is needed."""
        return False

    def opens_everything() -> bool:
        """Whether this user needs no rights to ports: no user of Windows does."""
        return True
else:
    import grp
    import pwd

    def group_of(path: str) -> str:
        """Return the group that may use a port; `PORT_GROUP` when it is unknown."""
        with suppress(OSError, KeyError):
            group = grp.getgrgid(os.stat(path).st_gid).gr_name
            # No operator should join root.
            return group if group != "root" else PORT_GROUP
        return PORT_GROUP

    def is_member(group: str) -> bool:
        """Whether this user is in a group, at the latest from the next login on."""
        with suppress(KeyError):
            user, of_group = pwd.getpwuid(os.getuid()), grp.getgrnam(group)
            # The list of a group's members lacks those whose primary group it is.
            return user.pw_name in of_group.gr_mem or user.pw_gid == of_group.gr_gid
        return False

    def opens_everything() -> bool:
        """Whether this user needs no rights to ports: root."""
        return os.geteuid() == 0
