// SPDX-License-Identifier: BSD-3-Clause
//
// Outputs: every one ends by itself, dangerous ones at a limit that no order can move.

#pragma once

#include <stdint.h>

#include "channels.h"
#include "pin_events.h"

namespace outputs {

// How often a limit has ended something since the channels were forgotten.
extern uint16_t limits_hit;

// What begins from now on is begun by this sequence, or by none.
extern uint8_t starter;

// Foretell what a action will do first, or an output whose time comes.
void describe(const Action& action, pin_events::PinAction& pin_action);
void describe(uint8_t channel, pin_events::PinAction& pin_action);

// Called when what was described of an output no longer holds; lookahead.cpp defines it.
void on_change(uint8_t channel);

// Called when an output has begun what will end; lookahead.cpp defines it.
void on_begun(uint8_t channel);

// What was foretold has been done, at a time. What it was foretold of must follow, and end with `finish`.
void fired(uint32_t at);
void finish();

// Tell whether there was a panic before what is done now: nothing happens to a pin any more.
bool is_barred();

// Make a channel an output, off; return why not, or 0.
uint8_t configure(const wire::OrderOutput& order);

// Do what a action says to its channel; return why not, or 0.
uint8_t perform(const Action& action);

// The time that it waited for has come.
void due(uint8_t channel, uint32_t at);

// Switch it off and say why, if it was doing anything.
void off(uint8_t channel, uint8_t why);

// Switch off what a sequence has begun.
void stop_of(uint8_t sequence);

void all_off();
void forget();

// Put every pin at the level that its output has.
void restore();

}  // namespace outputs
