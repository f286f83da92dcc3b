// SPDX-License-Identifier: BSD-3-Clause
//
// This file has the interrupts of pins. They write snapshots of all input ports to a ring buffer, which edge_isr reads
// first and the scheduler afterwards. Code that disables interrupts for longer calls poll_pins, so that every change
// gets its own timestamp. ATmega328P datasheet, chapter 13 (External Interrupts); ATmega2560, chapter 15.

#include <Arduino.h>
#include <string.h>

#include "avr.h"
#include "edge_isr.h"
#include "hal.h"
#include "limits.h"
#include "pin_events.h"
#include "ports.h"

namespace hal {

namespace {

PortLevels snapshots[limits::SNAPSHOTS];
volatile uint8_t
    oldest;  // the index of the first snapshot that the scheduler has not dropped; equals `next_free` if none

constexpr uint8_t LAST = limits::SNAPSHOTS - 1;
inline uint8_t after(uint8_t index) { return index == LAST ? 0 : index + 1; }
inline uint8_t before(uint8_t index) { return index ? index - 1 : LAST; }

// Store the levels of all input ports, with the low half of the time since which they are valid. Only with interrupts
// disabled. If the ring buffer is full, the new levels replace those of the newest snapshot, which keeps its time: the
// edges in between are lost, but the last level never is. edge_isr skips what it has not handled by then, but the
// scheduler handles all of it.
void take_snapshot(uint16_t at) {
  uint8_t index = next_free, next = after(index);
  PortLevels& taken = snapshots[index];
  // Clear the flags before the ports are read: a change after this line requests another interrupt.
  PCIFR = _BV(PCIF2) | _BV(PCIF1) | _BV(PCIF0);
#if !defined(__AVR_ATmega328P__)
  EIFR = 0xFF;
#endif
#define TAKE(index, pins, watched) taken.of[index] = pins;
  FOR_EACH_INPUT_PORT(TAKE)
  check_panic_input(at);
  if (is_set(TRACKING_EDGES)) set(EDGES_PENDING);
  if (next != oldest) {
    taken.at = at;
    next_free = next;
    return;
  }
  index = before(index);
  memcpy(snapshots[index].of, taken.of, limits::INPUT_PORTS);
  first_unhandled = index;
}

// Request that dispatch() runs as soon as interrupts are enabled. The EEPROM ready interrupt serves as a software
// interrupt: once enabled, it is pending as long as no EEPROM write is in progress. ATmega328P datasheet,
// 8.6 (EECR); ATmega2560, chapter 8.
ALWAYS_INLINE void request_dispatch() { EECR |= _BV(EERIE); }
ALWAYS_INLINE void end_dispatch() { EECR &= ~_BV(EERIE); }

// Ticks from the change of a pin to the read of TCNT1 in its interrupt: about 40 CPU cycles for the interrupt response,
// the jump in the vector table and the registers that the compiler pushes.
constexpr uint8_t ENTRY = 5;

}  // namespace

volatile uint8_t next_free, first_unhandled;

void poll_pins() {
#if defined(__AVR_ATmega328P__)
  if (!PCIFR) return;
#else
  if (!(PCIFR | EIFR)) return;
#endif
  take_snapshot(TCNT1);
  request_dispatch();
}

// Interrupts of pins have priority over that of the timer, and several can come in a row. So each of them executes the
// due events that no edge can forbid. The others must wait: a later snapshot may cancel them.
void dispatch_oldest() {
  const PortLevels& kept = snapshots[first_unhandled];
  first_unhandled = after(first_unhandled);
#define HANDLE(index, pins, watched) \
  while (edge_isr::changed(edge_isr::ports[index], kept.of[index])) edge_isr::handle(index, kept);
  FOR_EACH_INPUT_PORT(HANDLE)
  pin_events::run_never_delayed();
  poll_receiver();
  poll_pins();
}

// Pass all snapshots to edge_isr, then run the scheduler. Interrupts call this last.
static void dispatch() {
  while (has_unhandled()) dispatch_oldest();
  end_dispatch();
  run_scheduler();
}

bool has_snapshot() { return oldest != next_free; }

void read_snapshot(Snapshot& snapshot) {
  const PortLevels& kept = snapshots[oldest];
  snapshot.stamp = extend(kept.at);
#define GET(index, pins, watched) snapshot.levels[index] = kept.of[index] & (watched);
  FOR_EACH_INPUT_PORT(GET)
}

void drop_snapshot() { oldest = after(oldest); }

void track_edges(bool is_wanted) {
  if (is_wanted) {
    set(TRACKING_EDGES);
    set(EDGES_PENDING);
  } else {
    clear(TRACKING_EDGES);
  }
}

bool are_edges_pending() { return is_set(EDGES_PENDING); }

void clear_pending_edges() {
  cli();
  if (!has_snapshot()) clear(EDGES_PENDING);
  sei();
}

bool queued_edge_differs(Pin pin, bool level) {
  uint8_t expected = level ? pin.mask : 0;
  for (uint8_t index = oldest; index != next_free; index = after(index)) {
    if ((snapshots[index].of[pin.port] & pin.mask) != expected) return true;
  }
  return false;
}

}  // namespace hal

// All pin-change and external interrupts share this code.
ISR(PCINT0_vect) {
  hal::take_snapshot(TCNT1 - hal::ENTRY);
  hal::dispatch();
}
ISR(PCINT1_vect, ISR_ALIASOF(PCINT0_vect));
ISR(PCINT2_vect, ISR_ALIASOF(PCINT0_vect));
#if !defined(__AVR_ATmega328P__)
ISR(INT0_vect, ISR_ALIASOF(PCINT0_vect));
ISR(INT1_vect, ISR_ALIASOF(PCINT0_vect));
ISR(INT2_vect, ISR_ALIASOF(PCINT0_vect));
ISR(INT3_vect, ISR_ALIASOF(PCINT0_vect));
ISR(INT4_vect, ISR_ALIASOF(PCINT0_vect));
ISR(INT5_vect, ISR_ALIASOF(PCINT0_vect));
#endif

// poll_pins has requested this interrupt.
ISR(EE_READY_vect) { hal::dispatch(); }
