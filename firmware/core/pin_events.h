// SPDX-License-Identifier: BSD-3-Clause
//
// What happens at pins next, prepared before its time. The timer's interrupt executes it on its tick, whatever else the
// chip is busy with. The scheduler commits it afterwards; until then nothing is executed that this could forbid.
// docs/decisions/prepared-pin-events.md says why.

#pragma once

#include <stdint.h>

#include "hal.h"
#include "limits.h"
#include "pin_action.h"

namespace pin_events {

struct PinEvent {
  uint16_t at;  // the low half of its time; of an executed one, of when it was executed
  uint8_t id;   // in the timer queue
  PinAction pin_action;
};

// One queue holds both: executed events at its lower end, prepared ones at its upper end, each in the order of time, so
// that none has to move when another is executed.
constexpr uint8_t SIZE = limits::PIN_EVENTS;
extern volatile uint8_t next;           // the index of the next prepared one
extern volatile uint8_t executed;       // how many are executed and not yet committed
extern volatile uint8_t pauses;         // how often it is paused, and whether an event found no room
extern volatile uint8_t blocked_group;  // that is being armed, or NO_PLACE

void clear();

// Tell whether an action may be executed, and the queue is empty. Only with interrupts off.
inline bool is_only(const PinAction& pin_action) {
  return static_cast<uint8_t>(next - executed) == SIZE && !pauses && pin_action.group != blocked_group;
}

// Execute what is due, and set the timer for the next. Only with interrupts off.
void run_due();

// Execute nothing until it is resumed as often.
void pause();
void resume();
bool is_paused();

// Execute nothing of a group, which is being armed. NO_PLACE is no group, and not NO_GROUP either.
constexpr uint8_t NO_PLACE = 0xFE;
void block_group(uint8_t group);
void unblock_groups();

// While paused: execute what is due, then the events of `first` and of the ids after it, which were prepared so far
// ahead. Resume if all of them could be executed and `resumes`; tell whether.
constexpr uint16_t ON_CALL = 0x7000;
bool execute_paused(uint8_t first, bool resumes);

// How long it is to the next event, or at most so long.
uint16_t ticks_left(uint16_t most);

// Prepare an event; `at` is the low half of its time. `run_due` must follow. False when there is no room: then nothing
// is executed before `clear_overflow`, when all that should be prepared is.
bool add(uint8_t id, uint16_t at, const PinAction& pin_action);
void clear_overflow();
bool has_capacity();

// Execute an action before all that waits; false when it must wait itself, or there is no room.
bool execute_now(uint8_t id, const PinAction& pin_action);

// The same, unless something waits that comes before `at`. Only with interrupts off.
bool execute_at_once(uint8_t id, uint16_t at, const PinAction& pin_action);

// Of an id's prepared events: write what they do anew, false when there are none; remove them; have them not executed
// before they are written anew, or those of all that use an output.
bool update(uint8_t id, const PinAction& pin_action);
void cancel(uint8_t id);
void invalidate(uint8_t id);
void invalidate_output(uint8_t channel, bool exclusive);

// Whether an id has prepared events, and whether all of them are valid.
enum Waits : uint8_t { NOT_AT_ALL, INVALID, PREPARED };
Waits waits(uint8_t id);

// Note that an action was executed, before all that waits.
void log_executed(uint8_t id, uint16_t at, const PinAction& pin_action);

// Of what is executed and not yet committed: whether there is any; whether one has ended a group; the first; whether
// one is of an id; when that was, false when nothing happened at a pin.
bool any_executed();
bool has_ended(uint8_t group);
uint8_t first_executed();
bool is_executed(uint8_t id);
bool executed_at(uint8_t id, uint32_t& when);

// The first executed event of an id has been committed.
void retire(uint8_t id);

}  // namespace pin_events
