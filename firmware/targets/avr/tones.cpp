// SPDX-License-Identifier: BSD-3-Clause
//
// Square waves on any pin, by the compare matches B (and on a Mega C) of timer 1. On the pin of its
// compare unit (OC1B: 10 on an Uno, 12 on a Mega; OC1C: 13 on a Mega) the timer itself toggles the level at the match,
// so the wave has no jitter. On any other pin the interrupt toggles it. A half period is stored in 256ths of a tick:
// the average frequency is exact to 80 ppm at 20 kHz. ATmega328P datasheet, chapters 16 (16-bit Timer/Counter1) and 14
// (I/O-Ports); ATmega2560, chapters 17 and 13.

#include <Arduino.h>

#include "ports.h"

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
  bool is_output;             // it is the pin of the compare unit
  uint8_t steps, steps_left;  // of a half period; `steps` is 0 while the voice is free
  uint16_t step_ticks;
  uint16_t due;          // the end of this step; the compare match may be later
  uint8_t fraction;      // 256ths of a tick of a step
  uint8_t fraction_sum;  // the 256ths of all steps so far; a carry adds a tick

  // Return whether the timer toggles the pin. It does so at every match.
  bool is_by_timer() const { return is_output && steps == 1; }
};

Voice voices[limits::VOICES];

// Voice 0 uses compare channel B, voice 1 channel C: their registers and bits follow those of B.
volatile uint16_t& compare_value(uint8_t number) { return (&OCR1B)[number]; }
uint8_t interrupt_bit(uint8_t number) { return _BV(OCIE1B) << number; }
static_assert(OCF1B == OCIE1B, "the flag and the enable bit of a compare channel are at the same place");

// What the timer does to the pin at a match: nothing, toggle it or clear it (Compare Output Mode, non-PWM). The bits of
// channel C are below those of B.
enum OutputMode : uint8_t { DISCONNECTED = 0, TOGGLE = _BV(COM1B0), CLEAR = _BV(COM1B1) };
void connect(uint8_t number, OutputMode mode) {
  constexpr uint8_t BITS = _BV(COM1B1) | _BV(COM1B0);
  uint8_t shift = 2 * number;
  TCCR1A = (TCCR1A & ~(BITS >> shift)) | mode >> shift;
}

// Return whether a pin is the output of a voice's compare unit: PB2 on an ATmega328P, PB6 and PB7 on an ATmega2560.
bool is_output_of(uint8_t number, Pin pin) {
#if defined(__AVR_ATmega328P__)
  constexpr uint8_t OC1B_BIT = PB2;
#else
  constexpr uint8_t OC1B_BIT = PB6;
#endif
  return pin.port == B && pin.mask == 1 << (OC1B_BIT + number);
}

}  // namespace

uint8_t alloc_voice(Pin pin) {
  uint8_t best = limits::NONE;
  for (uint8_t number = 0; number < limits::VOICES; number++) {
    if (!voices[number].steps && (best == limits::NONE || is_output_of(number, pin))) best = number;
  }
  if (best == limits::NONE) return best;
  Voice& voice = voices[best];
  voice.steps = 1;
  voice.toggle = portInputRegister(pin.port);
  voice.mask = pin.mask;
  voice.is_output = is_output_of(best, pin);
  return best;
}

void free_voice(uint8_t voice) { voices[voice].steps = 0; }

void prepare_tone(uint8_t number, uint16_t hz) {
  uint32_t half = (HALF_SECOND << 8) / hz;
  uint8_t steps = 1;
  if (half >> 8 > LONGEST_STEP) {  // most tones need no second division, which is slow
    steps = (half >> 8) / LONGEST_STEP + 1;
    half /= steps;
  }
  InterruptsOff off;  // the interrupt may be using the voice: a ramp prepares its next tone while one sounds
  Voice& voice = voices[number];
  voice.steps = voice.steps_left = steps;
  voice.step_ticks = half >> 8;
  voice.fraction = half;
  voice.fraction_sum = 0;
}

void start_tone(uint8_t number) {
  InterruptsOff off;
  if (is_set(PANICKED)) return;
  Voice& voice = voices[number];
  if (voice.is_by_timer()) {
    connect(number, CLEAR);
    TCCR1C = _BV(FOC1B) >> number;  // a forced match puts the output of the unit on a known level
    connect(number, TOGGLE);
    TCCR1C = _BV(FOC1B) >> number;
  } else {
    connect(number, DISCONNECTED);
    *voice.toggle = voice.mask;
  }
  voice.due = TCNT1 + voice.step_ticks;
  compare_value(number) = voice.due;
  TIFR1 = interrupt_bit(number);  // clear the flag of an earlier match, which would request an interrupt at once
  TIMSK1 |= interrupt_bit(number);
}

void stop_tones() {
  for (uint8_t number = 0; number < limits::VOICES; number++) {
    TIMSK1 &= ~interrupt_bit(number);
    connect(number, DISCONNECTED);
  }
}

void stop_tone(uint8_t number, bool rest) {
  InterruptsOff off;
  TIMSK1 &= ~interrupt_bit(number);
  connect(number, DISCONNECTED);
  const Voice& voice = voices[number];
  volatile uint8_t* out = voice.toggle + 2;  // PINx, DDRx and PORTx of a port have consecutive addresses
  *out = rest ? *out | voice.mask : *out & ~voice.mask;
}

}  // namespace hal

// End a step. At the end of a half period the pin toggles: the timer has done so, or this does. Return the compare
// value of the next one: its end, or the nearest possible value if that is too near or has passed. Then the steps after
// it are shorter, so that the frequency is right.
static inline uint16_t end_step(hal::Voice& voice) {
  if (--voice.steps_left == 0) {
    if (!voice.is_by_timer()) *voice.toggle = voice.mask;
    voice.steps_left = voice.steps;
  }
  uint8_t before = voice.fraction_sum;
  voice.fraction_sum += voice.fraction;
  uint16_t due = voice.due += voice.step_ticks + (voice.fraction_sum < before);
  uint16_t soonest = TCNT1 + hal::MIN_COMPARE_DISTANCE;
  return static_cast<int16_t>(due - soonest) < 0 ? soonest : due;
}

ISR(TIMER1_COMPB_vect) { OCR1B = end_step(hal::voices[0]); }
#ifdef OCR1C
ISR(TIMER1_COMPC_vect) { OCR1C = end_step(hal::voices[1]); }
#endif
