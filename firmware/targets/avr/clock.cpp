// SPDX-License-Identifier: BSD-3-Clause
//
// timer 1 counts half microseconds for ever; its compare channel A fires what was aimed, and calls scheduler::run.

#include <avr/interrupt.h>
#include <avr/io.h>

#include "avr.h"
#include "hal.h"
#include "pin_events.h"
#include "scheduler.h"
#include "ticks.h"
#include "timer_queue.h"

static_assert(F_CPU == 16000000UL, "the ticks are counted from 16 MHz");

namespace hal {

namespace {

constexpr uint8_t SOONEST = 6;   // a compare value nearer than this could be missed
constexpr uint8_t EARLY = 100;   // it is called so much earlier: an edge that comes then may take as long
constexpr uint16_t REST = 300;   // what the loop gets when there is too much to do
constexpr uint8_t IN_A_ROW = 1;  // so often the scheduler goes on at once when it was called meanwhile
constexpr uint16_t IN_ONE_LAP = 0xFF00;

volatile uint16_t wraps;  // of the timer

// Two halves of a time; the compiler would shift and combine all four bytes.
inline uint32_t both(uint16_t low, uint16_t high) {
  union {
    uint16_t halves[2];
    uint32_t whole;
  } time = {{low, high}};
  return time.whole;
}

void wake_in(uint16_t ticks) {
  OCR1A = TCNT1 + (ticks < SOONEST ? SOONEST : ticks);
  TIMSK1 |= _BV(OCIE1A);
}

// How long it is until something is to be fired, and the lead that takes; or at most so long.
uint16_t until_strike(uint16_t most) {
  uint16_t left = pin_events::ticks_left(most + EARLY);
  return left < EARLY ? 0 : left - EARLY;
}

}  // namespace

void begin_clock() {
  TCCR1A = 0;
  TCCR1B = _BV(CS11);
  TIMSK1 = _BV(TOIE1);
}

uint32_t now() {
  uint8_t sreg = SREG;
  cli();
  uint16_t count = TCNT1, lap = wraps;
  if ((TIFR1 & _BV(TOV1)) && count < 0x8000) lap++;
  SREG = sreg;
  return both(count, lap);
}

uint32_t extend(uint16_t count) {
  uint32_t time = now();
  return time - static_cast<uint16_t>(static_cast<uint16_t>(time) - count);
}

void schedule_wakeup(uint32_t due) {
  InterruptsOff off;
  int32_t ahead = due - now();
  uint16_t most = is(RESTING) ? REST : IN_ONE_LAP;  // a call from the loop must not prolong the rest
  uint16_t span = ahead < 0 ? 0 : ahead < most ? ahead : most;
  span = until_strike(span);
  if (span == IN_ONE_LAP) {
    TIMSK1 &= ~_BV(OCIE1A);  // the end of the lap calls the scheduler, which asks again
  } else {
    wake_in(span);
  }
}

void accept_requests() { lower(WANTED); }

uint16_t now_low() { return TCNT1; }

bool is_due_within_lead(uint16_t at) {
  uint16_t now = TCNT1, lead = at - now;
  if (static_cast<int16_t>(lead) <= target::LEAD) return true;
  lead = lead < EARLY ? 0 : lead - EARLY;
  bool comes = (TIMSK1 & _BV(OCIE1A)) && static_cast<uint16_t>(OCR1A - now) < lead;
  if (!comes) wake_in(lead);
  return false;
}

void wait_until(uint16_t at) {
  for (;;) {
    poll_pins();
    if (static_cast<int16_t>(at - TCNT1) <= 0) break;
    poll_receiver();
  }
}

void run_scheduler() {
  if (is(BUSY) || is(RESTING)) {
    raise(WANTED);
    return;
  }
  raise(BUSY);
  for (uint8_t turns = IN_A_ROW; !is(RESTING); turns--) {
    lower(WANTED);
    sei();
    bool done = scheduler::run();
    cli();
    if (done && !is(WANTED)) break;
    if (done && turns) continue;
    raise(RESTING);
    wake_in(until_strike(REST));
  }
  lower(BUSY);
}

void unlock_scheduler() {
  cli();
  lower(BUSY);
  if (is(WANTED) || timer_queue::changed) run_scheduler();
  sei();
}

}  // namespace hal

ISR(TIMER1_OVF_vect) {
  hal::wraps++;
  hal::raise(hal::WRAPPED);
  hal::run_scheduler();
}

// Until it is the turn of the next shot edges are seen here: if their own interrupts came first it would be late.
ISR(TIMER1_COMPA_vect) {
  using namespace hal;
  TIMSK1 &= ~_BV(OCIE1A);  // until a time is set again: is_due_within_lead takes an enabled one for one to come
  lower(RESTING);
  for (;;) {
    uint16_t left = pin_events::ticks_left(EARLY + 1);
    if (left <= target::LEAD || left > EARLY) break;
    poll_pins();
    if (has_unhandled()) dispatch_oldest();
    poll_receiver();
  }
  pin_events::run_due();
  poll_pins();
  while (has_unhandled()) dispatch_oldest();
  run_scheduler();
}
