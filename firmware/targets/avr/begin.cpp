// SPDX-License-Identifier: BSD-3-Clause
//
// This file starts the chip and puts it to sleep between interrupts.

#include <Arduino.h>
#include <avr/sleep.h>

#include "avr.h"
#include "board.h"
#include "hal.h"

// Replace the init() of the Arduino core. It would start timers for millis() and analogWrite() and reconfigure timer 1.
void init() {}

namespace hal {

void begin() {
  begin_identity();
  begin_pins();
  begin_clock();
  begin_serial();
  begin_watchdog();
  set_sleep_mode(SLEEP_MODE_IDLE);
}

void sleep() {
  cli();
  if (is_set(SCHEDULER_YIELDED)) {  // the main loop is idle, so the scheduler need not wait for the timer interrupt
    clear(SCHEDULER_YIELDED);
    run_scheduler();
  }
  while (!has_received() && !is_set(TIMER_WRAPPED) && board::is_idle()) {
    sleep_enable();
    sei();
    // No interrupt runs between SEI and SLEEP, so none can be missed: ATmega328P datasheet, 7.7; ATmega2560, chapter 7.
    sleep_cpu();
    sleep_disable();
    kick_watchdog();
    cli();
  }
  clear(TIMER_WRAPPED);
  sei();
}

}  // namespace hal
