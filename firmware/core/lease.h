// SPDX-License-Identifier: BSD-3-Clause
//
// The lease: a host that is silent for longer loses the right to have anything on.

#pragma once

#include <stdint.h>

namespace lease {

// How often it has expired since the session began.
extern uint8_t expiries;

// Begin a session; its lease runs from the first renewal.
void begin(uint16_t lease_ms);

void renew(uint32_t now);
void end();

// Tell, once, that it has expired; it runs again when it is renewed.
bool expired(uint32_t now);

bool runs();
uint32_t due();

}  // namespace lease
