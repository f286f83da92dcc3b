// SPDX-License-Identifier: BSD-3-Clause
//
// AVR: the serial port, by interrupts. A byte takes 20 us at 500,000 baud, and the chip itself holds three.

#ifdef __AVR__

#include "hot.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "hal.h"
#include "hal_avr.h"
#include "limits.h"

namespace hal {

namespace {

constexpr uint32_t BAUD = 500000;
constexpr uint8_t RECEIVE_MASK = limits::RECEIVE_RING - 1, SEND_MASK = limits::SEND_RING - 1;

uint8_t received[limits::RECEIVE_RING];
volatile uint8_t received_head, received_tail, sending_head, sending_tail;
volatile uint8_t ends_received;  // how many frames have ended, and how many of these ends have been heard of
uint8_t ends_heard;

}  // namespace

uint8_t sending[limits::SEND_RING], drafted;

void begin_serial() {
  UBRR0 = F_CPU / 8 / BAUD - 1;
  UCSR0A = _BV(U2X0);
  UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
  UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

bool has_received() {
  if (ends_received != ends_heard) return true;
  uint8_t bytes = (received_head - received_tail) & RECEIVE_MASK;
  return bytes >= limits::RECEIVE_RING / 2;  // of what never ends
}

int16_t receive() {
  uint8_t tail = received_tail;
  if (tail == received_head) return -1;
  uint8_t byte = received[tail];
  received_tail = (tail + 1) & RECEIVE_MASK;
  if (!byte) ends_heard++;
  return byte;
}

uint8_t send_room() { return (sending_tail - sending_head - 1) & SEND_MASK; }

void send() {
  cli();  // all of it may have been sent before the next line: then there is nothing to ask for
  sending_head = drafted;
  UCSR0B |= _BV(UDRIE0);
  sei();
}

}  // namespace hal

#if defined(USART_RX_vect)
#define EMPTY_vect USART_UDRE_vect
#else
#define EMPTY_vect USART0_UDRE_vect
#endif

// Both in assembler: they are called for every byte, and a compiler saves more registers than it needs.

// Keep a byte, and count the ends of frames. When there is no room the frame is damaged, and will be sent again.
ISR(RECEIVED_vect, ISR_NAKED) {
  using namespace hal;
  asm volatile(
      "push r24 \n\t"
      "in r24, __SREG__ \n\t"
      "push r24 \n\t"
      "push r25 \n\t"
      "push r30 \n\t"
      "push r31 \n\t"
      "lds r25, %[data] \n\t"
      "lds r30, %[head] \n\t"
      "mov r24, r30 \n\t"
      "inc r24 \n\t"
      "andi r24, %[mask] \n\t"
      "lds r31, %[tail] \n\t"
      "cp r24, r31 \n\t"
      "breq 1f \n\t"
      "sts %[head], r24 \n\t"
      "ldi r31, 0 \n\t"
      "subi r30, lo8(-(%[ring])) \n\t"
      "sbci r31, hi8(-(%[ring])) \n\t"
      "st Z, r25 \n\t"
      "tst r25 \n\t"
      "brne 1f \n\t"
      "lds r24, %[ends] \n\t"
      "inc r24 \n\t"
      "sts %[ends], r24 \n"
      "1: pop r31 \n\t"
      "pop r30 \n\t"
      "pop r25 \n\t"
      "pop r24 \n\t"
      "out __SREG__, r24 \n\t"
      "pop r24 \n\t"
      "reti" ::[data] "n"(_SFR_MEM_ADDR(UDR0)),
      [head] "i"(&received_head), [tail] "i"(&received_tail), [ends] "i"(&ends_received), [ring] "i"(received),
      [mask] "M"(RECEIVE_MASK));
}

// Send the next byte; ask for no more behind the last.
ISR(EMPTY_vect, ISR_NAKED) {
  using namespace hal;
  asm volatile(
      "push r24 \n\t"
      "in r24, __SREG__ \n\t"
      "push r24 \n\t"
      "push r30 \n\t"
      "push r31 \n\t"
      "lds r30, %[tail] \n\t"
      "mov r24, r30 \n\t"
      "inc r24 \n\t"
      "andi r24, %[mask] \n\t"
      "sts %[tail], r24 \n\t"
      "ldi r31, 0 \n\t"
      "subi r30, lo8(-(%[ring])) \n\t"
      "sbci r31, hi8(-(%[ring])) \n\t"
      "ld r30, Z \n\t"
      "sts %[data], r30 \n\t"
      "lds r30, %[head] \n\t"
      "cpse r24, r30 \n\t"
      "rjmp 1f \n\t"
      "lds r24, %[control] \n\t"
      "andi r24, %[silent] \n\t"
      "sts %[control], r24 \n"
      "1: pop r31 \n\t"
      "pop r30 \n\t"
      "pop r24 \n\t"
      "out __SREG__, r24 \n\t"
      "pop r24 \n\t"
      "reti" ::[data] "n"(_SFR_MEM_ADDR(UDR0)),
      [control] "n"(_SFR_MEM_ADDR(UCSR0B)), [silent] "M"(0xFF & ~_BV(UDRIE0)), [head] "i"(&sending_head),
      [tail] "i"(&sending_tail), [ring] "i"(sending), [mask] "M"(SEND_MASK));
}

#endif
