// SPDX-License-Identifier: BSD-3-Clause
//
// Orders: those of a batch, read and executed.

#pragma once

#include <stdint.h>

namespace orders {

// What orders are about, in the order in which those of a batch are executed. They are bits.
enum Rank : uint8_t { DISARMS = 1, LOADS = 2, ARMS = 4, DRIVES = 8, IDLE = 16 };

// Tell of what ranks `count` orders are; 0 when they do not fill so many bytes exactly.
uint8_t read(const uint8_t* orders, uint8_t length, uint8_t count);

// What follows is called under a Lock. It executes what was not executed yet of orders that can be read. They are
// written over.

// Disarm and arm while everything goes on; false when the books of something that was fired must be kept first. With
// orders that load, only after chip::settle.
bool prepare(uint8_t* orders, uint8_t count, uint16_t seen);

// Aim at what outputs are to do; false when not all of it can be aimed.
bool aim(uint8_t* orders, uint8_t count);

// Drive them, in one instant; return when. After chip::settle, and it lets go.
uint32_t finish(uint8_t* orders, uint8_t count, uint16_t seen, bool are_aimed);

// Report what was refused; false when nothing was.
bool report(uint8_t* orders, uint8_t count, uint8_t batch, uint32_t stamp);

// Report that an order was refused.
void refuse(uint8_t batch, uint8_t place, uint8_t reason, uint32_t stamp);

// How many orders were refused.
extern uint16_t refused;

}  // namespace orders
