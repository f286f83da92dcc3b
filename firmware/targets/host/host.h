// SPDX-License-Identifier: BSD-3-Clause
//
// The tests' side of the simulated chip: they set its clock, its input pins and the bytes of its serial port.

#pragma once

#include <deque>
#include <functional>
#include <map>

#include "hal.h"

namespace stub {

// Reset the chip, clear its kept openings, and set its clock.
void reset(uint32_t clock);

extern uint32_t clock;   // the tests advance it
extern bool has_wakeup;  // the firmware has requested a scheduler run at `wakeup_at`
extern uint32_t wakeup_at;
extern std::deque<uint8_t> to_board, to_host;
extern uint8_t send_capacity;  // bytes that hal::send_capacity returns

// Called when an output changes. `value` is its level, or the frequency in Hz of a tone that starts.
extern std::function<void(uint8_t pin, int value)> on_change;

// Set the level of an input pin, as the outside world does. A change of a watched pin stores a snapshot. Or set only
// the flag of its change, as one does that is over before the pin is read.
void set_pin(uint8_t number, bool level);
void set_flag(uint8_t number);

// Record the changes since the last record, as the interrupt of a pin does while the scheduler is busy.
void record();

// What is sampled: the voltages of pins from FIRST_ANALOG on, and the steps of encoders, by their first pins.
constexpr uint8_t FIRST_ANALOG = 26;
extern std::map<uint8_t, int32_t> values;

// Make the changes of pins that are due and run the scheduler, as the timer interrupt does. This does nothing while the
// scheduler is running or locked, or until `wakeup_at` if it has yielded to the main loop.
void serve();

}  // namespace stub
