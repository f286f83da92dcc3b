// SPDX-License-Identifier: BSD-3-Clause
//
// AVR: pins, and the interrupts that say that one has changed.

#ifdef __AVR__

#include "hot.h"

#include <Arduino.h>

#include "hal.h"
#include "hal_avr.h"
#include "limits.h"

namespace hal {

namespace {

constexpr uint8_t FIRST_PIN = 2;  // 0 and 1 are the serial port

// The Arduino core's numbers of the ports.
enum Port : uint8_t { B = 2, C = 3, D = 4, E = 5, J = 10, K = 11 };

// The ports with pins that can interrupt, as they stand in Capture::levels, and those pins.
struct Watched {
  uint8_t port, mask;
};

#if defined(__AVR_ATmega328P__)
constexpr uint8_t LAST_PIN = 19;
const Watched WATCHED[] = {{B, 0x3F}, {C, 0x3F}, {D, 0xFC}};
inline void read_ports(uint8_t* levels) {
  levels[0] = PINB;
  levels[1] = PINC;
  levels[2] = PIND;
}
#else
constexpr uint8_t LAST_PIN = 69;
const Watched WATCHED[] = {{B, 0xFF}, {D, 0x0F}, {E, 0x30}, {J, 0x03}, {K, 0xFF}};
inline void read_ports(uint8_t* levels) {
  levels[0] = PINB;
  levels[1] = PIND;
  levels[2] = PINE;
  levels[3] = PINJ;
  levels[4] = PINK;
}
#endif

constexpr uint8_t PLACES = sizeof(WATCHED) / sizeof(*WATCHED);
static_assert(PLACES == sizeof(Capture::levels), "every watched port is captured");

volatile uint8_t newest, oldest;  // of the captures
Capture captures[limits::CAPTURES];

void watch(uint8_t place, uint8_t mask) {
#if defined(__AVR_ATmega328P__)
  volatile uint8_t* const masks[] = {&PCMSK0, &PCMSK1, &PCMSK2};
  *masks[place] |= mask;
  PCICR |= _BV(place);
#else
  switch (WATCHED[place].port) {
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

}  // namespace

Pin output_pin(uint8_t number) {
  if (number < FIRST_PIN || number > LAST_PIN) return Pin{0, 0};
  return Pin{digitalPinToPort(number), digitalPinToBitMask(number)};
}

Pin input_pin(uint8_t number) {
  Pin pin = output_pin(number);
  for (uint8_t place = 0; place < PLACES; place++) {
    if (WATCHED[place].port == pin.port) return Pin{place, static_cast<uint8_t>(pin.mask & WATCHED[place].mask)};
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
  uint8_t port = WATCHED[pin.port].port;
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
  volatile uint8_t* out = portOutputRegister(pin.port);
  uint8_t sreg = SREG;
  cli();
  if (level) {
    *out |= pin.mask;
  } else {
    *out &= ~pin.mask;
  }
  SREG = sreg;
}

uint8_t read_port(uint8_t port) { return *portInputRegister(WATCHED[port].port); }

const Capture* oldest_capture() { return oldest == newest ? nullptr : &captures[oldest]; }

void drop_capture() { oldest = (oldest + 1) & (limits::CAPTURES - 1); }

}  // namespace hal

// A pin has changed: the stamp and the levels first. When there is no room, the newest capture is corrected, so that
// no level is ever lost.
extern "C" void __vector_of_any_pin() __attribute__((signal, used, externally_visible));
extern "C" void __vector_of_any_pin() {
  using namespace hal;
  uint8_t levels[PLACES];
  read_ports(levels);
  uint32_t stamp = extend(GPIOR1 | GPIOR2 << 8);
  uint8_t next = (newest + 1) & (limits::CAPTURES - 1);
  bool full = next == oldest;
  Capture& capture = captures[full ? (newest - 1) & (limits::CAPTURES - 1) : newest];
  for (uint8_t place = 0; place < PLACES; place++) capture.levels[place] = levels[place];
  if (!full) {
    capture.stamp = stamp;
    newest = next;
  }
  kick();
}

// The timer is read before even the registers are saved: that alone takes 3 us.
#define STAMPED(vector)                              \
  ISR(vector, ISR_NAKED) {                           \
    asm volatile(                                    \
        "push r24 \n\t"                              \
        "lds r24, %0 \n\t"                           \
        "out %1, r24 \n\t"                           \
        "lds r24, %0 + 1 \n\t"                       \
        "out %2, r24 \n\t"                           \
        "pop r24 \n\t"                               \
        "jmp __vector_of_any_pin" ::"n"(_SFR_MEM_ADDR(TCNT1)), \
        "I"(_SFR_IO_ADDR(GPIOR1)), "I"(_SFR_IO_ADDR(GPIOR2))); \
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
