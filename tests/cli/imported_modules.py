"""The modules that `rig --help` may import, so that help stays fast."""

ALWAYS_IMPORTED = {"rig", "rig.cli", "rig.cli.main", "__future__"}
IMPORTED_FOR_HELP = {
    "collections.abc",
    "rig.platform",
    "rig.platform.command_line",
    *(
        "rig.cli.argparse_ext",
        "rig.cli.contributed",
        "rig.system",
        "rig.system.entry_point_texts",
        "rig.system.statuses",
        "argparse",
        "gettext",
        "locale",
        "textwrap",
        "importlib",
        "warnings",
    ),
    *(
        "re",
        "enum",
        "types",
        "operator",
        "functools",
        "collections",
        "keyword",
        "reprlib",
        "itertools",
        "copyreg",
        "errno",
    ),
}
"""Private parts of the standard library (re._parser, _locale) come with these."""
