// SPDX-License-Identifier: BSD-3-Clause
//
// Handles edges and what was due, one after the other, in the order of time; and everything off.

#pragma once

#include <stdint.h>

#include "action.h"

namespace scheduler {

// Do an action; return why not, or 0.
uint8_t perform(const Action& action);

// Everything off, groups and sequences forgotten.
void make_safe();

// Everything off, and no channel configured any more: as it is at the start.
void forget();

// Handle some of what has come.
void catch_up();

// Commit all that was executed, and execute nothing more before pin_events::resume: whatever is done to channels,
// groups and sequences comes after that.
void quiesce();

// Handle all that has come; return false when there was so much that the loop must have its turn first.
bool run();

// Look after channels and groups, so that nothing old is taken for new: call it now and then.
void maintain(uint32_t now);

}  // namespace scheduler
