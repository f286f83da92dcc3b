// SPDX-License-Identifier: BSD-3-Clause
//
// Sequences: lists of actions with delays from one start. The host loads a sequence before it starts it.
//
// The scheduler calls these functions, or the main loop under a SchedulerLock. A `number` is that of the host; a `slot`
// is the index in the board's table. Times are ticks.

#pragma once

#include <stdint.h>

#include "action.h"
#include "pin_events.h"

namespace sequences {

// Load a sequence from the bytes of an order: `head`, then `entries`. A sequence with the same number is stopped and
// replaced. Return 0, or the reason of the refusal. The caller has called scheduler::quiesce(), because loading moves
// entries of other sequences.
uint8_t load(const wire::OrderLoad& head, const uint8_t* entries);

bool is_loaded(uint8_t number);

// Start a sequence at `at`. A running sequence is stopped first. Return 0, or the reason of the refusal.
uint8_t start(uint8_t number, uint32_t at);

// Stop a sequence, and switch off the outputs that it has started. Do nothing if it is not loaded.
void stop(uint8_t number);

// Start the sequence in a slot, or execute its next entry. The scheduler calls this when the sequence's entry in the
// timer queue is due; `at` is its due time.
void on_due(uint8_t slot, uint32_t at);

// Describe what the sequence does at a pin at its next due time (`nth` = 0) or afterwards (`nth` = 1, 2, …). Return how
// many ticks after that due time this happens. Return NOTHING_MORE if there is no such entry, or if it comes more than
// `within` ticks after the due time.
//
// A start without an action of its own counts as one step, which does nothing at a pin. If an entry starts another
// sequence that acts in the same instant, the description is that of the other's first entry. It is marked complex,
// because only committing it shows what else happens.
constexpr uint16_t NOTHING_MORE = 0xFFFF;
uint16_t describe(uint8_t slot, uint8_t nth, uint16_t within, pin_events::PinAction& pin_action);

// Stop and remove all sequences.
void forget();

}  // namespace sequences
