"""Names that Windows cannot have are refused on every system: records and files move between computers."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from rig.align.document import checked_name
from rig.cli.show.template import write_template
from rig.config import find
from rig.config.models.boxes_file import BoxName
from rig.config.models.names import Name
from rig.config.models.study_labels import Label
from rig.core.errors import ConfigError
from rig.session.subject_folder import check_name
from rig.system.file_names import name_problem


@pytest.mark.parametrize("name", ["con", "NUL", "COM1", "aux.yaml", "lpt9.tar.gz", "nul .txt", "CONIN$"])
def test_a_device_is_no_name_whatever_follows(name: str) -> None:
    assert "is a device of Windows" in name_problem(name)


@pytest.mark.parametrize("name", ["M7.", "M7 ", "a:b", "a?", "a*", "a|b", 'a"', "a<", "tab\t"])
def test_what_windows_cuts_off_or_forbids_is_said(name: str) -> None:
    assert "Windows" in name_problem(name)


@pytest.mark.parametrize("name", ["M7", "contrast", "com", "com10", "auxiliary.yaml", "a.con", "naïve µ", "lpt"])
def test_other_names_are_free(name: str) -> None:
    assert name_problem(name) == ""


class Named(BaseModel):
    name: Name = "a"
    box: BoxName = "a"
    label: Label = "a"


@pytest.mark.parametrize("key", ["name", "box", "label"])
def test_names_in_files_are_checked(key: str) -> None:
    with pytest.raises(ValidationError, match="is a device of Windows"):
        Named.model_validate({key: "aux"})


@pytest.mark.parametrize(
    "use",
    [
        check_name,
        checked_name,
        lambda name: find("protocols", name),
        lambda name: find("rigs", f"my/rigs/{name}.yaml"),
        lambda name: write_template(name, Path("nowhere")),
    ],
)
def test_names_that_are_typed_are_checked(use: Callable[[str], object]) -> None:
    with pytest.raises(ConfigError, match="is a device of Windows"):
        use("aux")


def test_a_subject_whose_name_ends_with_a_point_is_refused() -> None:
    with pytest.raises(ConfigError, match="which Windows cuts off"):
        check_name("M7.")
