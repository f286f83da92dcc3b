// SPDX-License-Identifier: BSD-3-Clause
//
// Reflex groups. Each member of a group is an edge with an action. The first edge of a member does its action and ends
// the group. An `edge_code` is a channel with the level of the edge in the top bit. Only the scheduler calls this, or
// the main loop under a SchedulerLock, except `arm`.

#pragma once

#include <stdint.h>

#include "action.h"

namespace reflexes {

// Arm a group, whose members follow its head on the wire. `seen` is the last event that the host has read: a later edge
// of a member refuses the order. Return why not, or 0. For the main loop, without a lock.
uint8_t arm(const wire::OrderArm& head, const uint8_t* members, uint16_t seen);

// Disarm the group with this number, if it is armed; or all groups.
void disarm(uint8_t number);
void forget();

// Do what an edge is armed to do. Return the number of the group whose action was done, or which ended without one; 0
// when there is none. An event has room for one group, so the edge does one action: those of other groups are left to
// the host.
uint8_t fire(uint8_t edge_code, uint32_t stamp);

// Mark groups whose last time is so old that it could soon be taken for one to come.
void maintain(uint32_t now);

}  // namespace reflexes
