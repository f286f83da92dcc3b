// SPDX-License-Identifier: BSD-3-Clause
//
// What the interrupt of a pin does with an edge: it executes the action that was resolved for it, at once or on the
// tick on which the edge is confirmed. The scheduler handles the same edge afterwards (inputs.h), and commits the
// action.

#pragma once

#include <stdint.h>

#include "hal.h"

namespace edge_isr {

// Let the interrupt execute the action of the next change of a pin, which has this level now. AT_ONCE: the change is an
// edge in any case. FILTERED: it must be confirmed, or may come during a lock-out or after the group's end.
enum Edge : uint8_t { FILTERED, AT_ONCE };
void arm(hal::Pin pin, bool level, Edge edge);

// Leave the next change of a pin to the scheduler.
void disarm(hal::Pin pin);

struct PortState {
  uint8_t armed;       // the armed pins of the port
  uint8_t idle_level;  // their levels before the change
  uint8_t at_once;     // those of them that were armed AT_ONCE
};
extern PortState ports[limits::INPUT_PORTS];

// Return the armed pins of a port that have changed.
inline uint8_t changed(const PortState& state, uint8_t levels) { return (levels ^ state.idle_level) & state.armed; }

// Handle one of the armed pins of a port that have changed. Only with interrupts off.
void handle(uint8_t port, const hal::PortLevels& snapshot);

}  // namespace edge_isr
