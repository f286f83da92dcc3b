// SPDX-License-Identifier: BSD-3-Clause
//
// What the files of this target share, and the sketch calls.

#pragma once

#include <avr/io.h>
#include <stdint.h>

#include "flags.h"

namespace hal {

// Prepare the chip: its clock, its serial port at 500,000 baud, its watchdog.
void begin();

// Tell the watchdog that the loop still runs; it must hear so every 120 ms.
void kick_watchdog();

// Sleep until there is something to do.
void sleep();

// Each of these belongs to one file.
void begin_clock();
void begin_serial();
void begin_watchdog();

// Have scheduler::run called before anything else goes on. Only for interrupts.
void run_scheduler();

// Take a byte that has arrived, with interrupts off: calling its interrupt, which saves all that it uses, puts them on
// for no more than the instruction behind it.
#if defined(USART_RX_vect)
#define RECEIVED_vect USART_RX_vect
#else
#define RECEIVED_vect USART0_RX_vect
#endif
extern "C" void RECEIVED_vect();
inline __attribute__((always_inline)) void poll_receiver() {
  if (UCSR0A & _BV(RXC0)) asm volatile("call %x0 \n\t cli" ::"i"(RECEIVED_vect) : "memory");
}

// Tell whether there is a capture that the eyes have not seen; show them the first of those. Only with interrupts off.
extern volatile uint8_t first_unhandled;  // where it is kept
extern volatile uint8_t newest;           // where the next will be
inline bool has_unhandled() { return first_unhandled != newest; }
void dispatch_oldest();

// The panic input, and its level when all is well; no mask: there is none. It is active: only with interrupts off.
#if defined(__AVR_ATmega328P__)
typedef uint8_t Address;  // all of its ports have short ones
#else
typedef uint16_t Address;
#endif
struct Button {
  Address levels;  // of its port
  uint8_t mask, idle;
};
extern Button button;
extern "C" void __vector_panic();
inline __attribute__((always_inline)) void panic() {  // it saves all registers that it uses
  asm volatile("call %x0 \n\t cli" ::"i"(__vector_panic) : "memory");
}
inline __attribute__((always_inline)) void look_at_button() {
  uint8_t mask = button.mask;
  if (mask && (*reinterpret_cast<volatile uint8_t*>(button.levels) ^ button.idle) & mask) panic();
}
void forget_panic();

// Put all outputs at rest, whatever they execute. Only with interrupts off.
void rest_outputs();

// Tell whether enough bytes have arrived to be worth the loop's time: a frame, or half the room for them.
bool has_received();

}  // namespace hal
