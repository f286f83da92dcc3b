// SPDX-License-Identifier: BSD-3-Clause
//
// What an edge, or something that is due, does at a pin: found out beforehand, and small enough to be kept until then.

#pragma once

#include <stdint.h>

#include "limits.h"

namespace pin_events {

constexpr uint8_t START = 14, SILENCE = 15;
constexpr uint8_t NO_GROUP = limits::NO_CHANNEL;

// What it does, and with what that can clash.
struct PinAction {
  uint8_t port : 4;  // or START or SILENCE, of the voice before `mask`
  uint8_t level : 1;
  uint8_t exclusive : 1;                   // of those outputs that lock each other out
  uint8_t is_complex : 1;                  // what else comes of it shows when it is committed
  uint8_t is_resolved : 1;                 // it has been found out, and still holds
  uint8_t mask;                            // 0: nothing happens to a pin
  uint8_t channel : limits::CHANNEL_BITS;  // the output, or NO_CHANNEL
  uint8_t group
      : limits::CHANNEL_BITS;  // the index of the group that it ends, if an edge of that does something, or NO_GROUP

  // Tell whether anything comes of it that concerns others.
  bool has_effect() const { return !is_resolved || mask || is_complex || group != NO_GROUP; }
};

inline PinAction no_action(bool is_resolved) {
  return PinAction{0, 0, 0, 0, is_resolved, 0, limits::NO_CHANNEL, NO_GROUP};
}

// Tell whether it is the end of an output's own pulse or tone, which waits for nothing.
bool ends_own_pulse(uint8_t id, const PinAction& pin_action);

// Do it at the pin.
void execute(const PinAction& pin_action);

}  // namespace pin_events
