// SPDX-License-Identifier: BSD-3-Clause
//
// This header declares what the files of this target share, and what the sketch calls.

#pragma once

#include <avr/io.h>
#include <stdint.h>

#include "flags.h"

namespace hal {

// Start timer 1, the serial port at 500,000 baud and the watchdog. Setup calls this once, before all other functions.
void begin();

// Restart the watchdog. The main loop must call this at least every 120 ms. After 125 ms the watchdog interrupt sets
// the outputs to their safe levels and starts the program again. If interrupts are disabled, the chip resets after
// 250 ms.
void kick_watchdog();

// Sleep until the main loop has work. Only the main loop calls this, with interrupts enabled. It returns after a timer
// wrap (32.8 ms) at the latest.
void sleep();

// Start one peripheral each. Only begin() calls these.
void begin_pins();
void begin_clock();
void begin_serial();
void begin_watchdog();
void begin_identity();

// Count a start without what was kept in the RAM. Only begin_watchdog() calls this.
void count_power_on();

// Run the scheduler, with interrupts enabled; return with interrupts disabled. If the scheduler is already running, is
// locked, or has yielded to the main loop, this does nothing: it will look for what has come. Interrupts call it as
// their last step; the main loop calls it when it goes to sleep or unlocks the scheduler. Call it only with interrupts
// disabled.
void run_scheduler();

// Make the changes of pins that are due, and set the compare match for the next entry of the timer queue. Call it only
// with interrupts disabled.
void run_timer();

// Count a wrap of timer 1, and make the changes of pins that are due, if its interrupts are pending. Call it only with
// interrupts disabled.
void poll_timer();

// Move a received byte from the USART to the ring buffer, if there is one. Call it only with interrupts disabled.
void poll_receiver();

// Read the panic input, and switch all outputs off if it is active. `at` is the low half of the time (ticks) since
// which its level is valid. Call it only with interrupts disabled.
void check_panic_input(uint16_t at);

// Set every output pin to its safe level. Pending events are not changed. Call it only with interrupts disabled.
void set_safe_levels();

// Stop all tones. A pin that the timer toggles gets its rest, another one keeps its level. Only with interrupts off.
void stop_tones();

// Return whether the main loop should read bytes: a frame has ended, or the ring buffer is half full.
bool has_received();

}  // namespace hal
