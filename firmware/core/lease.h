// SPDX-License-Identifier: BSD-3-Clause
//
// The lease timer. It expires if the host sends no valid frame for the length of the lease; board.cpp then makes all
// outputs safe. Only the main loop calls these functions.

#pragma once

#include <stdint.h>

namespace lease {

// How often the lease has expired since OPEN. It stops at its largest value.
extern uint8_t expiries;

// Set the length of the lease and reset `expiries`. The timer starts at the first renew().
void begin(uint16_t lease_ms);

// Start the timer again; `now` is in ticks.
void renew(uint32_t now);

// Stop the timer until the next renew().
void stop();

// Return true once when the lease has expired, and stop the timer until the next renew().
bool check_expired(uint32_t now);

// Return whether the timer runs.
bool is_running();

// Return when the lease expires, in ticks. Valid only while the timer runs.
uint32_t due();

}  // namespace lease
