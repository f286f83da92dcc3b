// SPDX-License-Identifier: BSD-3-Clause
//
// AVR: square waves on any pin, toggled by the other compare channels of timer 1. A half period is kept in 256ths
// of a tick, so the frequency is exact on average.

#ifdef __AVR__

#include "hot.h"

#include <Arduino.h>

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
  uint8_t steps, left;  // of a half period
  uint16_t step;
  uint8_t part, rest;  // 256ths of a tick
  bool taken;
};

#ifdef OCR1C
Voice voices[2];
#else
Voice voices[1];
#endif
constexpr uint8_t VOICES = sizeof(voices) / sizeof(*voices);

inline void toggle(Voice& voice, volatile uint16_t& compare) {
  uint16_t due = compare;
  if (static_cast<int16_t>(TCNT1 - due) < 0) return;  // a match of long ago
  if (--voice.left == 0) {
    *voice.toggle = voice.mask;
    voice.left = voice.steps;
  }
  uint8_t before = voice.rest;
  voice.rest += voice.part;
  due += voice.step + (voice.rest < before);
  uint16_t soonest = TCNT1 + SOONEST;
  if (static_cast<int16_t>(due - soonest) < 0) due = soonest;
  compare = due;
}

void start(Voice& voice, volatile uint16_t& compare, uint8_t enable) {
  cli();
  *voice.toggle = voice.mask;
  compare = TCNT1 + voice.step;
  TIMSK1 |= enable;
  sei();
}

}  // namespace

uint8_t take_voice() {
  for (uint8_t voice = 0; voice < VOICES; voice++) {
    if (voices[voice].taken) continue;
    voices[voice].taken = true;
    return voice;
  }
  return limits::NONE;
}

void give_voice(uint8_t voice) { voices[voice].taken = false; }

void sound(uint8_t number, Pin pin, uint16_t hz) {
  Voice& voice = voices[number];
  silence(number);
  voice.toggle = portInputRegister(pin.port);
  voice.mask = pin.mask;
  uint32_t half = (HALF_SECOND << 8) / hz;
  voice.steps = (half >> 8) / LONGEST_STEP + 1;
  half /= voice.steps;
  voice.left = voice.steps;
  voice.step = half >> 8;
  voice.part = half;
  voice.rest = 0;
#ifdef OCR1C
  if (number) {
    start(voice, OCR1C, _BV(OCIE1C));
    return;
  }
#endif
  start(voice, OCR1B, _BV(OCIE1B));
}

void silence(uint8_t voice) {
  uint8_t enable = _BV(OCIE1B);
#ifdef OCR1C
  if (voice) enable = _BV(OCIE1C);
#else
  (void)voice;
#endif
  cli();
  TIMSK1 &= ~enable;
  sei();
}

}  // namespace hal

ISR(TIMER1_COMPB_vect) { hal::toggle(hal::voices[0], OCR1B); }
#ifdef OCR1C
ISR(TIMER1_COMPC_vect) { hal::toggle(hal::voices[1], OCR1C); }
#endif

#endif
