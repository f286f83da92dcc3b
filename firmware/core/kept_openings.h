// SPDX-License-Identifier: BSD-3-Clause
//
// The last openings of dangerous outputs. An opening is one contiguous on-time. The records survive an expired lease,
// an OPEN and a reset, but not a loss of power (docs/decisions/kept-openings.md).

#pragma once

#include <stdint.h>

#include "cause.h"
#include "messages.h"

namespace kept_openings {

// Discard all records, at a power-on, when the RAM has random contents.
void clear();

// Mark every open record as cut, after a reset, which ended those openings at an unknown time.
void mark_cut();

// Record that a dangerous output has gone on or off. `at` is in ticks. The scheduler calls these, or the main loop
// under a SchedulerLock. end() does nothing if the output has no open record.
void begin(uint8_t channel, uint32_t at, Cause cause);
void end(uint8_t channel, uint32_t at);

// Write the answer to GET_OPENING for an age: 0 is the latest opening, 1 the one before it. Without such an opening,
// all fields after `kept` are 0. Call this under a SchedulerLock.
void describe(uint8_t age, uint32_t now, wire::Opening& opening);

}  // namespace kept_openings
