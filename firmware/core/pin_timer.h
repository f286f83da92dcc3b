// SPDX-License-Identifier: BSD-3-Clause
//
// Changes of pins that the interrupt of the timer makes by itself, when the entry of an output in the timer queue is
// due: the end of a pulse, of a tone or of an on-time limit, and the edges of a sync code. Nothing forbids them, so
// they need no decision of the scheduler. It does the rest afterwards (outputs.h).

#pragma once

#include <stdint.h>

namespace pin_timer {

enum Change : uint8_t { NO_CHANGE, TO_REST, TO_ON };

// Set what the interrupt will do when the output's entry is due; return whether it has still to do something.
void set(uint8_t channel, Change change);
bool is_set(uint8_t channel);

// Make all changes that are due. Return when the next entry of the timer queue is due. Only with interrupts off.
uint32_t run();

}  // namespace pin_timer
