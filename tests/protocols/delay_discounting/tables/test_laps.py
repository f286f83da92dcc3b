import math
from pathlib import Path

import pytest

from protocols.delay_discounting.tables.laps import INTERRUPTED, is_lap_file, read_laps, read_track
from rig.core.errors import ConfigError
from tests.protocols.delay_discounting.analysis.made import rows, write_csv

HEAD = "lap,side,is_delayed_side,delay_before_s,pellets,outcome,t_lap_end,tracking_ok\n"


def file(folder: Path, *lines: str, head: str = HEAD) -> Path:
    path = folder / "R1_01.csv"
    path.write_text(head + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_laps_are_read_with_their_kinds(tmp_path: Path) -> None:
    path = file(tmp_path, "1,left,True,12,3,rewarded,41.5,False", "2,right,0,13,,skip,,")
    assert is_lap_file(path)
    first, second = read_laps(path)
    assert (first["lap"], first["side"], first["is_delayed_side"], first["delay_before_s"]) == (1, "left", True, 12)
    assert (first["pellets"], first["outcome"], first["t_lap_end"], first["tracking_ok"]) == (
        3,
        "rewarded",
        41.5,
        False,
    )
    assert (second["is_delayed_side"], second["t_lap_end"], second["tracking_ok"]) == (False, None, True)
    assert second["idphi"] is second["pellets"] is None


def test_a_table_of_our_own_is_such_a_file(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "R1_01.csv", rows("LLr"))
    assert [row["side"] for row in read_laps(path)] == ["left", "left", "right"]


def test_of_a_lap_that_was_cut_nothing_more_is_wanted(tmp_path: Path) -> None:
    path = file(tmp_path, "1,left,True,12,3,rewarded,40,", "2,,,,,interrupted,,")
    assert read_laps(path)[1] == {"lap": 2, "outcome": INTERRUPTED}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("1,up,True,12,3,rewarded,,", "side is up, not left or right"),
        ("1,left,,12,3,rewarded,,", "is_delayed_side is empty, not True or False"),
        ("1,left,True,12,3,rewardd,,", "outcome is rewardd, not rewarded, skip, withheld or interrupted"),
        ("0,left,True,12,3,skip,,", "lap is 0, not 1 to 10000"),
        ("1,left,True,,3,skip,,", "has no delay_before_s"),
        ("1,left,True,12,-1,skip,,", "pellets is -1, not 0 to 1e+06"),
        ("1,left,True,12,1,skip,inf,", "t_lap_end is inf, not 0 to 1e+06"),
        ("1,left,True,12,1,skip,,perhaps", "tracking_ok is perhaps, not True or False"),
        ("1,left,True,12,1,skip,,,,9", "has too many columns"),
    ],
)
def test_every_line_that_is_no_lap_is_named(tmp_path: Path, line: str, why: str) -> None:
    path = file(tmp_path, "1,left,True,12,3,rewarded,,", line)
    with pytest.raises(ConfigError) as caught:
        read_laps(path)
    assert str(caught.value).startswith(f"{path}:3: {why}")
    assert "wanted a lap such as `1,left,True,12,3,rewarded`" in str(caught.value)


def test_a_file_that_is_something_else_is_reported(tmp_path: Path) -> None:
    path = file(tmp_path, head="a,b\n")
    assert not is_lap_file(path)
    with pytest.raises(ConfigError, match=r":1: a file of laps must begin with the line `lap,side,"):
        read_laps(path)
    with pytest.raises(ConfigError, match="has no lap"):
        read_laps(file(tmp_path))


def test_a_track_is_read_with_its_losses(tmp_path: Path) -> None:
    path = file(tmp_path, "0.0167,1.5,-2", "0.0333,,", head="t_s,x_cm,y_cm\n")
    first, (t_s, x_cm, y_cm) = read_track(path)
    assert first == (0.0167, 1.5, -2)
    assert t_s == 0.0333
    assert math.isnan(x_cm)
    assert math.isnan(y_cm)
