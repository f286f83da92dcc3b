// SPDX-License-Identifier: BSD-3-Clause
//
// Sequences: lists of actions with delays from one start. The host loads a sequence before it starts it.
//
// The scheduler calls these functions, or the main loop under a SchedulerLock. A `number` is the host's; a `slot` is
// the index in the board's table. Times are ticks.

#pragma once

#include <stdint.h>

#include "action.h"
#include "cause.h"

namespace sequences {

// Load a sequence from an order: `head`, then `entries`. One with the same number is stopped and replaced. Return 0, or
// the reason of the refusal.
uint8_t load(const wire::OrderLoad& head, const uint8_t* entries);

bool is_loaded(uint8_t number);

// Start a sequence at `at`, also one that runs. Return 0, or the reason of the refusal.
uint8_t start(uint8_t number, uint32_t at, Cause cause);

// Stop a sequence, if it is loaded, and switch off the outputs that it has started.
void stop(uint8_t number);

// Start the sequence in a slot, or execute its next entry: its entry in the timer queue was due at `at`.
void on_due(uint8_t slot, uint32_t at);

// Stop and remove all sequences.
void forget();

}  // namespace sequences
