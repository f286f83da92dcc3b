// SPDX-License-Identifier: BSD-3-Clause
//
// A pin action: what the next edge of an input, or an entry of the timer queue, will do at a pin. The scheduler works
// it out beforehand (lookahead.h); an interrupt executes it (pin_events.h).

#pragma once

#include <stdint.h>

#include "limits.h"

namespace pin_events {

// Instead of a port: start the tone of a voice, or silence it. `mask` is then the voice plus one.
constexpr uint8_t START = 14, SILENCE = 15;
constexpr uint8_t NO_GROUP = limits::NO_CHANNEL;

struct PinAction {
  uint8_t port : 4;       // the port of the pin, or START or SILENCE
  uint8_t level : 1;      // the level that the pin gets
  uint8_t exclusive : 1;  // the output is one of those of which only one may be on
  uint8_t
      is_complex : 1;  // more follows from it than this record says: nothing else is executed before it is committed
  uint8_t is_resolved : 1;                 // the record is valid; otherwise it may not be executed
  uint8_t mask;                            // the bit of the pin, or 0 when no pin changes
  uint8_t channel : limits::CHANNEL_BITS;  // the output, or NO_CHANNEL
  uint8_t group : limits::CHANNEL_BITS;    // the index of the group that it ends, or NO_GROUP; a group without actions
                                           // is not named, because its end forbids nothing

  // Return whether other events may depend on it: it changes a pin, ends a group, or is not known.
  bool has_effect() const { return !is_resolved || mask || is_complex || group != NO_GROUP; }
};

// An action that changes no pin.
inline PinAction no_action(bool is_resolved) {
  return PinAction{0, 0, 0, 0, is_resolved, 0, limits::NO_CHANNEL, NO_GROUP};
}

// Return whether no other event delays it: at the time of its own output it ends a pulse or a tone, because a late end
// is a larger drop, or it is an edge of a sync code.
bool is_never_delayed(uint8_t id, const PinAction& pin_action);

// Change the pin, or start or silence the voice. Only with interrupts off.
void execute(const PinAction& pin_action);

// Give the pin of an output the output's level, unless it plays a tone.
void restore(uint8_t channel);

}  // namespace pin_events
