// SPDX-License-Identifier: BSD-3-Clause
//
// Handles edges and what is due, one after the other, in the order of time. It never runs inside itself: an interrupt
// calls `run`, or the main loop does under a SchedulerLock.

#pragma once

#include <stdint.h>

#include "action.h"
#include "cause.h"

namespace scheduler {

// Handle what has come; return false when there is so much that the main loop must run first.
bool run();

// Handle what has come, before the main loop changes something: at most as much as the ring and the queue hold.
void catch_up();

// Do an action of which the time is `at`; return why not, or 0.
uint8_t perform(const Action& action, uint32_t at, Cause cause);

// An input has an edge: do what a group has armed for it, and report it.
void handle_edge(uint8_t channel, bool level, uint32_t stamp);

// Switch all outputs off, and forget all groups and sequences.
void make_safe();

// The same, and forget all channels: the state after a reset.
void forget();

// Forget times and event numbers that are so old that they could soon be taken for new ones. The main loop calls it at
// least every 9 s and every 4,096 events.
void maintain(uint32_t now);

}  // namespace scheduler
