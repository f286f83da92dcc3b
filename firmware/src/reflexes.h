// SPDX-License-Identifier: BSD-3-Clause
//
// Reflex groups: an edge of a member does its deed and ends the group.

#pragma once

#include <stdint.h>

#include "deed.h"

namespace reflexes {

// Arm a group; `members` follow its head on the wire. Return why not, or 0.
uint8_t arm(const wire::OrderArm& head, const uint8_t* members, uint16_t seen);

void disarm(uint8_t group);
void forget();

// Fire what an edge fires; return the group whose deed was done, or that was merely ended, or 0. An edge has room
// for one group, so only one does its deed: those of the others are the host's to do.
uint8_t fire(uint8_t place, uint32_t stamp);

// Foretell the first deed of an edge, if there is one: the next call of `fire` is for that edge, or is preceded by
// `forget_aim`.
const Deed* aim(uint8_t place, uint32_t stamp);
void forget_aim();

// Forget the ends that are so old that they could be taken for new ones: call it now and then.
void sweep(uint32_t now);

}  // namespace reflexes
