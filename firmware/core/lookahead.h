// SPDX-License-Identifier: BSD-3-Clause
//
// Works out what will happen at pins: at the next edge of every input, and when the entries of the timer queue are due.
// The results are pin actions; the interrupts execute them. Only the scheduler calls this, or the main loop under a
// SchedulerLock.
//
// What an edge does depends on groups, outputs and the interlock. Code that changes one of these calls `invalidate` or
// `invalidate_output`; the scheduler resolves the edges again before it ends.

#pragma once

#include <stdint.h>

#include "pin_events.h"

namespace lookahead {

// What the next edge of every input does, if it is resolved. The interrupts of pins read this table.
extern pin_events::PinAction edge_actions[limits::CHANNELS];

// An input may do something else at its next edge from now on.
void invalidate(uint8_t input);

// An output has changed, or will. What concerns it is invalid; if it is an exclusive one, all that concerns any
// exclusive output.
void invalidate_output(uint8_t channel);

// An edge of an input has been reported: drop what was prepared for it.
void forget(uint8_t input);

// Resolve one edge that is not resolved; return false when there is none.
bool resolve_next();

// Resolve the next edge of an input, and prepare it if it waits for its confirmation. Return false when the
// scheduler must run first: the input has changed meanwhile, or its confirmation is over.
bool resolve_now(uint8_t input);

// Return what an entry of the timer queue will do, and whether that is certainly nothing.
pin_events::PinAction describe(uint8_t id);
bool is_noop(uint8_t id);

// Prepare an entry that has just been put into the timer queue, if it is due soon.
void refresh(uint8_t id);

// Prepare all entries that are due soon. Return when the scheduler must run again.
uint32_t scan();

}  // namespace lookahead
