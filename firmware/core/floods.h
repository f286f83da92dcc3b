// SPDX-License-Identifier: BSD-3-Clause
//
// Inputs that are muted because they, or others of their port, change too often (snapshots.h). An input of a flooded
// port that was seen to change seldom counts again at once. The others are probed from time to time: an input that does
// not change during the probe counts again, with the level that it has then. The entry of a muted input in the timer
// queue is its next probe, or the end of one.
//
// The host is told of each input that floods, and when it is quiet again.

#pragma once

#include <stdint.h>

#include "hal.h"

namespace floods {

// Count changes of pins of a port at a time.
void count(uint8_t port, uint8_t pins, uint32_t stamp);

// Note which inputs were muted, once all snapshots have been handled.
void note();

bool is_muted(hal::Pin pin);

// A probe of a muted input is due, or over.
void on_due(uint8_t channel, hal::Pin pin);

// Mark a pin, or all pins, as not muted. Call this when a pin is configured again.
void forget(hal::Pin pin);
void forget();

}  // namespace floods
