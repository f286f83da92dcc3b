// SPDX-License-Identifier: BSD-3-Clause
//
// The queue of pin events, which connects the interrupts and the scheduler.
//
// The scheduler prepares an event: a time and a pin action. The interrupt of the timer executes it on that tick, or the
// interrupt of a pin at once, whatever else the chip is doing. The scheduler then commits it: it updates channels,
// groups and sequences, and reports. Between execution and commit the interrupts execute nothing that could clash with
// it. docs/decisions/prepared-pin-events.md gives the reasons and the measurements.

#pragma once

#include <stdint.h>

#include "hal.h"
#include "limits.h"
#include "pin_action.h"

namespace pin_events {

// --- for the interrupts; all of these are called with interrupts off ---

// Execute what is due, and set the timer for the next event.
void run_due();

// Execute what is due, up to the first event that may be delayed or that an edge may forbid.
void run_never_delayed();

// Execute an action now, unless it must wait or an event comes before `at` (the low half of a time). Return whether it
// was executed.
bool execute_at_once(uint8_t id, uint16_t at, const PinAction& pin_action);

// Return how many ticks are left to the next event, at least 1 and at most `most`.
uint16_t ticks_left(uint16_t most);

// --- for the scheduler: preparing ---

// An id is that of the timer queue: a channel or a sequence. A batch uses ids beyond those for its own orders.

void clear();

// Prepare an event at a time, given by its low half. The caller calls run_due afterwards. When there is no room, return
// false, and execute nothing but what is never delayed until clear_overflow: the missing event could have forbidden
// another.
bool add(uint8_t id, uint16_t at, const PinAction& pin_action);
void clear_overflow();
bool has_capacity();

// Remove the prepared events of an id.
void cancel(uint8_t id);

// Mark the prepared events of an id, or those that concern an output, as not resolved: they are not executed before the
// scheduler has prepared them again.
void invalidate(uint8_t id);
void invalidate_output(uint8_t channel, bool exclusive);

// Return whether an id has prepared events that are all resolved, or an executed one.
bool is_prepared(uint8_t id);

// --- for the scheduler: executing ---

// Execute an action before all prepared events; return false when it must wait.
bool execute_now(uint8_t id, const PinAction& pin_action);

// Execute nothing but what is never delayed until every pause has been resumed.
void pause();
void resume();
bool is_paused();

// Execute nothing that ends a certain group, which is being armed. NOTHING_BLOCKED differs from every group and from
// NO_GROUP.
constexpr uint8_t NOTHING_BLOCKED = 0xFE;
void block_group(uint8_t group);
void unblock_groups();

// While paused: execute the events of all ids from `first` on, then what is due. These events were prepared ON_CALL
// ticks ahead, so that no timer executed them before. Resume if all of them could be executed and `resumes` is set;
// return whether it did.
constexpr uint16_t ON_CALL = 0x7000;
bool execute_paused(uint8_t first, bool resumes);

// --- for the scheduler: committing ---

// Return whether an event has been executed and not committed: any; one that ended a group; one of an id.
bool any_executed();
bool has_ended(uint8_t group);
bool is_executed(uint8_t id);

// Return the id of the event that was executed first. Only if there is one.
uint8_t first_executed();

// Get the time at which an event of an id was executed; return false when none was, or when it changed no pin.
bool executed_at(uint8_t id, uint32_t& when);

// Give the pin of the first executed event of an id the level of its output again.
void undo(uint8_t id);

// Drop the first executed event of an id, which has been committed.
void retire(uint8_t id);

}  // namespace pin_events
