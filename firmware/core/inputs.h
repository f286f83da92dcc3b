// SPDX-License-Identifier: BSD-3-Clause
//
// Inputs: lock-out debounce, confirmation, and edges in channel order where they fall on one instant.

#pragma once

#include <stdint.h>

#include "channels.h"

namespace inputs {

// Called for every edge; scheduler.cpp defines it.
void on_edge(uint8_t channel, bool level, uint32_t stamp);

// Called at the end of a lock-out; lookahead.cpp defines it.
void on_unlocked(uint8_t channel);

// Make a channel an input; return why not, or 0. A level that is on at once is an edge.
uint8_t configure(const wire::OrderInput& order);

// A pin is used otherwise.
void unwatch(hal::Pin pin);

void forget();

// Take what the pins were.
void take(const hal::Snapshot& snapshot);

// The time that a channel waited for has come.
void due(uint8_t channel, uint32_t at);

extern uint8_t top;  // no channel from here on is an input

// Tell whether it is a channel, and an input.
bool is_input(uint8_t id);

// Where an input is.
hal::Pin pin_of(uint8_t channel);

// Tell whether a change of it is captured, and has not been taken.
bool has_changed(uint8_t channel);

// Tell whether its next change will be an edge as soon as it is confirmed, if that is soon, unless it is locked: then
// on_unlocked will say when that is over.
bool is_resting(uint8_t channel);

// Tell whether it was locked just now, of which `at` is the low half.
bool is_locked(uint8_t channel, uint16_t at);

// How long an input that is resting must keep its next level.
inline uint16_t confirmation_of_next(const Input& input) { return input.level ? input.confirm_off : input.confirm_on; }

// One number for a pin: eight times its port, and which bit it is.
uint8_t number_of(hal::Pin pin);

// The channel of such a number, or NONE.
uint8_t channel_at(uint8_t pin);

// Tell whether an edge is reported when the channel's time comes.
bool will_report(uint8_t channel, uint32_t at);

// Of two inputs that are due at the same time, tell whether the second comes first.
bool comes_before(uint8_t second, uint8_t first);

// Tell up to where every edge has been reported, if it has been reported up to `now`.
uint32_t horizon(uint32_t now);

// Note the number of an edge.
void number(uint8_t channel, bool level, uint16_t event);

// Tell whether a place (a channel, its level in the top bit) has an edge that comes behind event `seen`.
bool newer(uint8_t place, uint16_t seen);

// Forget what is so old that its number could be taken for a new one.
void maintain(uint8_t channel, uint32_t now);

}  // namespace inputs
