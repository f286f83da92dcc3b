// SPDX-License-Identifier: BSD-3-Clause
//
// Analog inputs: the converter measures one pin at a time, in 96 cycles of 48 MHz, which are 2 us (4.9.2). The
// interrupt of the timer starts it, so that a value is that of its time however long the scheduler takes. Each source
// has its own period. The converter has 12 bits, of 0.8 mV at 3.3 V.

#include "rp2040.h"

namespace hal {

using registers::at;

namespace {

// Pin 29 of a Pico measures its supply.
constexpr uint8_t ANALOG_PINS = 3;

// The pin that is to be measured at a time, and that which is being measured; or NONE.
volatile uint8_t planned = limits::NONE, measured = limits::NONE;
uint32_t planned_at;

void wait() {
  while (!(at(registers::ADC_CONTROL) & registers::ADC_IS_READY)) {
  }
}

void start(uint8_t number) {
  const uint32_t input = (number - registers::FIRST_ANALOG_PIN) << registers::ADC_INPUT_SHIFT;
  at(registers::ADC_CONTROL) = input | registers::ADC_START | registers::ADC_ON;
  measured = number;
}

}  // namespace

void begin_analog() { at(registers::ADC_CONTROL) = registers::ADC_ON; }

bool make_analog(uint8_t number) {
  if (number < registers::FIRST_ANALOG_PIN || number >= registers::FIRST_ANALOG_PIN + ANALOG_PINS) return false;
  make_input(output_pin(number));
  InterruptsOff off;
  registers::pad(number) = registers::PAD_OUTPUT_OFF;  // neither a digital input nor a resistor: 4.9.1
  registers::pin_function(number) = registers::USED_BY_NOTHING;
  planned = measured = limits::NONE;  // what was measured for a source before is no value of this one
  return true;
}

void plan_measurement(uint8_t number, uint32_t due) {
  InterruptsOff off;
  planned = number;
  planned_at = due;
}

void start_planned_measurement() {
  if (planned == limits::NONE || static_cast<int32_t>(now() - planned_at) < 0) return;
  start(planned);
  planned = limits::NONE;
}

int16_t measure(uint8_t number) {
  {
    InterruptsOff off;
    planned = limits::NONE;
  }
  if (measured != number) {
    wait();
    start(number);
  }
  wait();
  measured = limits::NONE;
  return at(registers::ADC_RESULT);
}

}  // namespace hal
