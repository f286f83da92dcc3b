// SPDX-License-Identifier: BSD-3-Clause
//
// All that the portable part asks of the chip. hal_*.cpp keep it on AVR; test/stub_hal.cpp keeps it on a host, in
// virtual time.
//
// There are three levels. Interrupts are short: they stamp, move a byte, toggle a speaker. `chip::service` preempts
// the loop, with interrupts enabled and never itself; it reports edges, fires reflexes, ends pulses. The loop speaks
// with the host; whatever it shares with `service` it touches under a Lock, which puts `service` off, not interrupts.

#pragma once

#include <stdint.h>

namespace hal {

// --- time ---

// The time now, in ticks.
uint32_t now();

// Have chip::service called at `due`, or a little earlier, instead of at any other time.
void wake_at(uint32_t due);
void wake_never();

// Tell whether `due` has come or is about to.
bool is_near(uint32_t due);

// Wait for it then; false when a pin changed before it, or at it.
bool wait_for(uint32_t due);

// --- pins ---

constexpr uint8_t PORTS = 11;  // how many ports there may be; a port is a small number, a pin a port and a bit

struct Pin {
  uint8_t port;
  uint8_t mask;  // 0: there is no such pin
};

// The levels of all ports that can be inputs, taken at `stamp`.
struct Capture {
  uint32_t stamp;
  uint8_t levels[
#if defined(__AVR_ATmega328P__)
      3
#else
      5
#endif
  ];
};

// Find a pin by its Arduino number, as an output.
Pin output_pin(uint8_t number);

// Find a pin that can interrupt, as an input: its port is its place in Capture::levels.
Pin input_pin(uint8_t number);

// Make it an output at `level`.
void make_output(Pin pin, bool level);

// Make it an input, and watch it.
void make_input(Pin pin);

// Watch no pin any more; every pin is an input.
void forget_pins();

// Put a level on an output.
void drive(Pin pin, bool level);

// The level of a port of inputs now.
uint8_t read_port(uint8_t port);

// The oldest capture that was not dropped yet, or null.
const Capture* oldest_capture();
void drop_capture();

// --- tones ---

// Reserve a voice; NONE when all are taken. A voice sounds on one pin at a time.
uint8_t take_voice();
void give_voice(uint8_t voice);

// Sound a square wave; `level` is what the pin is when it is silent.
void sound(uint8_t voice, Pin pin, uint16_t hz);
void silence(uint8_t voice);

// --- the wire ---

// Take a byte from the host; -1 when there is none.
int16_t receive();

// How many bytes can be sent without waiting.
uint8_t send_room();

// Draft a byte to be sent, for which there must be room; return its place, where it may be corrected.
uint8_t draft(uint8_t byte);
void correct(uint8_t place, uint8_t byte);

// Send what was drafted.
void send();

// --- the rest ---

// The board's own id, kept for ever.
uint32_t uid();

// Why the board has started, one of wire::RESET_….
uint8_t reset_reason();

// The last epoch that was ever begun, kept across resets without loss of power.
uint8_t& last_epoch();

// Puts chip::service off.
class Lock {
 public:
  Lock();
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

}  // namespace hal
