// SPDX-License-Identifier: BSD-3-Clause
//
// This file makes square waves on any pin. The compare match B (and on a Mega C) interrupts of timer 1 toggle the pins.
// A half period is stored in 256ths of a tick: the average frequency is exact to 80 ppm at 20 kHz. ATmega328P
// datasheet, chapters 16 (16-bit Timer/Counter1) and 14 (I/O-Ports); ATmega2560, chapters 17 and 13.

#include <Arduino.h>

#include "avr.h"
#include "hal.h"
#include "limits.h"

namespace hal {

namespace {

constexpr uint32_t HALF_SECOND = F_CPU / 8 / 2;  // ticks

// Two compare matches are at most this many ticks (16 ms) apart: times are compared as signed 16-bit differences, so it
// is below 2^15. A longer half period (below 31.25 Hz) is divided into equal steps.
constexpr uint16_t LONGEST_STEP = 32000;

// A new compare value is at least this many ticks ahead of the counter (4 us). The counter must not reach the value
// before it is written: the match would be missed, and come one timer wrap (32.8 ms) later.
constexpr uint8_t MIN_COMPARE_DISTANCE = 8;

struct Voice {
  volatile uint8_t* toggle;  // the PIN register: writing 1 to a bit toggles that output (I/O-Ports, Toggling the Pin)
  uint8_t mask;
  uint8_t steps, steps_left;  // of a half period; `steps` is 0 while the voice is free
  uint16_t step_ticks;
  uint8_t fraction;      // 256ths of a tick of a step
  uint8_t fraction_sum;  // the 256ths of all steps so far; a carry adds a tick
};

Voice voices[limits::VOICES];

// Voice 0 uses compare channel B, voice 1 channel C: their registers and bits follow those of B.
volatile uint16_t& compare_value(uint8_t number) { return (&OCR1B)[number]; }
uint8_t interrupt_bit(uint8_t number) { return _BV(OCIE1B) << number; }
static_assert(OCF1B == OCIE1B, "the flag and the enable bit of a compare channel are at the same place");

}  // namespace

uint8_t alloc_voice() {
  for (uint8_t voice = 0; voice < limits::VOICES; voice++) {
    if (voices[voice].steps) continue;
    voices[voice].steps = 1;
    return voice;
  }
  return limits::NO_VOICE;
}

void free_voice(uint8_t voice) { voices[voice].steps = 0; }

void prepare_tone(uint8_t number, Pin pin, uint16_t hz) {
  uint32_t half = (HALF_SECOND << 8) / hz;
  uint8_t steps = 1;
  if (half >> 8 > LONGEST_STEP) {  // most tones need no second division, which is slow
    steps = (half >> 8) / LONGEST_STEP + 1;
    half /= steps;
  }
  volatile uint8_t* toggle = portInputRegister(pin.port);
  InterruptsOff off;  // the interrupt may be using the voice: a ramp prepares its next tone while one sounds
  Voice& voice = voices[number];
  voice.toggle = toggle;
  voice.mask = pin.mask;
  voice.steps = voice.steps_left = steps;
  voice.step_ticks = half >> 8;
  voice.fraction = half;
  voice.fraction_sum = 0;
}

void start_tone(uint8_t number) {
  InterruptsOff off;
  if (is_set(PANICKED)) return;
  Voice& voice = voices[number];
  *voice.toggle = voice.mask;
  uint16_t due = TCNT1 + voice.step_ticks;
  compare_value(number) = due;
  TIFR1 = interrupt_bit(number);  // clear the flag of an earlier match, which would request an interrupt at once
  TIMSK1 |= interrupt_bit(number);
}

void stop_tones() {
  for (uint8_t number = 0; number < limits::VOICES; number++) TIMSK1 &= ~interrupt_bit(number);
}

void stop_tone(uint8_t number, bool rest) {
  InterruptsOff off;
  TIMSK1 &= ~interrupt_bit(number);
  const Voice& voice = voices[number];
  volatile uint8_t* out = voice.toggle + 2;  // PINx, DDRx and PORTx of a port have consecutive addresses
  if (rest) {
    *out |= voice.mask;
  } else {
    *out &= ~voice.mask;
  }
}

}  // namespace hal

// End a step: toggle the pin if it was the last step of a half period. `due` was the end of this step; return the end
// of the next one. If that is too near or has passed, return the nearest possible compare value.
static inline uint16_t end_step(hal::Voice& voice, uint16_t due) {
  if (--voice.steps_left == 0) {
    *voice.toggle = voice.mask;
    voice.steps_left = voice.steps;
  }
  uint8_t before = voice.fraction_sum;
  voice.fraction_sum += voice.fraction;
  due += voice.step_ticks + (voice.fraction_sum < before);
  uint16_t soonest = TCNT1 + hal::MIN_COMPARE_DISTANCE;
  return static_cast<int16_t>(due - soonest) < 0 ? soonest : due;
}

ISR(TIMER1_COMPB_vect) { OCR1B = end_step(hal::voices[0], OCR1B); }
#ifdef OCR1C
ISR(TIMER1_COMPC_vect) { OCR1C = end_step(hal::voices[1], OCR1C); }
#endif
