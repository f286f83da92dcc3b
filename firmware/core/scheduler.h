// SPDX-License-Identifier: BSD-3-Clause
//
// Handles edges and what is due, one after the other, in the order of time; commits what interrupts have executed; then
// prepares what comes next. It never runs inside itself: an interrupt calls `run`, or the main loop does under a
// SchedulerLock.

#pragma once

#include <stdint.h>

#include "action.h"

namespace scheduler {

// Handle all that has come; return false when there is so much that the main loop must run first.
bool run();

// Handle some of what has come. For the main loop, before and between long work.
void catch_up();

// Pause the pin events, and commit all that are executed, so that channels, groups and sequences may be changed. The
// caller resumes them.
void quiesce();

// Do an action now; return why not, or 0.
uint8_t perform(const Action& action);

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
