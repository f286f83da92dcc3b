// SPDX-License-Identifier: BSD-3-Clause
//
// The board of the rig. Open this in the Arduino IDE, choose an Uno or a Mega, upload.
// What is in which file: docs/explanations/firmware.md.

#include "avr.h"
#include "board.h"

void setup() {
  hal::begin();    // clock, serial port, watchdog
  board::begin();  // everything off; say who we are
}

// It never returns, so that the compiler need not keep what it does not use on the stack.
void loop() __attribute__((noreturn));
void loop() {
  for (;;) {
    hal::kick_watchdog();
    if (board::poll()) {  // hear the host, check the lease, report
      hal::sleep();       // edges, reflexes, pulses and tones are interrupts' work: src/scheduler.cpp
    }
  }
}
