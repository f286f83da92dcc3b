// SPDX-License-Identifier: BSD-3-Clause
//
// What the files of this target share, and what main() calls.

#pragma once

#include "hal.h"
#include "registers.h"

namespace hal {

// Start the chip, before all other functions; one peripheral each, for begin().
void begin();
void begin_clocks();
void begin_pins();
void begin_timer();
void begin_port();
void begin_analog();
void begin_encoders();

// Restart the watchdog, which resets the chip after 125 ms.
void kick_watchdog();

// Set the outputs to their safe levels and start again, because the program cannot go on.
void restart() __attribute__((noreturn));

// Sleep until the main loop has work, at most until the 16-bit time wraps (32.8 ms).
void sleep();

// Set the outputs to their safe levels and start the boot ROM's bootloader, which the computer shows as a drive (2.8).
void start_bootloader() __attribute__((noreturn));

// Do what the port leaves to the main loop, which calls this in each turn. It waits for nothing.
void serve_port();

// Return whether the main loop has to serve the port, or to receive bytes.
bool has_port_work();

// Let the scheduler run behind the interrupts.
void request_scheduler();

// Let an alarm come at a microsecond, at once if that is past. Only with interrupts off.
void set_alarm(uint8_t number, uint32_t at_us);
inline uint32_t now_us() { return registers::at(registers::TIME_LOW); }
constexpr uint8_t QUEUE_ALARM = 0, WRAP_ALARM = 1, FIRST_VOICE_ALARM = 2;

// Measure the planned pin, if it is time. Only with interrupts off.
void start_planned_measurement();

// Make an alarm's interrupt end.
void end_alarm(uint8_t number);

// Set every output pin to its safe level.
void set_safe_levels();

// Stop all tones, which leaves their pins as they are.
void stop_tones();

void enable(registers::Interrupt interrupt);

}  // namespace hal
