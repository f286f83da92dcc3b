// SPDX-License-Identifier: BSD-3-Clause
//
// Sees changes of inputs in the interrupt itself: what was aimed at the next edge of an input is fired at once, or on
// the tick at which it is confirmed. The books follow: inputs.

#pragma once

#include <stdint.h>

#include "hal.h"

namespace eyes {

// The pins of every port whose next change is an edge if it is confirmed, and their levels before.
extern volatile uint8_t ready[sizeof(hal::Capture::levels)];
extern uint8_t resting[sizeof(hal::Capture::levels)];

// Watch for the next change of a pin, which is an edge at once and fires whatever the time, or may not be; or watch no
// longer.
void open(hal::Pin pin, bool level, bool at_once);
void shut(hal::Pin pin);

// Some of a port that are ready have changed: `at` is the low half of when. Only with interrupts off.
void see(uint8_t port, uint8_t pins, uint8_t levels, uint16_t at);

}  // namespace eyes
