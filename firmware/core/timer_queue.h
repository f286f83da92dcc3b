// SPDX-License-Identifier: BSD-3-Clause
//
// What is due when: at most one entry for each channel and each sequence, sorted by time. Only the scheduler uses it,
// or the main loop under a SchedulerLock.

#pragma once

#include <stdint.h>

#include "limits.h"

namespace timer_queue {

// The id of an entry: the number of a channel, or FIRST_SEQUENCE plus the slot of a sequence.
constexpr uint8_t FIRST_SEQUENCE = limits::CHANNELS;
constexpr uint8_t SIZE = FIRST_SEQUENCE + limits::SEQUENCES;
constexpr uint8_t NONE = 63;

// Set when the scheduler should run again, because an earlier entry was added. The scheduler clears it.
extern bool changed;

// Remove all entries, and all pin events.
void clear();

// Set the time of an id's entry, behind entries of the same time. The old entry and its pin events are removed.
void set(uint8_t id, uint32_t due);

// The same, `span` ticks after `start`; a span may be longer than ticks::HORIZON.
void set_after(uint8_t id, uint32_t start, uint32_t span);

// Remove an id's entry and its pin events, if it has one.
void cancel(uint8_t id);
bool has(uint8_t id);

// Move the entry of `second` directly before that of `first`. Both are due at the same time.
void move_before(uint8_t first, uint8_t second);

// Return the id of the first entry, or that behind an id's entry, or NONE.
uint8_t first();
uint8_t next(uint8_t id);

// Return when an entry is due. A span beyond the horizon has steps: `is_final` returns whether this is the last one.
uint32_t due(uint8_t id);
bool is_final(uint8_t id);

// Remove an entry that is due. If it has another step, insert that and return false.
bool take(uint8_t id);

}  // namespace timer_queue
