// SPDX-License-Identifier: BSD-3-Clause
//
// Orders: those of a batch, read and executed.

#pragma once

#include <stdint.h>

namespace orders {

// Tell whether `count` orders fill so many bytes exactly.
bool can_read(const uint8_t* orders, uint8_t length, uint8_t count);

// What follows is called under a Lock.

// Of orders that can be read, disarm and arm while everything goes on; false when there is more to do, or while the
// books of something that was fired are not kept. Execute what there is left of them, in one pass, after chip::settle:
// disarmings, loads, armings, outputs; return when. Then report what was refused. The orders are written over.
bool arm(uint8_t* orders, uint8_t count, uint16_t seen);
uint32_t execute(uint8_t* orders, uint8_t count, uint16_t seen);
void report(uint8_t* orders, uint8_t count, uint8_t batch, uint32_t stamp);

// Report that an order was refused.
void refuse(uint8_t batch, uint8_t place, uint8_t reason, uint32_t stamp);

// How many orders were refused.
extern uint16_t refused;

}  // namespace orders
