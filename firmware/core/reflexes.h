// SPDX-License-Identifier: BSD-3-Clause
//
// Reflex groups. Each member of a group is an edge with an action. The first edge of a member does its action and ends
// the group. An `edge_code` is a channel with the level of the edge in the top bit.
//
// The main loop arms groups, and takes the locks that this needs. A group is *staged* first: its members come, in one
// order or several, but it fires nothing until it is armed. Only the scheduler calls the other functions, or the main
// loop under a SchedulerLock.

#pragma once

#include <stdint.h>

#include "action.h"

namespace reflexes {

// Stage a group, in place of an armed one with this number, and add members to it; or add them to one that is staged.
// Return why not, or 0.
uint8_t add_members(uint8_t number, uint8_t count, const uint8_t* members);

// Add the last members, which follow the head on the wire, and keep what else the order says.
uint8_t complete(const wire::OrderArm& head, const uint8_t* members);

// Arm a group that is complete. `seen` is the last event that the host has read: a later edge of a member refuses the
// order, and removes the group. Return why not, or 0.
uint8_t arm_staged(uint8_t number, uint16_t seen);

// Complete a group and arm it.
uint8_t arm(const wire::OrderArm& head, const uint8_t* members, uint16_t seen);

// A batch is over: remove the groups that are still staged.
void end_batch();

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
