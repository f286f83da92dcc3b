// SPDX-License-Identifier: BSD-3-Clause
//
// the interrupts that say that a pin has changed, and what they keep. Whoever keeps them from coming for long
// looks at the pins himself, so that every change has a stamp of its own; the eyes are shown afterwards what he keeps.

#include <Arduino.h>
#include <string.h>

#include "edge_isr.h"
#include "hal.h"
#include "avr.h"
#include "ports.h"
#include "limits.h"
#include "pin_events.h"

namespace hal {

namespace {

Levels captures[limits::CAPTURES];
volatile uint8_t oldest;  // where the oldest is, unless there is none

constexpr uint8_t LAST = limits::CAPTURES - 1;
inline Levels& capture_at(uint8_t place) { return captures[place]; }
inline uint8_t after(uint8_t place) { return place == LAST ? 0 : place + 1; }
inline uint8_t before(uint8_t place) { return place ? place - 1 : LAST; }

// Take the levels of all inputs. Of what has changed up to now nothing interrupts any more.
inline Levels& take(uint8_t place) {
  Levels& taken = capture_at(place);
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
  if (is(MINDS)) raise(BEHIND);
  uint8_t place = newest, next = after(place);
  Levels& taken = capture_at(place);
  if (next != oldest) {
    taken.at = at;
    newest = next;
    return;
  }
  place = before(place);
  memcpy(capture_at(place).of, taken.of, limits::INPUT_PORTS);
  unseen = place;
}

// Have the eyes shown what they have not seen, as soon as interrupts are on: an EEPROM asks for its own whenever it is
// allowed to, for it is always ready.
ONE_INSTRUCTION void ask_to_show() { EECR |= _BV(EERIE); }
ONE_INSTRUCTION void have_shown() { EECR &= ~_BV(EERIE); }

}  // namespace

volatile uint8_t newest, unseen;

void look_at_pins() {
#if defined(__AVR_ATmega328P__)
  if (!PCIFR) return;
#else
  if (!(PCIFR | EIFR)) return;
#endif
  uint16_t now = TCNT1;
  take(newest);
  keep(now);
  ask_to_show();
}

void show_first() {
  const Levels& kept = capture_at(unseen);
  unseen = after(unseen);
  if (eyes::in_hand(kept)) eyes::see_in_hand(kept);
#define SEE(place, pins, watched) \
  while (eyes::changed(eyes::all[place], kept.of[place])) eyes::see(place, kept);
  FOR_EACH(SEE)
  take_byte();
  look_at_pins();
}

bool has_capture() { return oldest != newest; }

void get_capture(Capture& capture) {
  const Levels& kept = capture_at(oldest);
  capture.stamp = last_at(kept.at);
#define GET(place, pins, watched) capture.levels[place] = kept.of[place] & (watched);
  FOR_EACH(GET)
}

void drop_capture() { oldest = after(oldest); }

void mind_changes(bool minds) {
  if (minds) {
    raise(MINDS);
    raise(BEHIND);
  } else {
    lower(MINDS);
  }
}

bool is_behind() { return is(BEHIND); }

void caught_up() {
  cli();
  if (!has_capture()) lower(BEHIND);
  sei();
}

bool was_off(Pin pin, bool level) {
  uint8_t expected = level ? pin.mask : 0;
  for (uint8_t place = oldest; place != newest; place = after(place)) {
    if ((capture_at(place).of[pin.port] & pin.mask) != expected) return true;
  }
  return false;
}

}  // namespace hal

// A pin has changed, or somebody has kept levels who kept the interrupts of pins from coming.
extern "C" void __vector_capture() __attribute__((signal, used, externally_visible));
extern "C" void __vector_capture() {
  using namespace hal;
  if (is(CHANGED)) {
    uint8_t place = newest;
    const Levels& taken = take(place);
    const volley::Aim& aim = eyes::aim_in_hand();
    bool fires = eyes::in_hand(taken) && unseen == place && volley::is_alone(aim);
    if (fires) put(Pin{aim.port, aim.mask}, aim.level);
    lower(CHANGED);
    keep(GPIOR1 | GPIOR2 << 8);
    if (fires) eyes::fired_in_hand();
  }
  while (has_unseen()) show_first();
  have_shown();
}

// What follows from it. Interrupts are off when it is called, or those that come would save all registers once more.
extern "C" void __vector_kick() __attribute__((signal, used, externally_visible));
extern "C" void __vector_kick() { hal::kick(); }

// While service runs nothing more is needed, nor is there stack for it: it goes on until there is no capture.
#define CAPTURE                    \
  "call __vector_capture \n\t"     \
  "sbi %[flags], %[wanted] \n\t"   \
  "sbic %[flags], %[busy] \n\t"    \
  "ret \n\t"                       \
  "cli \n\t"                       \
  "jmp __vector_kick"
#define FLAGS [flags] "I"(_SFR_IO_ADDR(GPIOR0)), [busy] "I"(hal::BUSY), [wanted] "I"(hal::WANTED)

ISR(EE_READY_vect, ISR_NAKED) {
  asm volatile("cbi %[control], %[allowed] \n\t" CAPTURE ::[control] "I"(_SFR_IO_ADDR(EECR)), [allowed] "I"(EERIE),
               FLAGS);
}

// The timer is read before even the registers are saved.
#define STAMPED(vector)                                                                                        \
  ISR(vector, ISR_NAKED) {                                                                                     \
    asm volatile(                                                                                              \
        "push r24 \n\t"                                                                                        \
        "lds r24, %[now] \n\t"                                                                                 \
        "out %[low], r24 \n\t"                                                                                 \
        "lds r24, %[now] + 1 \n\t"                                                                             \
        "out %[high], r24 \n\t"                                                                                \
        "sbi %[flags], %[changed] \n\t"                                                                        \
        "pop r24 \n\t" CAPTURE ::[now] "n"(_SFR_MEM_ADDR(TCNT1)),                                              \
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
