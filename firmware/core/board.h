// SPDX-License-Identifier: BSD-3-Clause
//
// The board's side of the wire protocol: it receives frames, sends answers and events, and keeps the epoch and the
// lease. Only the main loop calls these functions.

#pragma once

#include <stdint.h>

namespace board {

// Put all outputs on their safe levels, close the session and send an unsolicited HELLO. Call this once after a reset.
void begin();

// Run one pass of the main loop: receive frames, check the lease, send answers and events. Return true if no work is
// left until the next interrupt or the next wrap of the 16-bit timer (every 32.8 ms).
bool poll();

// Return whether the main loop may sleep until the next wrap: neither the lease nor an event retransmission is due
// soon.
bool may_sleep();

// Return whether no work is left. Call this with interrupts disabled.
bool is_idle();

}  // namespace board
