// SPDX-License-Identifier: BSD-3-Clause
//
// Pins as outputs and inputs, the interrupts of inputs, and the panic input. A port is eight pins, as many as share a
// register of interrupts (2.19.3); one read gives the levels of all pins (2.3.1.2).

#include "rp2040.h"
#include "snapshots.h"

namespace hal {

using registers::at;

namespace {

// Pins 0 and 1 are the serial port. Pins 23 to 25 and 29 of a Pico are the power supply's and the LED's.
constexpr uint32_t USABLE = 0x1C7FFFFC;

constexpr uint32_t BOTH_EDGES = 0xC;

uint32_t outputs, safe_levels;  // a bit for each pin

uint8_t flagged[limits::PIN_PORTS];  // the pins whose flag was set at the last record

uint32_t panic_mask, panic_idle;  // the panic input, or 0; its inactive level
volatile bool panicked;
uint32_t panic_stamp;

uint32_t mask_of(Pin pin) { return static_cast<uint32_t>(pin.mask) << 8 * pin.port; }

uint8_t number_of(Pin pin) { return 8 * pin.port + __builtin_ctz(pin.mask); }

// Return the bits of the edges of some pins of a port in a register of interrupts.
uint32_t edges_of(uint8_t pins) {
  uint32_t edges = 0;
  for (uint8_t bit = 0; bit < 8; bit++) {
    if (pins >> bit & 1) edges |= BOTH_EDGES << 4 * bit;
  }
  return edges;
}

// Return the pins of a port whose edges these are.
uint8_t pins_of(uint32_t edges) {
  uint8_t pins = 0;
  for (uint8_t bit = 0; bit < 8; bit++) {
    if (edges & BOTH_EDGES << 4 * bit) pins |= 1 << bit;
  }
  return pins;
}

// Read and clear the flags of all pins; return a bit for each port that had one. It comes before the pins are read: a
// change after it sets a flag again.
uint8_t take_flags() {
  uint8_t flags = 0;
  for (uint8_t port = 0; port < limits::PIN_PORTS; port++) {
    uint32_t changed = at(registers::PIN_INTERRUPTS + 4 * port);
    if (!changed) continue;
    registers::pin_changes(port) = changed;
    flagged[port] = pins_of(changed);
    flags |= 1 << port;
  }
  return flags;
}

void check_panic_input(uint16_t stamp) {
  if (panic_mask && (at(registers::GPIO_IN) ^ panic_idle) & panic_mask) panic(stamp);
}

// Return whether a pin has changed.
bool record_changes() {
  uint16_t stamp = now();
  uint8_t flags = take_flags();
  if (!flags) return false;
  check_panic_input(stamp);
  snapshots::record(stamp, flags);
  return true;
}

}  // namespace

void begin_pins() { enable(registers::PINS); }

Pin output_pin(uint8_t number) {
  if (number > 31 || !(USABLE >> number & 1)) return Pin{0, 0};
  return Pin{static_cast<uint8_t>(number / 8), static_cast<uint8_t>(1 << number % 8)};
}

Pin input_pin(uint8_t number) { return output_pin(number); }

void make_output(Pin pin, bool level) {
  uint32_t mask = mask_of(pin);
  InterruptsOff off;
  outputs |= mask;
  safe_levels = level ? safe_levels | mask : safe_levels & ~mask;
  at(level ? registers::GPIO_OUT_SET : registers::GPIO_OUT_CLEAR) = mask;
  at(registers::GPIO_OUTPUT_SET) = mask;
  registers::pad(number_of(pin)) = registers::PAD_INPUT | registers::PAD_SCHMITT | registers::PAD_4_MA;
  registers::pin_function(number_of(pin)) = registers::USED_BY_SIO;
}

void make_input(Pin pin) {
  uint32_t mask = mask_of(pin);
  InterruptsOff off;
  at(registers::GPIO_OUTPUT_CLEAR) = mask;
  at(registers::GPIO_OUT_CLEAR) = mask;
  outputs &= ~mask;
  safe_levels &= ~mask;
  registers::pad(number_of(pin)) = registers::PAD_INPUT | registers::PAD_SCHMITT | registers::PAD_4_MA;
  registers::pin_function(number_of(pin)) = registers::USED_BY_SIO;
}

void drive(Pin pin, bool level) {
  InterruptsOff off;
  if (panicked) return;
  at(level ? registers::GPIO_OUT_SET : registers::GPIO_OUT_CLEAR) = mask_of(pin);
}

uint8_t read_port(uint8_t port) { return at(registers::GPIO_IN) >> 8 * port; }

void read_ports(uint8_t (&levels)[limits::INPUT_PORTS]) {
  uint32_t all = at(registers::GPIO_IN);
  for (uint8_t port = 0; port < limits::PIN_PORTS; port++) levels[port] = all >> 8 * port;
}

void read_flags(uint8_t* pins) { memcpy(pins, flagged, sizeof(flagged)); }

void watch(uint8_t port, uint8_t pins) {
  uint32_t edges = edges_of(pins);
  registers::pin_changes(port) = edges;
  at(registers::PIN_ENABLES + 4 * port + registers::SET) = edges;
}

void unwatch(uint8_t port, uint8_t pins) { at(registers::PIN_ENABLES + 4 * port + registers::CLEAR) = edges_of(pins); }

void poll() {
  if (record_changes()) request_scheduler();
}

void set_safe_levels() { at(registers::GPIO_OUT) = safe_levels; }

void watch_panic(Pin pin, bool level) {
  InterruptsOff off;
  panic_mask = mask_of(pin);
  panic_idle = level ? 0 : panic_mask;
  check_panic_input(now());
}

void panic(uint16_t stamp) {
  stop_tones();
  set_safe_levels();
  panicked = true;
  panic_mask = 0;
  panic_stamp = extend(stamp);
}

bool has_panicked() { return panicked; }

uint32_t panicked_at() { return panic_stamp; }

void forget_panic() {
  panic_mask = 0;
  panicked = false;
}

}  // namespace hal

extern "C" void on_pins() {
  if (hal::record_changes()) hal::request_scheduler();
}
