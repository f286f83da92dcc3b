// SPDX-License-Identifier: BSD-3-Clause
//
// The last openings of dangerous outputs, which outlive a lease, an OPEN and a reset.

#pragma once

#include <stdint.h>

#include "messages.h"

namespace openings {

// The chip had no power: what its memory holds means nothing.
void forget();

// It was reset: what was open ended at a time that nothing knows.
void cut();

// An output went on, or off.
void begin(uint8_t channel, uint32_t at);
void end(uint8_t channel, uint32_t at);

// The one in a place; 0 is the latest.
wire::Opening at(uint8_t place, uint32_t now);

}  // namespace openings
