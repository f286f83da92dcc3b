"""The second simulator's chip, held to all that the first one's is held to, but for what only that can measure."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from sim_hardware.avr8js.chip import Avr8jsChip
from tests.sim_hardware.avr.test_chip import (  # noqa: F401 - they run here too
    test_a_byte_takes_ten_bits_each_way,
    test_a_level_is_held_through_a_reset,
    test_a_level_that_is_held_low_stays_low_whatever_is_written_to_the_pull_ups,
    test_a_pin_follows_another_within_the_cycles_of_an_interrupt,
    test_a_pin_has_the_level_of_its_resistor_until_it_is_an_output_and_again_in_a_reset,
    test_a_pin_that_is_not_a_speaker_tells_every_edge_of_a_tone,
    test_a_pin_that_was_on_before_a_reset_is_reported_when_it_is_on_again,
    test_a_program_that_does_not_fetch_its_bytes_loses_all_but_three,
    test_a_program_that_does_not_hang_is_left_alone,
    test_a_program_that_hangs_is_reset,
    test_a_reset_says_why,
    test_a_run_ends_at_once_when_a_frame_is_sent_whose_bytes_waited_for_its_end,
    test_a_run_never_goes_further_than_an_instruction_even_when_the_program_goes_to_sleep_in_it,
    test_a_speaker_is_heard_by_its_frequency,
    test_a_speaker_that_is_merely_switched_is_on_and_off,
    test_a_tone_that_changes_is_heard_to_change,
    test_a_tone_too_short_for_a_second_look_is_heard_when_it_is_over,
    test_flags_of_interrupts_are_those_of_the_data_sheet,
    test_levels_are_played_at_their_cycles_and_the_program_follows,
    test_levels_go_on_to_be_played_after_a_reset,
    test_levels_that_are_played_take_the_place_of_those_that_are_still_to_come,
    test_memory_is_noise_when_the_power_comes_and_the_same_noise_for_the_same_seed,
    test_memory_survives_a_reset_that_does_not_cut_the_power,
    test_nothing_on_a_pin_with_a_pull_up_reads_high,
    test_the_same_inputs_make_the_same_trace_however_it_is_cut_into_runs,
    test_two_ends_of_different_speed_do_not_understand_each_other,
    test_two_levels_within_one_instruction_leave_the_last_one_and_an_interrupt,
    test_what_is_kept_without_power_is_kept,
)


def test_what_is_no_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "no.hex").write_text("not a program")
    with pytest.raises(ConfigError, match=r"no\.hex: no Intel HEX"):
        Avr8jsChip("uno", [tmp_path / "no.hex"])


def test_two_programs_at_one_place_are_refused(programs: Callable[[str, str], Path]) -> None:
    images = [programs(name, "atmega328p").with_suffix(".hex") for name in ("echo", "follow")]
    with pytest.raises(ConfigError, match=r"overlap"):
        Avr8jsChip("uno", images)
