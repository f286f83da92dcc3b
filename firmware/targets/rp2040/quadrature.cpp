// SPDX-License-Identifier: BSD-3-Clause
//
// Encoders, counted by PIO 0 without the processor (chapter 3): a state machine each, in at most 11 cycles (55 ns) for
// each step. Its two pins lie side by side, because a state machine reads neighbors.

#include "rp2040.h"

namespace hal {

using registers::at;

namespace {

constexpr uint8_t NO_MACHINE = registers::PIO_MACHINES;

// Instructions: 3.4.
enum Place : uint8_t { PINS, X, Y, PC = 5, ISR };
constexpr uint8_t INVERTED = 1 << 3;
constexpr uint16_t jump(uint8_t to) { return to; }
constexpr uint16_t decrease_x(uint8_t to) { return 2 << 5 | to; }  // it jumps if X was not 0
constexpr uint16_t shift_in(Place from, uint8_t bits) { return 2 << 13 | from << 5 | bits; }
constexpr uint16_t push() { return 4 << 13; }  // ISR, which is then 0; nothing if the FIFO is full
constexpr uint16_t move(Place to, uint8_t from) { return 5 << 13 | to << 5 | from; }
constexpr uint16_t set(Place to, uint8_t value) { return 7 << 13 | to << 5 | value; }

// X is the count, and Y has the last levels of the pins in its lowest two bits. The loop makes an address of four bits
// from these and the levels now, and jumps there. Both pins together do not change: that is no step.
constexpr uint8_t UP = 16, DOWN = 20, LOOP = 21;
constexpr uint16_t PROGRAM[] = {jump(LOOP), jump(UP), jump(DOWN),
                                jump(LOOP),  // from 00 to 00, 01, 10, 11: the first pin is the low bit
                                jump(DOWN), jump(LOOP), jump(LOOP), jump(UP),  // from 01
                                jump(UP), jump(LOOP), jump(LOOP), jump(DOWN),  // from 10
                                jump(LOOP), jump(DOWN), jump(UP), jump(LOOP),  // from 11
                                // up: X + 1 is the complement of its complement less 1
                                move(X, X | INVERTED), decrease_x(UP + 2), move(X, X | INVERTED), jump(LOOP),
                                // down
                                decrease_x(LOOP),
                                // loop
                                move(ISR, X), push(), shift_in(Y, 2), shift_in(PINS, 2), move(Y, ISR), move(PC, ISR)};
constexpr uint8_t LENGTH = sizeof(PROGRAM) / sizeof(PROGRAM[0]);
static_assert(LENGTH <= 32, "the memory of a PIO has 32 places");

struct Encoder {
  bool used;
  bool is_reversed;  // its first pin is the higher one
};
Encoder encoders[registers::PIO_MACHINES];

uint8_t find_free() {
  uint8_t machine = 0;
  while (machine < NO_MACHINE && encoders[machine].used) machine++;
  return machine;
}

void execute(uint8_t machine, uint16_t instruction) {
  registers::pio_machine(machine, registers::PIO_EXECUTE) = instruction;
}

}  // namespace

void begin_encoders() {
  for (uint8_t place = 0; place < LENGTH; place++) at(registers::PIO_INSTRUCTIONS + 4 * place) = PROGRAM[place];
}

uint8_t begin_encoder(uint8_t pin_a, uint8_t pin_b) {
  const Pin a = output_pin(pin_a), b = output_pin(pin_b);
  const uint8_t machine = find_free();
  const bool are_neighbors = pin_b == pin_a + 1 || pin_a == pin_b + 1;
  if (!a.mask || !b.mask || !are_neighbors || machine == NO_MACHINE) return limits::NONE;
  make_input(a);
  make_input(b);
  const bool is_reversed = pin_b < pin_a;
  encoders[machine] = {true, is_reversed};
  registers::pio_machine(machine, registers::PIO_EXECUTION) =
      (LENGTH - 1) << registers::PIO_WRAP_SHIFT | LOOP << registers::PIO_WRAP_TARGET_SHIFT;
  registers::pio_machine(machine, registers::PIO_SHIFTS) = 0;  // to the left
  registers::pio_machine(machine, registers::PIO_PINS) = (is_reversed ? pin_b : pin_a)
                                                         << registers::PIO_FIRST_INPUT_SHIFT;
  at(registers::PIO_CONTROL + registers::SET) = 1 << machine << registers::PIO_RESTART_SHIFT;
  execute(machine, set(X, 0));
  execute(machine, move(Y, PINS));
  execute(machine, jump(LOOP));
  at(registers::PIO_CONTROL + registers::SET) = 1 << machine;
  return machine;
}

void end_encoder(uint8_t machine) {
  at(registers::PIO_CONTROL + registers::CLEAR) = 1 << machine;
  encoders[machine].used = false;
}

// The FIFO has old counts: behind as many as it holds comes one of now.
int32_t steps(uint8_t machine) {
  const uint32_t has_none = 1 << machine << registers::PIO_HAS_RECEIVED_NONE_SHIFT;
  uint32_t count = 0;
  for (uint8_t left = registers::PIO_FIFO + 1; left--;) {
    while (at(registers::PIO_STATUS) & has_none) {
    }
    count = registers::pio_received(machine);
  }
  return encoders[machine].is_reversed ? -count : count;
}

}  // namespace hal
