// SPDX-License-Identifier: BSD-3-Clause
//
// Reflex groups. Each member of a group is an edge with an action. The first edge of a member does its action and ends
// the group.
//
// `slot` is the index of a group in the table, `number` its number on the wire; `edge_code` is a channel with the level
// of the edge in the top bit. Only the scheduler calls this, or the main loop under a SchedulerLock, except
// `was_in_time`.

#pragma once

#include <stdint.h>

#include "action.h"
#include "pin_events.h"

namespace reflexes {

// Arm a group, whose members follow its head on the wire. `seen` is the last event that the host has read: a later edge
// of a member refuses the order. Return why not, or 0; or AGAIN, when nothing was done because an executed event must
// be committed first.
uint8_t arm(const wire::OrderArm& head, const uint8_t* members, uint16_t seen);

// Disarm a group, if it is armed; return 0 or AGAIN.
uint8_t disarm(uint8_t number);
constexpr uint8_t AGAIN = 15;

bool is_armed(uint8_t number);

// Resolve the next edge of every member of a group; return false when an input has changed meanwhile. If the group has
// several inputs, pin events of it are blocked: the caller unblocks them.
bool prepare(uint8_t number);

// Disarm all groups.
void forget();

// While it is set, an edge does no action and ends no group.
extern bool are_suspended;

// Do what an edge is armed to do. Return the number of the group whose action was done, or which ended without one; 0
// when there is none. An event has room for one group, so the edge does one action: those of other groups are left to
// the host.
uint8_t fire(uint8_t edge_code, uint32_t stamp);

// Return the action that an edge would do, or nullptr; write into `pin_action` which group it would end.
const Action* describe(uint8_t edge_code, uint32_t stamp, pin_events::PinAction& pin_action);

// Return whether a group has a last time.
bool is_bounded(uint8_t slot);

// Return whether a group has not ended at a time; `was_in_time` takes the low half of a time just past, and is for
// interrupts.
bool lasts(uint8_t slot, uint32_t stamp);
bool was_in_time(uint8_t slot, uint16_t at);

// Mark groups whose last time is so old that it could soon be taken for one to come.
void maintain(uint32_t now);

}  // namespace reflexes
