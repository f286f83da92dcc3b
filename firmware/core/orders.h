// SPDX-License-Identifier: BSD-3-Clause
//
// Orders: those of a batch, read and executed.

#pragma once

#include <stdint.h>

#include "messages.h"

namespace orders {

// What orders are about, in the order in which those of a batch are executed. They are bits.
enum Rank : uint8_t { PANICS = 1, DISARMS = 2, LOADS = 4, ARMS = 8, DRIVES = 16, IDLE = 32 };

// Tell of what ranks `count` orders are; 0 when they do not fill so many bytes exactly.
uint8_t read(const uint8_t* orders, uint8_t length, uint8_t count);

// What follows is called under a Lock, with orders that can be read. They are written over.

// Execute orders of these ranks; return when outputs were driven, in one instant. If the panic input is active that
// they configure, nothing more is executed.
uint32_t execute(const wire::Batch& batch, uint8_t* orders, uint8_t ranks);

// Report what was refused; false when nothing was.
bool report(uint8_t* orders, uint8_t count, uint8_t batch, uint32_t stamp);

// Report that an order was refused.
void refuse(uint8_t batch, uint8_t place, uint8_t reason, uint32_t stamp);

// How many orders were refused.
extern uint16_t refused;

}  // namespace orders
