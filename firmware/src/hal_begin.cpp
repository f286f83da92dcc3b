// SPDX-License-Identifier: BSD-3-Clause
//
// AVR: what is done once, and sleeping.

#ifdef __AVR__

#include <Arduino.h>
#include <avr/power.h>
#include <avr/sleep.h>

#include "board.h"
#include "hal.h"
#include "hal_avr.h"

namespace hal {

namespace {

// The Arduino core has set its timers going, for millis() and analogWrite(): nobody here needs them.
void stop_timers_of_the_core() {
  TIMSK0 = 0;
  TCCR0B = 0;
  TCCR2B = 0;
#ifdef TCCR3B
  TCCR3B = TCCR4B = TCCR5B = 0;
#endif
  ADCSRA = 0;
}

}  // namespace

void begin() {
  stop_timers_of_the_core();
  begin_clock();
  begin_serial();
  begin_watchdog();
  set_sleep_mode(SLEEP_MODE_IDLE);
}

void sleep() {
  cli();
  if (!has_received() && board::is_idle()) {
    sleep_enable();
    sei();
    sleep_cpu();  // nothing comes between these two
    sleep_disable();
  }
  sei();
}

}  // namespace hal

#endif
