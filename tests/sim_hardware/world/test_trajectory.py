"""Where a virtual animal was."""

import pytest

from sim_hardware.world.trajectory import Trajectory, TrajectoryPoint


def way() -> Trajectory:
    trajectory = Trajectory()
    trajectory.add(
        TrajectoryPoint(1, 0, 0), TrajectoryPoint(3, 0, 20), TrajectoryPoint(3, 5, 20), TrajectoryPoint(5, 5, 30)
    )
    return trajectory


@pytest.mark.parametrize(
    ("t_s", "where"),
    [(0, (0, 0)), (1, (0, 0)), (2, (0, 10)), (3, (5, 20)), (4.5, (5, 27.5)), (5, (5, 30)), (9, (5, 30))],
)
def test_it_goes_straight_from_point_to_point_and_stands_before_the_first_and_behind_the_last(
    t_s: float, where: tuple[float, float]
) -> None:
    assert way().at(t_s) == pytest.approx(where)


def test_nobody_goes_back_in_time() -> None:
    with pytest.raises(ValueError, match="2 s follows 5 s"):
        way().add(TrajectoryPoint(2, 0, 0))


def test_who_stops_is_where_the_way_had_led_and_may_go_on_from_there() -> None:
    trajectory = way()
    assert trajectory.stop(2) == (2, 0, 10)
    assert trajectory.at(9) == (0, 10)
    trajectory.add(TrajectoryPoint(4, 0, 0))
    assert trajectory.at(3) == (0, 5)
    assert trajectory.stop(7) == (7, 0, 0)


def test_samples_are_the_frames_of_a_camera_whatever_is_asked_for() -> None:
    frames = list(way().samples(1.99, 2.06))
    assert [frame.t_s for frame in frames] == pytest.approx([2.0, 2 + 1 / 60, 2 + 2 / 60, 2 + 3 / 60])
    assert frames[0].y_cm == pytest.approx(10)
    assert frames == [frame for frame in way().samples(0, 5) if 1.99 <= frame.t_s < 2.06]


def test_the_noise_of_a_frame_is_its_own() -> None:
    noisy = list(way().samples(0, 20, noise_cm=0.15, seed=3))
    assert noisy[600:] == list(way().samples(10, 20, noise_cm=0.15, seed=3))
    off = [point.x_cm - 5 for point in noisy if point.t_s > 5]
    assert (sum(x * x for x in off) / len(off)) ** 0.5 == pytest.approx(0.15, rel=0.1)


def test_who_jumps_stands_still_until_then_and_does_not_walk() -> None:
    trajectory = Trajectory()
    trajectory.jump(TrajectoryPoint(1, 0, 0))
    trajectory.jump(TrajectoryPoint(3, 50, 0))
    assert [trajectory.at(t_s) for t_s in (0.5, 2.9, 3.0, 4.0)] == [(0, 0), (0, 0), (50, 0), (50, 0)]
    assert not trajectory.walks
    trajectory.add(TrajectoryPoint(5, 50, 10))
    assert trajectory.walks


def test_who_watches_is_reported_before_and_after_a_way_is_known() -> None:
    known = []
    trajectory = Trajectory(lambda: known.append(len(trajectory.points)))
    trajectory.add(TrajectoryPoint(1, 0, 0), TrajectoryPoint(2, 1, 0))
    trajectory.jump(TrajectoryPoint(3, 50, 0))
    assert known == [0, 2, 2, 4]
