// SPDX-License-Identifier: BSD-3-Clause
//
// AVR: timer 1 counts half microseconds for ever; its compare channel A calls chip::service when something is due.

#ifdef __AVR__

#include "hot.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "agenda.h"
#include "chip.h"
#include "hal.h"
#include "hal_avr.h"
#include "ticks.h"

static_assert(F_CPU == 16000000UL, "the ticks are counted from 16 MHz");

namespace hal {

namespace {

constexpr uint8_t LEAD = 110;       // it is woken so much earlier, to be there in time
constexpr uint8_t SOONEST = 12;     // a compare value nearer than this could be missed
constexpr uint8_t REST = 80;        // what the loop gets when there is too much to do
constexpr uint16_t IN_ONE_LAP = 0xFF00;

volatile uint16_t laps;  // of the timer
volatile bool busy;      // service runs, or is put off
volatile bool wanted;    // it was called meanwhile
volatile bool resting;

void wake_in(uint16_t ticks) {
  OCR1A = TCNT1 + ticks;
  TIMSK1 |= _BV(OCIE1A);
}

}  // namespace

void begin_clock() {
  TCCR1A = 0;
  TCCR1B = _BV(CS11);
  TIMSK1 = _BV(TOIE1);
}

uint32_t extend(uint16_t count) {
  uint16_t lap = laps;
  if ((TIFR1 & _BV(TOV1)) && count < 0x8000) lap++;
  return static_cast<uint32_t>(lap) << 16 | count;
}

uint32_t now() {
  uint8_t sreg = SREG;
  cli();
  uint32_t result = extend(TCNT1);
  SREG = sreg;
  return result;
}

void wake_at(uint32_t due) {
  uint8_t sreg = SREG;
  cli();
  int32_t ahead = due - LEAD - now();
  if (ahead < SOONEST) {
    wake_in(SOONEST);
  } else if (ahead < IN_ONE_LAP) {
    wake_in(ahead);
  } else {
    TIMSK1 &= ~_BV(OCIE1A);  // the end of the lap calls service, which asks again
  }
  SREG = sreg;
}

void wake_never() { TIMSK1 &= ~_BV(OCIE1A); }

bool is_near(uint32_t due) { return ticks::before(due, now() + LEAD + 2 * SOONEST); }

bool wait_for(uint32_t due) {
  for (;;) {
    bool has_come = !ticks::before(now(), due);  // first: what changes after this look changed too late
    const Capture* capture = oldest_capture();
    if (capture && !ticks::before(due, capture->stamp)) return false;
    if (has_come) return true;
  }
}

void kick() {
  if (busy || resting) {
    wanted = true;
    return;
  }
  busy = true;
  do {
    wanted = false;
    sei();
    bool done = chip::service();
    cli();
    if (!done) {
      resting = true;
      wake_in(REST);
    }
  } while (wanted && !resting);
  busy = false;
}

Lock::Lock() { busy = true; }

Lock::~Lock() {
  cli();
  busy = false;
  if (wanted || agenda::changed) kick();
  sei();
}

}  // namespace hal

ISR(TIMER1_OVF_vect) {
  hal::laps++;
  hal::kick();
}

ISR(TIMER1_COMPA_vect) {
  hal::resting = false;
  hal::kick();
}

#endif
