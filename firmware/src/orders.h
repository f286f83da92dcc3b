// SPDX-License-Identifier: BSD-3-Clause
//
// Orders: those of a batch, read and executed.

#pragma once

#include <stdint.h>

namespace orders {

// Tell whether `count` orders fill so many bytes exactly.
bool can_read(const uint8_t* orders, uint8_t length, uint8_t count);

// What follows is called under a Lock.

// Execute orders that can be read, in one pass: disarmings, loads, armings, outputs; return when. What is refused is
// reported behind it. The orders are written over.
uint32_t execute(uint8_t* orders, uint8_t count, uint8_t batch, uint16_t seen);

// Report that an order was refused.
void refuse(uint8_t batch, uint8_t place, uint8_t reason, uint32_t stamp);

// How many orders were refused.
extern uint16_t refused;

}  // namespace orders
