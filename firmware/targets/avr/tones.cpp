// SPDX-License-Identifier: BSD-3-Clause
//
// square waves on any pin, toggled by the other compare channels of timer 1. A half period is kept in 256ths
// of a tick, so the frequency is exact on average.

#include <Arduino.h>

#include "avr.h"
#include "hal.h"
#include "limits.h"

namespace hal {

namespace {

constexpr uint32_t HALF_SECOND = F_CPU / 8 / 2;  // in ticks
constexpr uint16_t LONGEST_STEP = 32000;         // ticks; a longer half period takes several
constexpr uint8_t SOONEST = 8;                   // a compare value nearer than this could be missed

struct Voice {
  volatile uint8_t* toggle;  // writing a bit here toggles the pin
  uint8_t mask;
  uint8_t steps, left;  // of a half period; a voice that nothing has taken has none
  uint16_t step;
  uint8_t part, rest;  // 256ths of a tick
};

#ifdef OCR1C
Voice voices[2];
#else
Voice voices[1];
#endif
constexpr uint8_t VOICES = sizeof(voices) / sizeof(*voices);

void stop(uint8_t number) {
  InterruptsOff off;
#ifdef OCR1C
  TIMSK1 &= number ? ~_BV(OCIE1C) : ~_BV(OCIE1B);
#else
  (void)number;
  TIMSK1 &= ~_BV(OCIE1B);
#endif
}

}  // namespace

uint8_t alloc_voice() {
  for (uint8_t voice = 0; voice < VOICES; voice++) {
    if (voices[voice].steps) continue;
    voices[voice].steps = 1;
    return voice;
  }
  return limits::NO_VOICE;
}

void free_voice(uint8_t voice) { voices[voice].steps = 0; }

void prepare(uint8_t number, Pin pin, uint16_t hz) {
  uint32_t half = (HALF_SECOND << 8) / hz;
  uint8_t steps = 1;
  if (half >> 8 > LONGEST_STEP) {  // or not, for to divide takes time
    steps = (half >> 8) / LONGEST_STEP + 1;
    half /= steps;
  }
  volatile uint8_t* toggle = portInputRegister(pin.port);
  InterruptsOff off;  // it may sound already
  Voice& voice = voices[number];
  voice.toggle = toggle;
  voice.mask = pin.mask;
  voice.steps = voice.left = steps;
  voice.step = half >> 8;
  voice.part = half;
  voice.rest = 0;
}

void start(uint8_t number) {
  InterruptsOff off;
  if (is(PANICKED)) return;
  Voice& voice = voices[number];
  *voice.toggle = voice.mask;
  uint16_t due = TCNT1 + voice.step;
#ifdef OCR1C
  if (number) {
    OCR1C = due;
    TIFR1 = _BV(OCF1C);  // of a match of long ago
    TIMSK1 |= _BV(OCIE1C);
    return;
  }
#endif
  OCR1B = due;
  TIFR1 = _BV(OCF1B);
  TIMSK1 |= _BV(OCIE1B);
}

void silence(uint8_t number, bool rest) {
  InterruptsOff off;
  stop(number);
  const Voice& voice = voices[number];
  volatile uint8_t* out = voice.toggle + 2;  // the port lies two registers behind that
  if (rest) {
    *out |= voice.mask;
  } else {
    *out &= ~voice.mask;
  }
}

}  // namespace hal

// A step is over: toggle the pin if it was the last of a half period; return when the next step is over, or a little
// ahead when that has passed.
static inline uint16_t step(hal::Voice& voice, uint16_t due) {
  if (--voice.left == 0) {
    *voice.toggle = voice.mask;
    voice.left = voice.steps;
  }
  uint8_t before = voice.rest;
  voice.rest += voice.part;
  due += voice.step + (voice.rest < before);
  uint16_t soonest = TCNT1 + hal::SOONEST;
  return static_cast<int16_t>(due - soonest) < 0 ? soonest : due;
}

ISR(TIMER1_COMPB_vect) { OCR1B = step(hal::voices[0], OCR1B); }
#ifdef OCR1C
ISR(TIMER1_COMPC_vect) { OCR1C = step(hal::voices[1], OCR1C); }
#endif
