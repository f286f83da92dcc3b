// SPDX-License-Identifier: BSD-3-Clause
//
// Finds out beforehand what will happen to pins: at the next edge of every input, and when the time comes of whoever is
// on the agenda.

#pragma once

#include <stdint.h>

#include "pin_events.h"

namespace aims {

// Tell whether the next edge of this input is known to do nothing.
bool concerns_nobody(uint8_t who);

// What somebody on the agenda does when his time comes.
volley::Aim of(uint8_t who);

// That is to be found out anew: of an input; of all that switch an output, and if it is one of those that lock each
// other out, of all of them.
void doubt(uint8_t input);
void doubt_output(uint8_t channel);

// An edge of an input has been reported: another comes next.
void forget(uint8_t input);

// What the next edge of every input does, if that is known.
extern volley::Aim edges[limits::CHANNELS];

// Find out what the next edge of one input does; false when nothing was unknown.
bool find_out();

// Aim somebody who has just been put on the agenda, if his time comes soon.
void look_at(uint8_t who);

// Aim what comes soon, from `who` on; tell when the clock is to call for somebody who needs more than that.
uint32_t look_ahead(uint8_t who);

}  // namespace aims
