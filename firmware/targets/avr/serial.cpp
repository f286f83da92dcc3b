// SPDX-License-Identifier: BSD-3-Clause
//
// the serial port, by interrupts. A byte takes 20 us at 500,000 baud, and the chip itself holds three.

#include <avr/interrupt.h>
#include <avr/io.h>

#include "avr.h"
#include "hal.h"
#include "limits.h"

namespace hal {

namespace {

constexpr uint32_t BAUD = 500000;
constexpr uint8_t RECEIVE_MASK = limits::RECEIVE_RING - 1, SEND_MASK = limits::SEND_RING - 1;

uint8_t received[limits::RECEIVE_RING];
volatile uint8_t received_head, received_tail, sending_head, sending_tail;
volatile uint8_t frames_received;  // how many frames have ended, and how many of these ends have been heard of
uint8_t frames_taken;

}  // namespace

uint8_t sending[limits::SEND_RING], reserved;

void begin_serial() {
  UBRR0 = F_CPU / 8 / BAUD - 1;
  UCSR0A = _BV(U2X0);
  UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
  UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

bool has_received() {
  if (frames_received != frames_taken) return true;
  uint8_t bytes = (received_head - received_tail) & RECEIVE_MASK;
  return bytes >= limits::RECEIVE_RING / 2;  // of what never ends
}

int16_t receive() {
  uint8_t tail = received_tail;
  if (tail == received_head) return -1;
  uint8_t byte = received[tail];
  received_tail = (tail + 1) & RECEIVE_MASK;
  if (!byte) frames_taken++;
  return byte;
}

uint8_t send_capacity() { return (sending_tail - sending_head - 1) & SEND_MASK; }

void send() {
  cli();  // all of it may have been sent before the next line: then there is nothing to ask for
  sending_head = reserved;
  UCSR0B |= _BV(UDRIE0);
  sei();
}

}  // namespace hal

#if defined(USART_RX_vect)
#define EMPTY_vect USART_UDRE_vect
#else
#define EMPTY_vect USART0_UDRE_vect
#endif

// Keep a byte, and count the ends of frames. When there is no room the frame is damaged, and will be sent again.
ISR(RECEIVED_vect) {
  using namespace hal;
  uint8_t byte = UDR0, head = received_head, next = (head + 1) & RECEIVE_MASK;
  if (next == received_tail) return;
  received[head] = byte;
  received_head = next;
  if (!byte) frames_received++;
}

// Send the next byte; ask for no more behind the last.
ISR(EMPTY_vect) {
  using namespace hal;
  uint8_t tail = sending_tail;
  UDR0 = sending[tail];
  tail = (tail + 1) & SEND_MASK;
  sending_tail = tail;
  if (tail == sending_head) UCSR0B &= ~_BV(UDRIE0);
}
