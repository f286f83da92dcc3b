// SPDX-License-Identifier: BSD-3-Clause
//
// The chip that a bench drives: its clock, its pins, its serial port.

#pragma once

#include <deque>
#include <functional>

#include "hal.h"

namespace stub {

void reset(uint32_t clock);

extern uint32_t clock;
extern bool has_wakeup;  // whether the scheduler is to be called at `wakeup_at`
extern uint32_t wakeup_at;
extern std::deque<uint8_t> to_board, to_host;
extern uint8_t send_capacity;
extern std::function<void(uint8_t pin, int value)> on_change;

// Put a level on a pin.
void set_pin(uint8_t number, bool level);

// Have done what is due, unless it was too much a moment ago.
void serve();

}  // namespace stub
