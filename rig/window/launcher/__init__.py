"""The launcher: a card for each box of a file, whose sessions it starts by commands and controls at their sockets.

It knows no rule of a session: each command asks its own questions. Begin with `launcher_window.LauncherWindow`.
"""
