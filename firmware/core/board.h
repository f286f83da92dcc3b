// SPDX-License-Identifier: BSD-3-Clause
//
// The board's half of the conversation: frames in, answers and events out, epochs, exactly once, the lease.

#pragma once

#include <stdint.h>

namespace board {

// Boot, and say so.
void begin();

// Do what there is to do; return true when nothing is left before an interrupt comes, or a lap of the clock is over.
bool poll();

// Tell, with interrupts off, whether that is still so, and whether no time comes soon for which the loop must be awake.
bool is_idle();

}  // namespace board
