// SPDX-License-Identifier: BSD-3-Clause
//
// Reflex groups: an edge of a member does its action and ends the group.

#pragma once

#include <stdint.h>

#include "action.h"
#include "pin_events.h"

namespace reflexes {

// Arm a group; `members` follow its head on the wire. Return why not, or 0. While something
// that was executed is not committed it does nothing: AGAIN.
uint8_t arm(const wire::OrderArm& head, const uint8_t* members, uint16_t seen);

// Disarm a group; the same if it was fired itself.
uint8_t disarm(uint8_t group);
constexpr uint8_t AGAIN = 15;

bool is_armed(uint8_t group);

// Aim at the next edge of all members; false when one of them has changed meanwhile. The group may be barred then.
bool prepare(uint8_t group);
void forget();

// While they are, no edge fires anything, nor ends a group.
extern bool are_suspended;

// Fire what an edge fires; return the group whose action was done, or that was merely ended, or 0. An edge has room
// for one group, so only one does its action: those of the others are the host's to do.
uint8_t fire(uint8_t place, uint32_t stamp);

// Foretell the action of an edge, if there is one, and what group ends.
const Action* describe(uint8_t place, uint32_t stamp, pin_events::PinAction& pin_action);

// Tell whether the group in a place lasts until then; or has lasted until just now, of which that is the low half.
bool lasted(uint8_t group, uint16_t at);

// Tell whether it ends at some time.
bool is_bounded(uint8_t group);
bool lasts(uint8_t group, uint32_t stamp);

// Called when the edges of an input may fire something else from now on; lookahead.cpp defines it.
void on_change(uint8_t channel);

// Prepare the next edge of an input; false when the input has changed meanwhile. lookahead.cpp defines it.
bool resolve_now(uint8_t channel);

// Forget the ends that are so old that they could be taken for new ones: call it now and then.
void maintain(uint32_t now);

}  // namespace reflexes
