// SPDX-License-Identifier: BSD-3-Clause
//
// Finds out beforehand what will happen at pins: at the next edge of every input, and when something in the timer queue
// is due.

#pragma once

#include <stdint.h>

#include "pin_events.h"

namespace lookahead {

// Tell whether the next edge of this input is known to do nothing.
bool is_noop(uint8_t id);

// What an entry of the timer queue does when it is due.
pin_events::PinAction of(uint8_t id);

// Have that found out anew: of an input; of everything that switches an output, and if it is one of those of which one
// at most is on, of all of them.
void invalidate(uint8_t input);
void invalidate_output(uint8_t channel);

// An edge of an input has been reported: another comes next.
void forget(uint8_t input);

// What the next edge of every input does, if that is known.
extern pin_events::PinAction edge_actions[limits::CHANNELS];

// Find out what the next edge of one input does; false when that is known of all.
bool resolve_next();

// Prepare an entry that has just been put into the timer queue, if it is due soon.
void refresh(uint8_t id);

// Prepare what is due soon, from an entry on; return when the scheduler is to run for one that needs more than that.
uint32_t scan(uint8_t id);

}  // namespace lookahead
