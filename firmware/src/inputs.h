// SPDX-License-Identifier: BSD-3-Clause
//
// Inputs: lock-out debounce, confirmation, and edges in channel order where they fall on one instant.

#pragma once

#include <stdint.h>

#include "channels.h"

namespace inputs {

// Whoever wants to know of edges: chip.cpp.
void on_edge(uint8_t channel, bool level, uint32_t stamp);

// Make a channel an input; return why not, or 0. A level that is on at once is an edge.
uint8_t configure(const wire::OrderInput& order);

// A pin of the board is used otherwise.
void unwatch(uint8_t pin_of_board);

void forget();

// Take what the pins were.
void take(const hal::Capture& capture);

// The time that a channel waited for has come.
void due(uint8_t channel, uint32_t at);

// Tell whether an edge is reported when the channel's time comes; the end of a lock-out may have to wait for more.
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
void sweep(uint8_t channel);

}  // namespace inputs
