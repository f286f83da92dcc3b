// SPDX-License-Identifier: BSD-3-Clause
//
// The orders of a batch: check them, execute them, and report those that were refused. Only the main loop calls this.

#pragma once

#include <stdint.h>

#include "messages.h"

namespace orders {

// Return whether `count` orders are valid, and take exactly `length` bytes.
bool check(const uint8_t* orders, uint8_t length, uint8_t count);

// Execute orders that check() has accepted: first the panic input, then what disarms, loads, arms, and drives outputs.
// The scheduler handles what comes between two orders. Report those that are refused. Return the stamp of the batch:
// when its outputs were driven. Set `refuses` to whether an order was refused.
uint32_t execute(const wire::Batch& batch, const uint8_t* orders, bool& refuses);

// Append a REFUSED event; `index` is that of the order in its batch.
void refuse(uint8_t batch, uint8_t index, uint8_t reason, uint32_t stamp);

// The number of orders refused since OPEN. It stops at its largest value.
extern uint16_t refused;

}  // namespace orders
