// SPDX-License-Identifier: BSD-3-Clause
//
// This file configures pins as outputs or inputs, and enables the interrupts of inputs. The functions that end with
// sei() must be called with interrupts enabled. ATmega328P datasheet, chapters 13 (External Interrupts) and
// 14 (I/O-Ports); ATmega2560, chapters 15 and 13.

#include <Arduino.h>

#include "hal.h"
#include "ports.h"

namespace hal {

namespace {

constexpr uint8_t FIRST_PIN = 2;  // pins 0 and 1 are the serial port

// The ports that have pins with an interrupt, in the order of hal::PortLevels; and the bits of those pins.
#if defined(__AVR_ATmega328P__)
constexpr uint8_t LAST_PIN = 19;
const uint8_t WATCHED_PORTS[] PROGMEM = {D, B, C}, WATCHED_PINS[] PROGMEM = {0xFC, 0x3F, 0x3F};
#else
constexpr uint8_t LAST_PIN = 69;
const uint8_t WATCHED_PORTS[] PROGMEM = {B, D, E, J, K}, WATCHED_PINS[] PROGMEM = {0xFF, 0x0F, 0x30, 0x03, 0xFF};
#endif

static_assert(sizeof(WATCHED_PORTS) == limits::INPUT_PORTS, "every watched port has a place in a snapshot");

// Return the Arduino core's number of an input port.
uint8_t watched_port(uint8_t index) { return pgm_read_byte(&WATCHED_PORTS[index]); }

// Enable the interrupt of a pin, for both edges. Call it only with interrupts disabled.
void watch(uint8_t index, uint8_t mask) {
#if defined(__AVR_ATmega328P__)
  *(index ? &PCMSK0 + index - 1 : &PCMSK2) |= mask;
  PCICR = _BV(PCIE0) | _BV(PCIE1) | _BV(PCIE2);
#else
  switch (watched_port(index)) {
    case B:
      PCMSK0 |= mask;
      PCICR |= _BV(PCIE0);
      break;
    case J:  // bit 0 of PCMSK1 is PE0; PJ0 is bit 1
      PCMSK1 |= mask << 1;
      PCICR |= _BV(PCIE1);
      break;
    case K:
      PCMSK2 |= mask;
      PCICR |= _BV(PCIE2);
      break;
    case D:  // INT0 to INT3; two bits of EICRA for each: 01 is any edge
      EICRA |= (mask & 1) | (mask & 2) << 1 | (mask & 4) << 2 | (mask & 8) << 3;
      EIMSK |= mask;
      break;
    case E:  // INT4 and INT5, in EICRB
      EICRB |= (mask & 0x10) >> 4 | (mask & 0x20) >> 3;
      EIMSK |= mask;
      break;
  }
#endif
}

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
  watch(pin.port, pin.mask);
  sei();
}

void forget_pins() {
  PCICR = PCMSK0 = PCMSK1 = PCMSK2 = 0;
  EIMSK = 0;
  forget_panic();
}

void drive(Pin pin, bool level) {
  uint8_t sreg = SREG;
  cli();
  write_pin(pin, level);
  SREG = sreg;
}

volatile uint8_t* input_register(uint8_t port) { return portInputRegister(watched_port(port)); }

uint8_t read_port(uint8_t port) { return *input_register(port); }

}  // namespace hal
