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

// Load a sequence, or bring entries of one ahead of its load: it cannot start before it is complete. One with the same
// number that is complete is stopped and replaced. Return 0, or the reason of the refusal.
uint8_t load(uint8_t number, uint8_t count, const uint8_t* entries, bool is_complete);

// Keep an order, and its place in its batch, in a free entry until the last frame of the batch has come. Return 0, or
// the reason of the refusal.
uint8_t defer(const uint8_t* order, uint8_t place);

// Return how many orders are deferred; one of them, with its place in the batch. They are counted from 0, in the order
// in which they came.
uint8_t deferred_count();
const Action& deferred_order(uint8_t index, uint8_t& place);

// A batch is over: forget the deferred orders, and sequences that are not complete.
void end_batch();

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
