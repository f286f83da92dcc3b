// SPDX-License-Identifier: BSD-3-Clause
//
// The firmware of the rig's board. `make -C firmware sketch` copies it for the Arduino IDE: open the copy there, choose
// an Uno or a Mega, and upload. docs/explanations/firmware.md lists what each file does.

#include "avr.h"
#include "board.h"

void setup() {
  hal::begin();
  board::begin();
}

// Run the main loop. `noreturn` saves the stack that the compiler would use to keep registers for the caller.
void loop() __attribute__((noreturn));
void loop() {
  for (;;) {
    hal::kick_watchdog();
    if (board::poll()) {
      hal::sleep();  // interrupts and the scheduler execute reflexes, pulses and tones meanwhile
    }
  }
}
