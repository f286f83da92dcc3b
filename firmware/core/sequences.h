// SPDX-License-Identifier: BSD-3-Clause
//
// Sequences: actions timed from one start, loaded beforehand.

#pragma once

#include <stdint.h>

#include "action.h"
#include "pin_events.h"

namespace sequences {

// Load a sequence; `entries` follow its head on the wire. Return why not, or 0.
uint8_t load(const wire::OrderLoad& head, const uint8_t* entries);

bool is_loaded(uint8_t number);

// Start it at a time to come, or now; return why not, or 0.
uint8_t start(uint8_t number, uint32_t at);

// Stop it and what of it is on.
void stop(uint8_t number);

// The time that a sequence waited for has come.
void due(uint8_t slot, uint32_t at);

// Aim at what a sequence does within so many ticks after its turn, its start as well; tell how long after, or
// NOTHING_MORE when there is no `nth` thing that it does. What it starts does its first thing in the same instant, and
// who knows what then.
constexpr uint16_t NOTHING_MORE = 0xFFFF;
uint16_t describe(uint8_t slot, uint8_t nth, uint16_t within, pin_events::PinAction& pin_action);

// Stop all, and forget them.
void forget();

}  // namespace sequences
