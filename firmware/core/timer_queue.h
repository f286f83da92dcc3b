// SPDX-License-Identifier: BSD-3-Clause
//
// What is due when: at most one entry for each channel and each sequence, sorted by time. Only the scheduler changes
// it, or the main loop under a SchedulerLock. Interrupts read it at any moment. The interrupt of the timer comes at the
// time of each entry, or before.
//
// That interrupt makes some changes of pins by itself when the entry of an output is due: the end of a pulse, of a tone
// or of an on-time limit, and the edges of a sync code. Nothing forbids them, so they need no decision of the
// scheduler. It does the rest afterwards (outputs.h).

#pragma once

#include <stdint.h>

#include "limits.h"

namespace timer_queue {

// The id of an entry: the number of a channel, FIRST_SEQUENCE plus the slot of a sequence, or SAMPLING, which is the
// next sample of all sources.
constexpr uint8_t FIRST_SEQUENCE = limits::CHANNELS;
constexpr uint8_t SAMPLING = FIRST_SEQUENCE + limits::SEQUENCES;
constexpr uint8_t SIZE = SAMPLING + (limits::SOURCES ? 1 : 0);
constexpr uint8_t NONE = 63;

// Remove all entries.
void clear();

// Set the time of an id's entry, behind entries of the same time. The old entry is removed.
void set(uint8_t id, uint32_t due);

// The same, `span` ticks after `start`; a span may be longer than ticks::HORIZON.
void set_after(uint8_t id, uint32_t start, uint32_t span);

// Remove an id's entry, if it has one.
void cancel(uint8_t id);
bool has(uint8_t id);

// Return the id of the first entry, or that behind an id's entry, or NONE.
uint8_t first();
uint8_t next(uint8_t id);

// Return when an entry is due, or the next step of a span beyond the horizon.
uint32_t due(uint8_t id);

// Remove an entry that is due. If it has another step, insert that and return false.
bool take(uint8_t id);

// Set what the interrupt will do when the output's entry is due; return whether it has still to do something.
enum Change : uint8_t { NO_CHANGE, TO_REST, TO_ON };
void set_change(uint8_t channel, Change change);
bool has_change(uint8_t channel);

// Make all changes that are due. Return when the next entry is due. Only with interrupts off.
uint32_t make_changes();

}  // namespace timer_queue
