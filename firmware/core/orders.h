// SPDX-License-Identifier: BSD-3-Clause
//
// The orders of a batch: check them, execute them in one pass, and report those that were refused.

#pragma once

#include <stdint.h>

#include "messages.h"

namespace orders {

// The kinds of orders, as bits of a mask. A batch executes them from the lowest bit to the highest. KIND_OUTPUT stands
// for the orders that drive or configure a channel, or start or stop a sequence.
enum OrderKind : uint8_t {
  KIND_PANIC = 1,
  KIND_DISARM = 2,
  KIND_LOAD = 4,
  KIND_ARM = 8,
  KIND_OUTPUT = 16,
  KIND_NOTHING = 32
};

// Check `count` orders. Return the mask of their kinds, which always contains KIND_NOTHING. Return 0 if an order is
// invalid, or if the orders do not take exactly `length` bytes.
uint8_t check(const uint8_t* orders, uint8_t length, uint8_t count);

// Only the main loop calls the functions below, under a SchedulerLock.

// Execute orders that check() has accepted; `kinds` is what it returned. Write the result of each order into the upper
// half of its code byte. Return the stamp of the batch: when its outputs were driven. If configuring the panic input
// causes a panic, no other order is executed.
uint32_t execute(const wire::Batch& batch, uint8_t* orders, uint8_t kinds);

// Append a REFUSED event for each order that execute() has refused. Return whether there was one.
bool report(uint8_t* orders, uint8_t count, uint8_t batch, uint32_t stamp);

// Append a REFUSED event; `index` is that of the order in its batch.
void refuse(uint8_t batch, uint8_t index, uint8_t reason, uint32_t stamp);

// The number of orders refused since OPEN. It stops at its largest value.
extern uint16_t refused;

}  // namespace orders
