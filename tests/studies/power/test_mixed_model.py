import warnings

import numpy as np
import pytest
from scipy import stats

from rig.studies.power import mixed_model
from rig.studies.power.permutation import Grouping


def sessions(seed: int, shape: tuple[int, ...], between_subjects: float, effect: float = 0.0) -> np.ndarray:
    """Values [conditions, experiments, subjects, sessions]."""
    rng = np.random.default_rng(seed)
    values = rng.normal(0, between_subjects, (2, *shape[:-1], 1)) + rng.normal(0, 1, (2, *shape))
    values[1] += effect
    return values


def with_missing(values: np.ndarray, share: float) -> np.ndarray:
    gone = np.random.default_rng(9).random(values.shape) < share
    gone[..., 0] = False  # each subject has a session
    return np.where(gone, np.nan, values)


@pytest.mark.parametrize("between_subjects", [0.0, 1.0])
def test_with_equal_sessions_it_is_the_t_test_of_means(between_subjects: float) -> None:
    first, second = sessions(1, (50, 6, 5), between_subjects, 0.5)
    a, b = first.mean(axis=-1), second.mean(axis=-1)
    independent, paired = stats.ttest_ind(b, a, axis=1).pvalue, stats.ttest_rel(b, a, axis=1).pvalue
    assert mixed_model.p_values(first, second, "between") == pytest.approx(independent)
    assert mixed_model.p_values(first, second, "within") == pytest.approx(paired)


@pytest.mark.parametrize("grouping", ["between", "within"])
def test_one_session_of_each_subject_is_enough(grouping: Grouping) -> None:
    first, second = sessions(2, (20, 5, 1), 1.0, 0.5)
    test = stats.ttest_ind if grouping == "between" else stats.ttest_rel
    expected = test(second[..., 0], first[..., 0], axis=1).pvalue
    assert mixed_model.p_values(first, second, grouping) == pytest.approx(expected)


@pytest.mark.parametrize("grouping", ["between", "within"])
def test_sessions_that_do_not_differ_count_as_one(grouping: Grouping) -> None:
    first, second = sessions(2, (20, 5, 1), 1.0, 0.5)
    same = mixed_model.p_values(np.repeat(first, 4, axis=-1), np.repeat(second, 4, axis=-1), grouping)
    assert same == pytest.approx(mixed_model.p_values(first, second, grouping))


def test_a_subject_without_a_session_is_left_out() -> None:
    first, second = sessions(3, (10, 6, 4), 1.0, 0.5)
    second[:, 2] = np.nan
    assert mixed_model.p_values(first, second, "within") == pytest.approx(
        mixed_model.p_values(np.delete(first, 2, axis=1), np.delete(second, 2, axis=1), "within")
    )
    t, df = mixed_model.effect(mixed_model.between(first, second))
    assert (df == 9).all()
    assert np.isfinite(t).all()


def test_values_that_are_all_equal_are_no_effect() -> None:
    same = np.full((2, 3, 4, 5), 0.3)
    assert mixed_model.p_values(*same, "between") == pytest.approx(1.0)
    assert mixed_model.p_values(same[0], same[1] + 1, "within") == pytest.approx(0.0)


@pytest.mark.parametrize("grouping", ["between", "within"])
@pytest.mark.parametrize("between_subjects", [0.0, 0.5])
@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_false_alarms_are_at_the_level(grouping: Grouping, between_subjects: float, missing: float) -> None:
    first, second = with_missing(sessions(4, (3000, 5, 6), between_subjects), missing)
    assert (mixed_model.p_values(first, second, grouping) <= 0.05).mean() == pytest.approx(0.05, abs=0.012)


@pytest.mark.parametrize("grouping", ["between", "within"])
def test_effects_of_single_subjects_are_no_evidence_of_a_common_one(grouping: Grouping) -> None:
    first, second = sessions(5, (3000, 8, 10), 2.0)  # each subject has a mean of its own in each condition
    assert (mixed_model.p_values(first, second, grouping) <= 0.05).mean() == pytest.approx(0.05, abs=0.012)


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_it_is_the_mixed_model_of_statsmodels(missing: float) -> None:
    """Where its optimizer finds the optimum: where subjects differ."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pd, formulas = pytest.importorskip("pandas"), pytest.importorskip("statsmodels.formula.api")
        first, second = with_missing(sessions(6, (4, 8, 5), 1.5, 1.0), missing)
        t, _ = mixed_model.effect(mixed_model.between(first, second))
        for place in range(4):
            rows = [
                (value, arm, f"{arm}-{subject}")
                for arm, values in enumerate((first, second))
                for subject, own in enumerate(values[place])
                for value in own
                if np.isfinite(value)
            ]
            table = pd.DataFrame(rows, columns=["value", "arm", "subject"])
            fit = formulas.mixedlm("value ~ arm", table, groups=table["subject"]).fit(reml=True)
            # Its error is of all sessions where some are missing; ours is of the subjects alone.
            assert t[place] == pytest.approx(fit.tvalues["arm"], rel=0.001 if missing == 0 else 0.05)
