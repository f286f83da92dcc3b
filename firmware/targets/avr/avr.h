// SPDX-License-Identifier: BSD-3-Clause
//
// What the files of this target share, and what the sketch calls. From run_scheduler on they must be called with
// interrupts disabled.

#pragma once

#include <avr/io.h>

#include "hal.h"

namespace hal {

// Start the chip, before all other functions; one peripheral each, for begin().
void begin();
void begin_pins();
void begin_clock();
void begin_serial();

// Restart the watchdog. The main loop must call this at least every 120 ms. After 125 ms the watchdog interrupt sets
// the outputs to their safe levels and starts the program again. If interrupts are disabled, the chip resets after
// 250 ms.
void kick_watchdog();

// Sleep until the main loop has work, at most until the next wrap of the timer (32.8 ms).
void sleep();

// Return whether the main loop should read bytes: a frame has ended, or the ring buffer is half full.
bool has_received();

// Run the scheduler, with interrupts enabled; return with interrupts disabled. If the scheduler is already running, is
// locked, or has yielded to the main loop, this does nothing: it will look for what has come. Interrupts call it as
// their last step; the main loop calls it when it goes to sleep or unlocks the scheduler.
void run_scheduler();

// Make the changes of pins that are due, and set the compare match for the next entry of the timer queue.
void run_timer();

// Count a wrap of timer 1, and make the changes of pins that are due, if its interrupts are pending.
void poll_timer();

// Move a received byte from the USART to the ring buffer, if there is one.
void poll_receiver();

// Read the panic input, and switch all outputs off if it is active. `at` is the low half of the time since which its
// level is valid.
void check_panic_input(uint16_t at);

// Set every output pin to its safe level. Pending events are not changed.
void set_safe_levels();

// Stop all tones. A pin that the timer toggles gets its rest, another one keeps its level.
void stop_tones();

}  // namespace hal
