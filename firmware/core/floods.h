// SPDX-License-Identifier: BSD-3-Clause
//
// Inputs that are muted because they change too often (snapshots.h). The host is told of each, and when it is quiet
// again. It is probed from time to time: an input that does not change during the probe counts again, with the level
// that it has then. The entry of a muted input in the timer queue is its next probe, or the end of one.

#pragma once

#include <stdint.h>

#include "hal.h"

namespace floods {

// Take the inputs that an interrupt has muted.
void note();

// A probe of a muted input is due, or over.
void on_due(uint8_t channel, hal::Pin pin);

// Forget what was told of a pin, or of all. Call this when a pin is configured again.
void forget(hal::Pin pin);
void forget();

}  // namespace floods
