// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes in and out by interrupts, with a ring buffer for each direction. At 500,000 baud a byte takes 20 us, and the
// USART buffers three. ATmega328P datasheet, chapter 20 (USART0); ATmega2560, chapter 22.

#include "avr.h"

namespace hal {

namespace {

constexpr uint32_t BAUD = 500000;
constexpr uint8_t RECEIVE_MASK = limits::RECEIVE_RING - 1, SEND_MASK = limits::SEND_RING - 1;

uint8_t received[limits::RECEIVE_RING];
volatile uint8_t received_head, received_tail, sending_head, sending_tail;
volatile uint8_t frames_received;  // the zero bytes, which end frames, that the interrupt has stored
uint8_t frames_taken;              // those that the main loop has read

// Keep a byte. If the ring buffer is full, drop it: the frame's CRC fails, and the host sends it again.
inline void keep_byte() {
  uint8_t byte = UDR0, head = received_head, next = (head + 1) & RECEIVE_MASK;
  if (next == received_tail) return;
  received[head] = byte;
  received_head = next;
  if (!byte) frames_received++;
}

}  // namespace

uint8_t send_ring[limits::SEND_RING], reserve_index;

// 8 data bits, no parity, 1 stop bit. With U2X0 the USART divides by 8, and 500,000 baud is exact.
void begin_serial() {
  UBRR0 = F_CPU / 8 / BAUD - 1;
  UCSR0A = _BV(U2X0);
  UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
  UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

bool has_received() {
  if (frames_received != frames_taken) return true;
  uint8_t bytes = (received_head - received_tail) & RECEIVE_MASK;
  return bytes >= limits::RECEIVE_RING / 2;  // bytes without a frame end must not fill the ring buffer
}

void poll_receiver() {
  if (UCSR0A & _BV(RXC0)) keep_byte();
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
  // The interrupt sends a byte without a check. If it came between the next two lines it could send all bytes and
  // disable itself, and the second line would then make it send an old byte.
  cli();
  sending_head = reserve_index;
  UCSR0B |= _BV(UDRIE0);
  sei();
}

}  // namespace hal

#if defined(USART_RX_vect)
#define RECEIVED_vect USART_RX_vect
#define EMPTY_vect USART_UDRE_vect
#else
#define RECEIVED_vect USART0_RX_vect
#define EMPTY_vect USART0_UDRE_vect
#endif

ISR(RECEIVED_vect) { hal::keep_byte(); }

// The USART data register is empty: send the next byte. Disable this interrupt after the last one.
ISR(EMPTY_vect) {
  using namespace hal;
  uint8_t tail = sending_tail;
  UDR0 = send_ring[tail];
  tail = (tail + 1) & SEND_MASK;
  sending_tail = tail;
  if (tail == sending_head) UCSR0B &= ~_BV(UDRIE0);
}
