// SPDX-License-Identifier: BSD-3-Clause
//
// Timer 1 is the clock: it counts ticks of 0.5 us and never stops. Its compare match A interrupt makes the changes of
// pins that are due (timer_queue.h) and runs the scheduler. ATmega328P datasheet, chapter 16 (16-bit Timer/Counter1);
// ATmega2560, chapter 17.

#include <avr/interrupt.h>
#include <avr/io.h>

#include "avr.h"
#include "hal.h"
#include "scheduler.h"
#include "snapshots.h"
#include "timer_queue.h"

static_assert(F_CPU == 16000000UL, "the ticks are counted from 16 MHz");

namespace hal {

namespace {

// A new compare value is at least this many ticks ahead of the counter (3 us). The counter must not reach the value
// while it is computed and written: the match would be missed, and come one timer wrap (32.8 ms) later.
constexpr uint8_t MIN_COMPARE_DISTANCE = 6;

// The main loop gets this many ticks (50 us) when the scheduler has too much work. All that waits for the scheduler
// waits for that long, so it is short.
constexpr uint16_t MAIN_LOOP_TICKS = 100;

// How often run_scheduler repeats the scheduler if an interrupt requests it meanwhile. Then it yields to the main loop,
// so that a fast series of edges cannot starve the serial protocol.
constexpr uint8_t RUNS = 2;

// A compare match is used for waits of fewer ticks than this, a timer wrap: a compare value has 16 bits. For longer
// waits the overflow interrupt looks again.
constexpr uint16_t LONGEST_WAIT = 0xFFFF;

volatile uint16_t wraps;  // the high half of the time: how often timer 1 has overflowed

// Return a time from its halves. GCC 5 compiles a shift and an OR to operations on all four bytes; a union needs none.
inline uint32_t combine(uint16_t low, uint16_t high) {
  union {
    uint16_t halves[2];
    uint32_t whole;
  } time = {{low, high}};
  return time.whole;
}

void count_wrap() {
  wraps++;
  set(TIMER_WRAPPED);
  snapshots::begin_window(0);
}

}  // namespace

// Timer 1 runs in normal mode at 16 MHz / 8. ATmega328P datasheet, 16.9 (Modes of Operation) and 16.11 (TCCR1B).
void begin_clock() {
  TCCR1A = 0;
  TCCR1B = _BV(CS11);
  TCNT1 = 0;
  TIFR1 = 0xFF;  // after a hang the timer has gone on
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

uint32_t extend(uint16_t low) {
  uint32_t time = now();
  return time - static_cast<uint16_t>(static_cast<uint16_t>(time) - low);
}

void wake_by(uint32_t due) {
  int32_t ahead = due - now();
  if (ahead >= LONGEST_WAIT) return;
  uint16_t wait = ahead < MIN_COMPARE_DISTANCE ? MIN_COMPARE_DISTANCE : ahead, count = TCNT1;
  if ((TIMSK1 & _BV(OCIE1A)) && static_cast<uint16_t>(OCR1A - count) <= wait) return;
  OCR1A = count + wait;
  TIMSK1 |= _BV(OCIE1A);
}

void run_timer() {
  wake_by(timer_queue::make_changes());
  poll();
}

void poll_timer() {
  uint8_t flags = TIFR1;
  // One flag stands for all wraps: interrupts of pins have priority over that of the timer, and may take longer.
  if (flags & _BV(TOV1)) {
    TIFR1 = _BV(TOV1);
    count_wrap();
  }
  if (flags & ((TIMSK1 & _BV(OCF1A)) | _BV(TOV1))) run_timer();
}

void run_scheduler() {
  if (is_set(SCHEDULER_BUSY) || is_set(SCHEDULER_YIELDED)) {
    set(SCHEDULER_REQUESTED);
    return;
  }
  set(SCHEDULER_BUSY);
  bool done;
  for (uint8_t runs = RUNS; runs; runs--) {
    clear(SCHEDULER_REQUESTED);
    sei();
    done = scheduler::run();
    cli();
    if (!done) break;
    done = !is_set(SCHEDULER_REQUESTED);
    if (done) break;
  }
  clear(SCHEDULER_BUSY);
  if (done) return;
  set(SCHEDULER_YIELDED);  // the compare match interrupt, or hal::sleep, ends the time of the main loop
  wake_by(now() + MAIN_LOOP_TICKS);
}

void unlock_scheduler() {
  cli();
  clear(SCHEDULER_BUSY);
  if (is_set(SCHEDULER_REQUESTED)) run_scheduler();
  sei();
}

}  // namespace hal

ISR(TIMER1_OVF_vect) {
  hal::count_wrap();
  hal::run_timer();
  hal::run_scheduler();  // run_timer may have taken a snapshot, and then no interrupt of a pin follows
}

ISR(TIMER1_COMPA_vect) {
  using namespace hal;
  TIMSK1 &= ~_BV(OCIE1A);
  clear(SCHEDULER_YIELDED);
  run_timer();
  run_scheduler();
}
