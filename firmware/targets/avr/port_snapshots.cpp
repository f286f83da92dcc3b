// SPDX-License-Identifier: BSD-3-Clause
//
// The interrupts of pins, and the snapshots of levels that they take. Code that keeps them from coming for long polls
// the pins itself (poll_pins), so that every change has a stamp of its own; edge_isr handles those snapshots
// afterwards.

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
volatile uint8_t oldest;  // where the oldest is, unless there is none

constexpr uint8_t LAST = limits::SNAPSHOTS - 1;
inline PortLevels& snapshot_at(uint8_t place) { return snapshots[place]; }
inline uint8_t after(uint8_t place) { return place == LAST ? 0 : place + 1; }
inline uint8_t before(uint8_t place) { return place ? place - 1 : LAST; }

// Take the levels of all inputs. Of what has changed up to now nothing interrupts any more.
inline PortLevels& take(uint8_t place) {
  PortLevels& taken = snapshot_at(place);
  PCIFR = _BV(PCIF2) | _BV(PCIF1) | _BV(PCIF0);
#if !defined(__AVR_ATmega328P__)
  EIFR = 0xFF;
#endif
#define TAKE(place, pins, watched) taken.of[place] = pins;
  FOR_EACH(TAKE)
  look_at_button();
  return taken;
}

// Keep what was taken, and since when it is so. When there is no room the newest levels are corrected, so that no level
// is ever lost.
void keep(uint16_t at) {
  if (is(TRACKING)) raise(PENDING);
  uint8_t place = newest, next = after(place);
  PortLevels& taken = snapshot_at(place);
  if (next != oldest) {
    taken.at = at;
    newest = next;
    return;
  }
  place = before(place);
  memcpy(snapshot_at(place).of, taken.of, limits::INPUT_PORTS);
  first_unhandled = place;
}

// Have the eyes shown what they have not seen, as soon as interrupts are on: an EEPROM asks for its own whenever it is
// allowed to, for it is always ready.
ONE_INSTRUCTION void request_dispatch() { EECR |= _BV(EERIE); }
ONE_INSTRUCTION void end_dispatch() { EECR &= ~_BV(EERIE); }

}  // namespace

volatile uint8_t newest, first_unhandled;

void poll_pins() {
#if defined(__AVR_ATmega328P__)
  if (!PCIFR) return;
#else
  if (!(PCIFR | EIFR)) return;
#endif
  uint16_t now = TCNT1;
  take(newest);
  keep(now);
  request_dispatch();
}

void dispatch_oldest() {
  const PortLevels& kept = snapshot_at(first_unhandled);
  first_unhandled = after(first_unhandled);
  if (edge_isr::is_fast(kept)) edge_isr::handle_fast(kept);
#define SEE(place, pins, watched) \
  while (edge_isr::changed(edge_isr::ports[place], kept.of[place])) edge_isr::handle(place, kept);
  FOR_EACH(SEE)
  poll_receiver();
  poll_pins();
}

bool has_snapshot() { return oldest != newest; }

void read_snapshot(Snapshot& snapshot) {
  const PortLevels& kept = snapshot_at(oldest);
  snapshot.stamp = extend(kept.at);
#define GET(place, pins, watched) snapshot.levels[place] = kept.of[place] & (watched);
  FOR_EACH(GET)
}

void drop_snapshot() { oldest = after(oldest); }

void track_edges(bool minds) {
  if (minds) {
    raise(TRACKING);
    raise(PENDING);
  } else {
    lower(TRACKING);
  }
}

bool are_edges_pending() { return is(PENDING); }

void edges_handled() {
  cli();
  if (!has_snapshot()) lower(PENDING);
  sei();
}

bool queued_edge_differs(Pin pin, bool level) {
  uint8_t expected = level ? pin.mask : 0;
  for (uint8_t place = oldest; place != newest; place = after(place)) {
    if ((snapshot_at(place).of[pin.port] & pin.mask) != expected) return true;
  }
  return false;
}

}  // namespace hal

// A pin has changed, or poll_pins has taken a snapshot while interrupts were off.
extern "C" void __vector_snapshot() __attribute__((signal, used, externally_visible));
extern "C" void __vector_snapshot() {
  using namespace hal;
  if (is(CHANGED)) {
    uint8_t place = newest;
    const PortLevels& taken = take(place);
    const pin_events::PinAction& pin_action = edge_isr::fast_action();
    bool fires = edge_isr::is_fast(taken) && first_unhandled == place && pin_events::is_only(pin_action);
    if (fires) put(Pin{pin_action.port, pin_action.mask}, pin_action.level);
    lower(CHANGED);
    keep(GPIOR1 | GPIOR2 << 8);
    if (fires) edge_isr::fast_executed();
  }
  while (has_unhandled()) dispatch_oldest();
  end_dispatch();
}

// What follows from it. Interrupts are off when it is called, or those that come would save all registers once more.
extern "C" void __vector_kick() __attribute__((signal, used, externally_visible));
extern "C" void __vector_kick() { hal::run_scheduler(); }

// While the scheduler runs nothing more is needed, nor is there stack for it: it goes on until there is no capture.
#define CAPTURE                  \
  "call __vector_snapshot \n\t"  \
  "sbi %[flags], %[wanted] \n\t" \
  "sbic %[flags], %[busy] \n\t"  \
  "ret \n\t"                     \
  "cli \n\t"                     \
  "jmp __vector_kick"
#define FLAGS [flags] "I"(_SFR_IO_ADDR(GPIOR0)), [busy] "I"(hal::BUSY), [wanted] "I"(hal::WANTED)

ISR(EE_READY_vect, ISR_NAKED) {
  asm volatile("cbi %[control], %[allowed] \n\t" CAPTURE ::[control] "I"(_SFR_IO_ADDR(EECR)), [allowed] "I"(EERIE),
               FLAGS);
}

// The timer is read before even the registers are saved.
#define STAMPED(vector)                                                                                         \
  ISR(vector, ISR_NAKED) {                                                                                      \
    asm volatile(                                                                                               \
        "push r24 \n\t"                                                                                         \
        "lds r24, %[now] \n\t"                                                                                  \
        "out %[low], r24 \n\t"                                                                                  \
        "lds r24, %[now] + 1 \n\t"                                                                              \
        "out %[high], r24 \n\t"                                                                                 \
        "sbi %[flags], %[changed] \n\t"                                                                         \
        "pop r24 \n\t" CAPTURE ::[now] "n"(_SFR_MEM_ADDR(TCNT1)),                                               \
        [low] "I"(_SFR_IO_ADDR(GPIOR1)), [high] "I"(_SFR_IO_ADDR(GPIOR2)), [changed] "I"(hal::CHANGED), FLAGS); \
  }

STAMPED(PCINT0_vect)
STAMPED(PCINT1_vect)
STAMPED(PCINT2_vect)
#if !defined(__AVR_ATmega328P__)
STAMPED(INT0_vect)
STAMPED(INT1_vect)
STAMPED(INT2_vect)
STAMPED(INT3_vect)
STAMPED(INT4_vect)
STAMPED(INT5_vect)
#endif
