// SPDX-License-Identifier: BSD-3-Clause
//
// Sees changes of inputs in the interrupt itself: what was aimed at the next edge of an input is fired at once, or on
// the tick at which it is confirmed. The books follow: inputs.

#pragma once

#include <stdint.h>

#include "lookahead.h"
#include "hal.h"

namespace eyes {

// What the next change of a pin is: an edge that may have to wait; an edge at once, which fires whatever the time; and
// what that does is to put a level on a pin.
enum Edge : uint8_t { LATER, AT_ONCE, IN_HAND };

// Watch for the next change of a channel's pin; or watch no longer.
void open(uint8_t channel, hal::Pin pin, bool level, Edge edge);
void shut(hal::Pin pin);

// Of a port.
struct Eye {
  uint8_t ready;    // the pins whose next change is an edge if it is confirmed,
  uint8_t resting;  // their levels before,
  uint8_t prompt;   // and those of them whose next change is an edge at once, and fires whatever the time
};
extern Eye all[limits::INPUT_PORTS];

// The pins of a port that are ready, and have changed.
inline uint8_t changed(const Eye& eye, uint8_t levels) {
  return (levels ^ eye.resting) & eye.ready;
}

// The input that was opened last of those in hand: it need not be looked for.
struct Hand {
  uint8_t port, mask;  // no mask: there is none
  uint8_t resting;     // the port's levels before
  uint8_t channel;
};
extern Hand hand;
inline bool in_hand(const hal::Levels& now) {
  return (now.of[hand.port] ^ hand.resting) & hand.mask;
}

inline const volley::Aim& aim_in_hand() {
  return aims::edges[hand.channel];
}

// It has fired. It has changed, and waits for something.
void fired_in_hand();
void see_in_hand(const hal::Levels& now);

// Some of a port that are ready have changed: see to one of them. Only with interrupts off.
void see(uint8_t port, const hal::Levels& now);

}  // namespace eyes
