from rig.config.errors.closest_names import did_you_mean, unknown_name


def test_only_a_close_word_is_suggested():
    assert did_you_mean("p_hihg", ["p_high", "p_low"]) == "did you mean 'p_high'? "
    assert did_you_mean("zzz", ["p_high"]) == ""
    assert unknown_name("unknown key", "zzz", []) == "unknown key; accepted: none"
