// SPDX-License-Identifier: BSD-3-Clause
//
// Timer 1 is the clock: it counts ticks of 0.5 us and never stops. Its compare match A interrupt executes prepared pin
// events and runs the scheduler. ATmega328P datasheet, chapter 16 (16-bit Timer/Counter1); ATmega2560, chapter 17.

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

// A new compare value is at least this many ticks ahead of the counter (3 us). The counter must not reach the value
// while it is computed and written: the match would be missed, and come one timer wrap (32.8 ms) later.
constexpr uint8_t MIN_COMPARE_DISTANCE = 6;

// The compare match interrupt is requested this many ticks (50 us) before a pin event is due. A pin-change interrupt
// that starts just before may delay it by about that long.
constexpr uint8_t WAKE_EARLY = 100;

// The main loop gets this many ticks (150 us) when the scheduler has too much work. Edges and due entries that are not
// prepared wait for that long, so it is short.
constexpr uint16_t MAIN_LOOP_TICKS = 300;

// run_scheduler runs the scheduler this many more times at once, if an interrupt has requested it meanwhile. Then it
// yields to the main loop, so that a fast series of edges cannot starve the serial protocol.
constexpr uint8_t EXTRA_RUNS = 1;

// A compare match is used for waits of fewer ticks than this, a little less than a timer wrap: a compare value has
// 16 bits. For longer waits the overflow interrupt runs the scheduler, which then sets the compare match.
constexpr uint16_t LONGEST_WAIT = 0xFF00;

volatile uint16_t wraps;  // the high half of the time: how often timer 1 has overflowed

// Return a time from its halves. GCC 5 compiles a shift and an OR to operations on all four bytes; a union needs none.
inline uint32_t combine(uint16_t low, uint16_t high) {
  union {
    uint16_t halves[2];
    uint32_t whole;
  } time = {{low, high}};
  return time.whole;
}

// Request the compare match interrupt in `ticks`, at least MIN_COMPARE_DISTANCE. Call it only with interrupts disabled.
void wake_in(uint16_t ticks) {
  OCR1A = TCNT1 + (ticks < MIN_COMPARE_DISTANCE ? MIN_COMPARE_DISTANCE : ticks);
  TIMSK1 |= _BV(OCIE1A);
}

// Return how many ticks from now the compare match interrupt must come for the next prepared pin event, at most `most`.
uint16_t wait_for_event(uint16_t most) {
  uint16_t left = pin_events::ticks_left(most + WAKE_EARLY);
  return left < WAKE_EARLY ? 0 : left - WAKE_EARLY;
}

}  // namespace

// Timer 1 runs in normal mode at 16 MHz / 8. ATmega328P datasheet, 16.9 (Modes of Operation) and 16.11 (TCCR1B).
void begin_clock() {
  TCCR1A = 0;
  TCCR1B = _BV(CS11);
  TIMSK1 = _BV(TOIE1);
}

uint32_t now() {
  uint8_t sreg = SREG;
  cli();
  uint16_t count = TCNT1, high = wraps;
  // If the overflow flag is set and the counter is low, the timer has wrapped before TCNT1 was read, and the overflow
  // interrupt is still pending. If the counter is high, it has wrapped afterwards.
  if ((TIFR1 & _BV(TOV1)) && count < 0x8000) high++;
  SREG = sreg;
  return combine(count, high);
}

uint32_t extend(uint16_t count) {
  uint32_t time = now();
  return time - static_cast<uint16_t>(static_cast<uint16_t>(time) - count);
}

void schedule_wakeup(uint32_t due) {
  InterruptsOff off;
  int32_t ahead = due - now();
  uint16_t most = is_set(SCHEDULER_YIELDED) ? MAIN_LOOP_TICKS
                                            : LONGEST_WAIT;  // a call from the main loop must not prolong its time
  uint16_t wait = ahead < 0 ? 0 : ahead < most ? ahead : most;
  wait = wait_for_event(wait);
  if (wait == LONGEST_WAIT) {
    TIMSK1 &= ~_BV(OCIE1A);  // the overflow interrupt runs the scheduler, which calls schedule_wakeup again
  } else {
    wake_in(wait);
  }
}

void clear_scheduler_request() { clear(SCHEDULER_REQUESTED); }

uint16_t now_low() { return TCNT1; }

bool is_due_within_lead(uint16_t at) {
  uint16_t now = TCNT1, wait = at - now;
  if (static_cast<int16_t>(wait) <= target::LEAD) return true;
  wait = wait < WAKE_EARLY ? 0 : wait - WAKE_EARLY;
  bool is_requested = (TIMSK1 & _BV(OCIE1A)) && static_cast<uint16_t>(OCR1A - now) < wait;
  if (!is_requested) wake_in(wait);
  return false;
}

// Interrupts are disabled for up to target::LEAD ticks here, so that the loop polls the pins and the USART.
void wait_until(uint16_t at) {
  for (;;) {
    poll_pins();
    if (static_cast<int16_t>(at - TCNT1) <= 0) break;
    poll_receiver();
  }
}

void run_scheduler() {
  if (is_set(SCHEDULER_BUSY) || is_set(SCHEDULER_YIELDED)) {
    set(SCHEDULER_REQUESTED);
    return;
  }
  set(SCHEDULER_BUSY);
  for (uint8_t runs_left = EXTRA_RUNS; !is_set(SCHEDULER_YIELDED); runs_left--) {
    clear(SCHEDULER_REQUESTED);
    sei();
    bool done = scheduler::run();
    cli();
    if (done && !is_set(SCHEDULER_REQUESTED)) break;
    if (done && runs_left) continue;
    set(SCHEDULER_YIELDED);  // the compare match interrupt, or hal::sleep, ends the time of the main loop
    wake_in(wait_for_event(MAIN_LOOP_TICKS));
  }
  clear(SCHEDULER_BUSY);
}

void unlock_scheduler() {
  cli();
  clear(SCHEDULER_BUSY);
  if (is_set(SCHEDULER_REQUESTED) || timer_queue::changed) run_scheduler();
  sei();
}

}  // namespace hal

ISR(TIMER1_OVF_vect) {
  hal::wraps++;
  hal::set(hal::TIMER_WRAPPED);
  hal::run_scheduler();
}

// This interrupt starts WAKE_EARLY ticks before the next prepared pin event. Until LEAD ticks before it, the loop polls
// the pins and dispatches their edges: the pin-change interrupts run the scheduler too, and would delay the event.
ISR(TIMER1_COMPA_vect) {
  using namespace hal;
  TIMSK1 &= ~_BV(OCIE1A);  // is_due_within_lead reads this bit as "a compare match is requested"
  clear(SCHEDULER_YIELDED);
  for (;;) {
    uint16_t left = pin_events::ticks_left(WAKE_EARLY + 1);
    if (left <= target::LEAD || left > WAKE_EARLY) break;
    poll_pins();
    if (has_unhandled()) dispatch_oldest();
    poll_receiver();
  }
  pin_events::run_due();
  poll_pins();
  while (has_unhandled()) dispatch_oldest();
  run_scheduler();
}
