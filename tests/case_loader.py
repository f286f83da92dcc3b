"""The YAML of cases and tables of tests."""

import re

import yaml


class CaseLoader(yaml.SafeLoader):
    """Read ``on`` and ``off`` as words: they are keys of a case, and true and false in YAML 1.1."""


CaseLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
CaseLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))
