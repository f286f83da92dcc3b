// SPDX-License-Identifier: BSD-3-Clause
//
// what is done once, and sleeping.

#include <Arduino.h>
#include <avr/power.h>
#include <avr/sleep.h>

#include "avr.h"
#include "board.h"
#include "hal.h"

// Takes the place of the Arduino core's own, which would set its timers going, for millis() and analogWrite().
void init() {}

namespace hal {

void begin() {
  begin_clock();
  begin_serial();
  begin_watchdog();
  set_sleep_mode(SLEEP_MODE_IDLE);
}

void sleep() {
  cli();
  if (is(RESTING)) {  // the loop has had its turn
    lower(RESTING);
    run_scheduler();
  }
  while (!has_received() && !is(WRAPPED) && board::is_idle()) {
    sleep_enable();
    sei();
    sleep_cpu();  // nothing comes between these two
    sleep_disable();
    kick_watchdog();
    cli();
  }
  lower(WRAPPED);
  sei();
}

}  // namespace hal
