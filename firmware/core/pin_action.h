// SPDX-License-Identifier: BSD-3-Clause
//
// What somebody's turn, or an edge, does to a pin: found out beforehand, and small enough to be kept until then.

#pragma once

#include <stdint.h>

#include "limits.h"

namespace volley {

constexpr uint8_t START = 14, SILENCE = 15;
constexpr uint8_t NO_GROUP = limits::NO_CHANNEL;

// What somebody's turn does to a pin, and with whom that can clash.
struct Aim {
  uint8_t port : 4;       // or START or SILENCE, of the voice before `mask`
  uint8_t level : 1;
  uint8_t exclusive : 1;  // of those outputs that lock each other out
  uint8_t opaque : 1;     // nobody knows what else comes of it before its books are kept
  uint8_t known : 1;      // it has been found out
  uint8_t mask;           // 0: nothing happens to a pin
  uint8_t channel : limits::CHANNEL_BITS;  // the output, or NO_CHANNEL
  uint8_t group : limits::CHANNEL_BITS;    // the place of the group that it ends, of which an edge acts, or NO_GROUP

  // Tell whether anybody else is concerned.
  bool matters() const { return !known || mask || opaque || group != NO_GROUP; }
};

inline Aim nothing(bool known) { return Aim{0, 0, 0, 0, known, 0, limits::NO_CHANNEL, NO_GROUP}; }

// Whether it is the end of an output's own pulse, or of its tone. It waits for nobody.
bool is_end(uint8_t who, const Aim& aim);

// Do at once what it is about.
void fire(const Aim& aim);

}  // namespace volley
