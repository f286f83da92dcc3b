// SPDX-License-Identifier: BSD-3-Clause
//
// Sees changes of inputs in the interrupt itself: what was aimed at the next edge of an input is fired at once, or on
// the tick at which it is confirmed. The books follow: inputs.

#pragma once

#include <stdint.h>

#include "hal.h"

namespace eyes {

// Watch for the next change of a pin, which is an edge at once and fires whatever the time, or may not be; or watch no
// longer.
void open(hal::Pin pin, bool level, bool at_once);
void shut(hal::Pin pin);

// Of a port.
struct Eye {
  uint8_t ready;    // the pins whose next change is an edge if it is confirmed,
  uint8_t resting;  // their levels before,
  uint8_t prompt;   // and those of them whose next change is an edge at once, and fires whatever the time
};
extern Eye all[hal::WATCHED];

// The pins of a port that are ready, and have changed.
inline __attribute__((always_inline)) uint8_t changed(const Eye& eye, uint8_t levels) {
  return (levels ^ eye.resting) & eye.ready;
}

// Some that are ready have changed. Only with interrupts off.
void see(const hal::Levels& now);

}  // namespace eyes
