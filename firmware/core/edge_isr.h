// SPDX-License-Identifier: BSD-3-Clause
//
// The part of a pin's interrupt that knows edges: what was prepared for the next edge of an input is executed at once,
// or on the tick on which the edge is confirmed. The scheduler handles the edge afterwards (inputs.h).

#pragma once

#include <stdint.h>

#include "hal.h"
#include "lookahead.h"

namespace edge_isr {

// What the next change of a pin is: an edge that may have to wait; an edge at once, at any time; and one that does no
// more than put a level on a pin.
enum Edge : uint8_t { FILTERED, AT_ONCE, FAST };

// Watch for the next change of a channel's pin; or watch no longer.
void arm(uint8_t channel, hal::Pin pin, bool level, Edge edge);
void disarm(hal::Pin pin);

// Of a port.
struct PortState {
  uint8_t ready;       // the pins whose next change is an edge if it is confirmed,
  uint8_t idle_level;  // their levels before,
  uint8_t unfiltered;  // and those of them whose next change is an edge at once
};
extern PortState ports[limits::INPUT_PORTS];

// The pins of a port that are ready, and have changed.
inline uint8_t changed(const PortState& state, uint8_t levels) { return (levels ^ state.idle_level) & state.ready; }

// The input that was armed last of those that are fast: it need not be looked for.
struct FastPath {
  uint8_t port, mask;  // no mask: there is none
  uint8_t idle_level;  // the port's levels before
  uint8_t channel;
};
extern FastPath fast_path;
inline bool is_fast(const hal::PortLevels& now) {
  return (now.of[fast_path.port] ^ fast_path.idle_level) & fast_path.mask;
}

inline const pin_events::PinAction& fast_action() { return lookahead::edge_actions[fast_path.channel]; }

// Its action was executed. Its pin has changed, and it waits for something.
void fast_executed();
void handle_fast(const hal::PortLevels& now);

// Some pins of a port that are ready have changed: handle one of them. Only with interrupts off.
void handle(uint8_t port, const hal::PortLevels& now);

}  // namespace edge_isr
