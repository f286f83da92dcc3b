// SPDX-License-Identifier: BSD-3-Clause
//
// The time, and the levels on which code runs. The timer counts microseconds (4.6): a tick is half of one. Alarm 0
// makes the changes of pins that are due (timer_queue.h). The scheduler runs in PendSV, which has the lowest priority,
// so that every interrupt comes before it (2.4.5).

#include "board.h"
#include "rp2040.h"
#include "scheduler.h"
#include "snapshots.h"
#include "timer_queue.h"

namespace hal {

volatile bool scheduler_locked;

namespace {

// What the main loop gets when the scheduler has too much work (10 us), and how often the scheduler is repeated if an
// interrupt requests it meanwhile (targets/avr/clock.cpp).
constexpr uint32_t MAIN_LOOP_TICKS = 20;
constexpr uint8_t RUNS = 2;

// The period, in microseconds, after which the low half of the time begins at 0 again.
constexpr uint32_t WRAP_US = 0x8000;

volatile bool is_requested;  // an interrupt has come while the scheduler was running or locked
volatile bool has_yielded;   // the scheduler has yielded to the main loop
volatile bool has_wrapped;   // the low half of the time has wrapped since the main loop last slept
bool is_alarm_set;           // alarm 0 is
uint32_t alarm_at;           // its tick

// Let an interrupt come in 100 us: the main loop has to look at the time again.
void start_nap() {
  constexpr uint32_t CYCLES = 20000;
  registers::at(registers::SYSTICK_RELOAD) = CYCLES;
  registers::at(registers::SYSTICK_VALUE) = 0;  // any write sets it to the reload value
  registers::at(registers::SYSTICK_CONTROL) = registers::SYSTICK_ON;
}

void run_timer() {
  wake_by(timer_queue::make_changes());
  poll();
}

void run_scheduler() {
  if (scheduler_locked || has_yielded) {
    is_requested = true;
    return;
  }
  bool done;
  for (uint8_t runs = RUNS; runs; runs--) {
    is_requested = false;
    done = scheduler::run();
    if (!done) break;
    done = !is_requested;
    if (done) break;
  }
  if (done) return;
  has_yielded = true;  // alarm 0, or hal::sleep, ends the time of the main loop
  InterruptsOff off;
  wake_by(now() + MAIN_LOOP_TICKS);
}

}  // namespace

void begin_timer() {
  registers::at(registers::SYSTEM_PRIORITIES) = registers::PEND_SV_LOWEST;
  registers::at(registers::ALARM_ENABLE) = 0xF;
  interrupts_off();
  set_alarm(WRAP_ALARM, (now_us() & ~(WRAP_US - 1)) + WRAP_US);
  interrupts_on();
  for (uint8_t number = 0; number < 4; number++) enable(static_cast<registers::Interrupt>(registers::TIMER_0 + number));
}

void set_alarm(uint8_t number, uint32_t at_us) {
  registers::at(registers::ALARMS + 4 * number) = at_us;
  // An alarm comes when the timer is equal to it: it may have passed before this one was written.
  if (static_cast<int32_t>(at_us - now_us()) <= 0) registers::at(registers::ALARM_FORCE + registers::SET) = 1 << number;
}

void end_alarm(uint8_t number) {
  registers::at(registers::ALARM_RAISED) = 1 << number;
  registers::at(registers::ALARM_FORCE + registers::CLEAR) = 1 << number;
}

uint32_t now() { return 2 * now_us(); }

uint32_t extend(uint16_t low) {
  uint32_t time = now();
  return time - static_cast<uint16_t>(static_cast<uint16_t>(time) - low);
}

void wake_by(uint32_t due) {
  uint32_t time_us = now_us(), time = 2 * time_us;
  int32_t ahead = due - time;
  if (ahead < 0) ahead = 0;
  if (is_alarm_set && static_cast<int32_t>(alarm_at - time) <= ahead) return;
  is_alarm_set = true;
  alarm_at = time + ahead;
  set_alarm(QUEUE_ALARM, time_us + (ahead + 1) / 2);
}

void request_scheduler() { registers::at(registers::INTERRUPT_STATE) = registers::PEND_SV; }

void unlock_scheduler() {
  target::memory_barrier();
  scheduler_locked = false;
  if (is_requested) request_scheduler();
}

void sleep() {
  bool may_sleep = board::may_sleep();
  interrupts_off();
  if (has_yielded) {  // the main loop is idle, so the scheduler need not wait for the alarm
    has_yielded = false;
    request_scheduler();
    interrupts_on();
    interrupts_off();
  }
  while (!has_port_work() && !has_wrapped && board::is_idle()) {
    if (!may_sleep) start_nap();
    // An interrupt that is pending ends it, although interrupts are off: none can be missed (2.4.6).
    asm volatile("wfi" ::: "memory");
    interrupts_on();
    kick_watchdog();
    interrupts_off();
    if (!may_sleep) break;
  }
  registers::at(registers::SYSTICK_CONTROL) = 0;
  has_wrapped = false;
  interrupts_on();
}

}  // namespace hal

extern "C" void on_queue_alarm() {
  using namespace hal;
  end_alarm(QUEUE_ALARM);
  is_alarm_set = false;
  has_yielded = false;
  start_planned_measurement();
  run_timer();
  request_scheduler();
}

extern "C" void on_wrap_alarm() {
  using namespace hal;
  end_alarm(WRAP_ALARM);
  set_alarm(WRAP_ALARM, (now_us() & ~(WRAP_US - 1)) + WRAP_US);
  has_wrapped = true;
  snapshots::begin_window(0);
  run_timer();
  request_scheduler();
}

extern "C" void on_systick() {}

extern "C" void on_pend_sv() { hal::run_scheduler(); }
