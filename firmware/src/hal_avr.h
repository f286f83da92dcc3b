// SPDX-License-Identifier: BSD-3-Clause
//
// What the files of the AVR's half share, and the sketch calls.

#pragma once

#include <stdint.h>

namespace hal {

// Prepare the chip: its clock, its serial port at 500,000 baud, its watchdog.
void begin();

// Tell the watchdog that the loop still runs; it must hear so every 120 ms.
void pat_watchdog();

// Sleep until the next interrupt, unless there is something to do.
void sleep();

// Each of these belongs to one file.
void begin_clock();
void begin_serial();
void begin_watchdog();

// Have chip::service called before anything else goes on. Only for interrupts.
void kick();

// What the timer showed a moment ago, as a time. Only with interrupts off.
uint32_t extend(uint16_t count);

// Tell whether a byte has arrived.
bool has_received();

}  // namespace hal
