// SPDX-License-Identifier: BSD-3-Clause
//
// AVR: square waves on any pin, toggled by the other compare channels of timer 1. A half period is kept in 256ths
// of a tick, so the frequency is exact on average.

#ifdef __AVR__

#include "lean.h"

#include <Arduino.h>

#include "hal.h"
#include "hal_avr.h"
#include "limits.h"

namespace hal {

namespace {

constexpr uint32_t HALF_SECOND = F_CPU / 8 / 2;  // in ticks
constexpr uint16_t LONGEST_STEP = 32000;         // ticks; a longer half period takes several
constexpr uint8_t SOONEST = 8;                   // a compare value nearer than this could be missed

struct Voice {
  volatile uint8_t* toggle;  // writing a bit here toggles the pin
  uint8_t mask;
  uint8_t steps, left;  // of a half period; a voice that nobody has taken has none
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
  Pause pause;
#ifdef OCR1C
  TIMSK1 &= number ? ~_BV(OCIE1C) : ~_BV(OCIE1B);
#else
  (void)number;
  TIMSK1 &= ~_BV(OCIE1B);
#endif
}

}  // namespace

uint8_t take_voice() {
  for (uint8_t voice = 0; voice < VOICES; voice++) {
    if (voices[voice].steps) continue;
    voices[voice].steps = 1;
    return voice;
  }
  return limits::NO_VOICE;
}

void give_voice(uint8_t voice) { voices[voice].steps = 0; }

void prepare(uint8_t number, Pin pin, uint16_t hz) {
  uint32_t half = (HALF_SECOND << 8) / hz;
  uint8_t steps = 1;
  if (half >> 8 > LONGEST_STEP) {  // or not, for to divide takes time
    steps = (half >> 8) / LONGEST_STEP + 1;
    half /= steps;
  }
  volatile uint8_t* toggle = portInputRegister(pin.port);
  Pause pause;  // it may sound already
  Voice& voice = voices[number];
  voice.toggle = toggle;
  voice.mask = pin.mask;
  voice.steps = voice.left = steps;
  voice.step = half >> 8;
  voice.part = half;
  voice.rest = 0;
}

void start(uint8_t number) {
  Pause pause;
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
  Pause pause;
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

// When a half period is over, toggle the pin. Then aim at the end of the next step, or a little ahead when that is
// over. In assembler, for it is called twice a period, and a compiler saves more registers than it needs.
#define TOGGLES(vector, voice, compare)                                                                       \
  ISR(vector, ISR_NAKED) {                                                                                    \
    asm volatile(                                                                                             \
        "push r24 \n\t"                                                                                       \
        "in r24, __SREG__ \n\t"                                                                               \
        "push r24 \n\t"                                                                                       \
        "push r25 \n\t"                                                                                       \
        "push r30 \n\t"                                                                                       \
        "push r31 \n\t"                                                                                       \
        "lds r24, %[left] \n\t"                                                                               \
        "dec r24 \n\t"                                                                                        \
        "brne 1f \n\t"                                                                                        \
        "lds r30, %[toggle] \n\t"                                                                             \
        "lds r31, %[toggle] + 1 \n\t"                                                                         \
        "lds r24, %[mask] \n\t"                                                                               \
        "st Z, r24 \n\t"                                                                                      \
        "lds r24, %[steps] \n"                                                                                \
        "1: sts %[left], r24 \n\t"                                                                            \
        "lds r24, %[rest] \n\t"                                                                               \
        "lds r25, %[part] \n\t"                                                                               \
        "add r24, r25 \n\t"                                                                                   \
        "sts %[rest], r24 \n\t"                                                                               \
        "lds r24, %[due] \n\t"                                                                                \
        "lds r25, %[due] + 1 \n\t"                                                                            \
        "lds r30, %[step] \n\t"                                                                               \
        "lds r31, %[step] + 1 \n\t"                                                                           \
        "adc r24, r30 \n\t"                                                                                   \
        "adc r25, r31 \n\t"                                                                                   \
        "lds r30, %[now] \n\t"                                                                                \
        "lds r31, %[now] + 1 \n\t"                                                                            \
        "adiw r30, %[soonest] \n\t"                                                                           \
        "cp r24, r30 \n\t"                                                                                    \
        "cpc r25, r31 \n\t"                                                                                   \
        "brpl 2f \n\t"                                                                                        \
        "movw r24, r30 \n"                                                                                    \
        "2: sts %[due] + 1, r25 \n\t"                                                                         \
        "sts %[due], r24 \n\t"                                                                                \
        "pop r31 \n\t"                                                                                        \
        "pop r30 \n\t"                                                                                        \
        "pop r25 \n\t"                                                                                        \
        "pop r24 \n\t"                                                                                        \
        "out __SREG__, r24 \n\t"                                                                              \
        "pop r24 \n\t"                                                                                        \
        "reti" ::[toggle] "i"(&voice.toggle),                                                                  \
        [mask] "i"(&voice.mask), [steps] "i"(&voice.steps), [left] "i"(&voice.left), [step] "i"(&voice.step),  \
        [part] "i"(&voice.part), [rest] "i"(&voice.rest), [due] "n"(_SFR_MEM_ADDR(compare)),                   \
        [now] "n"(_SFR_MEM_ADDR(TCNT1)), [soonest] "I"(hal::SOONEST));                                         \
  }

TOGGLES(TIMER1_COMPB_vect, hal::voices[0], OCR1B)
#ifdef OCR1C
TOGGLES(TIMER1_COMPC_vect, hal::voices[1], OCR1C)
#endif

#endif
