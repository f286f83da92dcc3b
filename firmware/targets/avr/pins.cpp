// SPDX-License-Identifier: BSD-3-Clause
//
// Pins as outputs and inputs, and the interrupts of inputs. The functions that end with sei() must be called with
// interrupts enabled. ATmega328P datasheet, chapters 13 (External Interrupts) and 14
// (I/O-Ports); ATmega2560, chapters 15 and 13.

#include <Arduino.h>

#include "ports.h"

namespace hal {

namespace {

constexpr uint8_t FIRST_PIN = 2;  // pins 0 and 1 are the serial port

// The ports that have pins with an interrupt, in the order of snapshots; and the bits of those pins.
#if defined(__AVR_ATmega328P__)
constexpr uint8_t LAST_PIN = 19;
const uint8_t WATCHED_PORTS[] PROGMEM = {B, C, D}, WATCHED_PINS[] PROGMEM = {0x3F, 0x3F, 0xFC};
#else
constexpr uint8_t LAST_PIN = 69;
const uint8_t WATCHED_PORTS[] PROGMEM = {B, D, E, J, K}, WATCHED_PINS[] PROGMEM = {0xFF, 0x0F, 0x30, 0x03, 0xFF};
#endif

static_assert(sizeof(WATCHED_PORTS) == limits::INPUT_PORTS, "every watched port has a place in a snapshot");

// Return the Arduino core's number of an input port.
uint8_t watched_port(uint8_t index) { return pgm_read_byte(&WATCHED_PORTS[index]); }

}  // namespace

Pin output_pin(uint8_t number) {
  if (number < FIRST_PIN || number > LAST_PIN) return Pin{0, 0};
  return Pin{digitalPinToPort(number), digitalPinToBitMask(number)};
}

Pin input_pin(uint8_t number) {
  Pin pin = output_pin(number);
  for (uint8_t index = 0; index < limits::INPUT_PORTS; index++) {
    if (watched_port(index) != pin.port) continue;
    return Pin{index, static_cast<uint8_t>(pin.mask & pgm_read_byte(&WATCHED_PINS[index]))};
  }
  return Pin{0, 0};
}

void make_output(Pin pin, bool level) {
  volatile uint8_t* direction = portModeRegister(pin.port);
  volatile uint8_t* out = portOutputRegister(pin.port);
  uint8_t& rest = safe_levels[pin.port - FIRST_PORT];
  cli();
  rest = level ? rest | pin.mask : rest & ~pin.mask;
  *out = level ? *out | pin.mask : *out & ~pin.mask;
  *direction |= pin.mask;
  sei();
}

void make_input(Pin pin) {
  uint8_t port = watched_port(pin.port);
  volatile uint8_t* direction = portModeRegister(port);
  volatile uint8_t* out = portOutputRegister(port);
  cli();
  *direction &= ~pin.mask;
  *out &= ~pin.mask;
  safe_levels[port - FIRST_PORT] &= ~pin.mask;
  sei();
}

#if defined(__AVR_ATmega328P__)
void watch(uint8_t port, uint8_t pins) {
  (&PCMSK0)[port] |= pins;
  PCICR = _BV(PCIE0) | _BV(PCIE1) | _BV(PCIE2);
}

void unwatch(uint8_t port, uint8_t pins) { (&PCMSK0)[port] &= ~pins; }
#else
void watch(uint8_t port, uint8_t pins) {
  PCICR = _BV(PCIE0) | _BV(PCIE1) | _BV(PCIE2);
  switch (1 << port) {
    case FLAG_B: PCMSK0 |= pins; return;
    case FLAG_J: PCMSK1 |= pins << 1; return;  // bit 0 of PCMSK1 is PE0; PJ0 is bit 1
    case FLAG_K: PCMSK2 |= pins; return;
    default:  // INT0 to INT3 are the pins of port D, INT4 and INT5 those of E: each is bit n of EIMSK
      EICRA = _BV(ISC00) | _BV(ISC10) | _BV(ISC20) | _BV(ISC30);  // any edge
      EICRB = _BV(ISC40) | _BV(ISC50);
      EIFR = pins;
      EIMSK |= pins;
  }
}

void unwatch(uint8_t port, uint8_t pins) {
  switch (1 << port) {
    case FLAG_B: PCMSK0 &= ~pins; return;
    case FLAG_D: EIMSK &= ~(pins & 0x0F); return;
    case FLAG_E: EIMSK &= ~(pins & 0x30); return;
    case FLAG_J: PCMSK1 &= ~(pins << 1); return;
    case FLAG_K: PCMSK2 &= ~pins; return;
  }
}
#endif

void drive(Pin pin, bool level) {
  InterruptsOff off;
  if (is_set(PANICKED)) return;
  volatile uint8_t* out = portOutputRegister(pin.port);
  *out = level ? *out | pin.mask : *out & ~pin.mask;
}

volatile uint8_t* input_register(uint8_t port) { return portInputRegister(watched_port(port)); }

uint8_t read_port(uint8_t port) { return *input_register(port); }

void read_ports(uint8_t (&levels)[limits::INPUT_PORTS]) {
#define READ(index, pins) levels[index] = pins;
  FOR_EACH_INPUT_PORT(READ)
}

}  // namespace hal
