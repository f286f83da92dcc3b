// SPDX-License-Identifier: BSD-3-Clause
//
// AVR: pins, and the interrupts that say that one has changed.

#ifdef __AVR__

#include "lean.h"

#include <Arduino.h>
#include <string.h>

#include "aims.h"
#include "eyes.h"
#include "hal.h"
#include "hal_avr.h"
#include "limits.h"
#include "volley.h"

namespace hal {

namespace {

constexpr uint8_t FIRST_PIN = 2;  // 0 and 1 are the serial port

// The Arduino core's numbers of the ports.
enum Port : uint8_t { B = 2, C = 3, D = 4, E = 5, J = 10, K = 11 };

// The ports with pins that can interrupt, in the order of hal::Levels, and those pins.
#if defined(__AVR_ATmega328P__)
constexpr uint8_t LAST_PIN = 19;
const uint8_t WATCHED_PORTS[] PROGMEM = {D, B, C}, WATCHED_PINS[] PROGMEM = {0xFC, 0x3F, 0x3F};
#define FOR_EACH(port) port(0, PIND, PCMSK2) port(1, PINB, PCMSK0) port(2, PINC, PCMSK1)
#else
constexpr uint8_t LAST_PIN = 69;
const uint8_t WATCHED_PORTS[] PROGMEM = {B, D, E, J, K}, WATCHED_PINS[] PROGMEM = {0xFF, 0x0F, 0x30, 0x03, 0xFF};
#define FOR_EACH(port) \
  port(0, PINB, PCMSK0) port(1, PIND, EIMSK) port(2, PINE, EIMSK) port(3, PINJ, PCMSK1 >> 1) port(4, PINK, PCMSK2)
#endif

static_assert(sizeof(WATCHED_PORTS) == WATCHED, "every watched port is captured");

Levels captures[limits::CAPTURES];
volatile uint8_t newest, oldest;  // where the next is kept; where the oldest is, if that is elsewhere

// A place among them is counted in bytes: to multiply takes time.
inline __attribute__((always_inline)) Levels& capture_at(uint8_t place) {
  return *reinterpret_cast<Levels*>(reinterpret_cast<uint8_t*>(captures) + place);
}

// Where a port's outputs are. On an Uno that needs no table.
inline __attribute__((always_inline)) volatile uint8_t* outputs_of(uint8_t port) {
#if defined(__AVR_ATmega328P__)
  static_assert(_SFR_MEM_ADDR(PORTC) == _SFR_MEM_ADDR(PORTB) + 3 && _SFR_MEM_ADDR(PORTD) == _SFR_MEM_ADDR(PORTC) + 3,
                "ports lie behind each other");
  return reinterpret_cast<volatile uint8_t*>(static_cast<uint8_t>(_SFR_MEM_ADDR(PORTB) + 3 * (port - B)));
#else
  return portOutputRegister(port);
#endif
}

// Put a level on an output. Only with interrupts off.
inline __attribute__((always_inline)) void put(Pin pin, bool level) {
  volatile uint8_t* out = outputs_of(pin.port);
  if (level) {
    *out |= pin.mask;
  } else {
    *out &= ~pin.mask;
  }
}

uint8_t watched_port(uint8_t place) { return pgm_read_byte(&WATCHED_PORTS[place]); }

void watch(uint8_t place, uint8_t mask) {
#if defined(__AVR_ATmega328P__)
  volatile uint8_t* const masks[] = {&PCMSK2, &PCMSK0, &PCMSK1};
  *masks[place] |= mask;
  PCICR = _BV(PCIE0) | _BV(PCIE1) | _BV(PCIE2);
#else
  switch (watched_port(place)) {
    case B:
      PCMSK0 |= mask;
      PCICR |= _BV(PCIE0);
      break;
    case J:  // its bits follow PE0
      PCMSK1 |= mask << 1;
      PCICR |= _BV(PCIE1);
      break;
    case K:
      PCMSK2 |= mask;
      PCICR |= _BV(PCIE2);
      break;
    case D:  // INT0 to INT3
      EICRA |= (mask & 1) | (mask & 2) << 1 | (mask & 4) << 2 | (mask & 8) << 3;  // any edge
      EIMSK |= mask;
      break;
    case E:  // INT4 to INT7
      EICRB |= (mask & 0x10) >> 4 | (mask & 0x20) >> 3;
      EIMSK |= mask;
      break;
  }
#endif
}

constexpr uint8_t STEP = sizeof(Levels), LAST = sizeof(captures) - STEP;

inline __attribute__((always_inline)) uint8_t after(uint8_t place) { return place == LAST ? 0 : place + STEP; }
inline __attribute__((always_inline)) uint8_t before(uint8_t place) { return place ? place - STEP : LAST; }

// What is in hand has changed: fire it, unless it must wait.
inline __attribute__((always_inline)) void fire_in_hand() {
  const volley::Aim& aim = aims::edges[eyes::hand.channel];
  if (volley::is_alone(aim)) {
    put(Pin{aim.port, aim.mask}, aim.level);
    eyes::fired_in_hand();
  }
  eyes::hand.mask = 0;
}

// There is no room for another capture: the levels of the one before are corrected.
OUT_OF_LINE void correct() {
  memcpy(capture_at(before(newest)).of, capture_at(newest).of, WATCHED);
}

}  // namespace

Pin output_pin(uint8_t number) {
  if (number < FIRST_PIN || number > LAST_PIN) return Pin{0, 0};
  return Pin{digitalPinToPort(number), digitalPinToBitMask(number)};
}

Pin input_pin(uint8_t number) {
  Pin pin = output_pin(number);
  for (uint8_t place = 0; place < WATCHED; place++) {
    if (watched_port(place) != pin.port) continue;
    return Pin{place, static_cast<uint8_t>(pin.mask & pgm_read_byte(&WATCHED_PINS[place]))};
  }
  return Pin{0, 0};
}

void make_output(Pin pin, bool level) {
  drive(pin, level);
  volatile uint8_t* direction = portModeRegister(pin.port);
  cli();
  *direction |= pin.mask;
  sei();
}

void make_input(Pin pin) {
  uint8_t port = watched_port(pin.port);
  volatile uint8_t* direction = portModeRegister(port);
  volatile uint8_t* out = portOutputRegister(port);
  cli();
  *direction &= ~pin.mask;
  *out &= ~pin.mask;
  watch(pin.port, pin.mask);
  sei();
}

void forget_pins() {
  PCICR = PCMSK0 = PCMSK1 = PCMSK2 = 0;
  EIMSK = 0;
}

void drive(Pin pin, bool level) {
  uint8_t sreg = SREG;
  cli();
  put(pin, level);
  SREG = sreg;
}

uint8_t read_port(uint8_t port) { return *portInputRegister(watched_port(port)); }

OUT_OF_LINE bool has_capture() { return oldest != newest; }

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

// A pin has changed: whoever is ready fires; then the levels of inputs are kept, and the stamp that was taken before.
// When there is no room, the newest capture is corrected, so that no level is ever lost.
extern "C" void __vector_capture() __attribute__((signal, used, externally_visible));
extern "C" IN_A_HURRY void __vector_capture() {
  using namespace hal;
  if (is(MINDS)) raise(BEHIND);
  Levels& capture = capture_at(newest);
  union {  // or the compiler would shift and combine them
    uint8_t halves[2];
    uint16_t whole;
  } stamp = {{GPIOR1, GPIOR2}};
  capture.at = stamp.whole;  // before somebody notes the next
#define KEEP(place, pins, watched) \
  uint8_t levels##place = pins;    \
  capture.of[place] = levels##place;
  FOR_EACH(KEEP)
#define OR_SEEN(place, pins, watched) || eyes::changed(eyes::all[place], levels##place)
  if (eyes::in_hand(capture)) {
    fire_in_hand();
    eyes::see(capture_at(newest));
  } else if (false FOR_EACH(OR_SEEN)) {
    eyes::see(capture);
  }
  uint8_t next = after(newest);
  if (next != oldest) {
    newest = next;
  } else {
    correct();
  }
}

// What follows from it. Interrupts are on when it is called.
extern "C" void __vector_kick() __attribute__((signal, used, externally_visible));
extern "C" void __vector_kick() {
  cli();
  hal::kick();
}

// The timer is read before even the registers are saved, unless somebody has noted the change already. While service
// runs nothing more is needed, nor is there stack for it: it goes on until there is no capture.
#define STAMPED(vector)                              \
  ISR(vector, ISR_NAKED) {                           \
    asm volatile(                                    \
        "push r24 \n\t"                              \
        "sbic %3, %6 \n\t"                           \
        "rjmp 1f \n\t"                               \
        "lds r24, %0 \n\t"                           \
        "out %1, r24 \n\t"                           \
        "lds r24, %0 + 1 \n\t"                       \
        "out %2, r24 \n"                             \
        "1: cbi %3, %6 \n\t"                         \
        "pop r24 \n\t"                               \
        "call __vector_capture \n\t"                 \
        "sbi %3, %5 \n\t"                            \
        "sbic %3, %4 \n\t"                           \
        "ret \n\t"                                   \
        "jmp __vector_kick" ::"n"(_SFR_MEM_ADDR(TCNT1)), \
        "I"(_SFR_IO_ADDR(GPIOR1)), "I"(_SFR_IO_ADDR(GPIOR2)), "I"(_SFR_IO_ADDR(GPIOR0)),  \
        "I"(hal::BUSY), "I"(hal::WANTED), "I"(hal::SEEN)); \
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

#endif
