"""Start the sessions of several boxes, and show and control them from outside: by their sockets and journals.

Each session is a process of its own, which does not need the supervisor. It may import live, terminal, system and core.
Begin with `supervise.supervise`.
"""
