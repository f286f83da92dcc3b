// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes in and out by the interrupt of UART 0, with a ring buffer for each direction (4.2). At 500,000 baud a byte
// takes 20 us; the UART keeps 32 of them each way.

#include "port.h"

namespace hal {

using registers::at;

namespace {

// 200 MHz / 16 / 500,000.
constexpr uint32_t DIVISOR = 25, FRACTION = 0;
constexpr uint32_t EIGHT_BITS_WITH_FIFO = 0x70, RECEIVE_AND_SEND = 0x301;
constexpr uint32_t AN_EIGHTH_FULL = 0x00;
constexpr uint8_t RECEIVE_MASK = limits::RECEIVE_RING - 1;

uint8_t received[limits::RECEIVE_RING];
volatile uint8_t received_head, received_tail;
volatile uint8_t frames_received;  // the zero bytes, which end frames, that the interrupt has stored
uint8_t frames_taken;              // those that the main loop has read

// Keep a byte. If the ring buffer is full, drop it: the frame's CRC fails, and the host sends it again.
void keep_byte(uint8_t byte) {
  uint8_t head = received_head, next = (head + 1) & RECEIVE_MASK;
  if (next == received_tail) return;
  received[head] = byte;
  received_head = next;
  if (!byte) frames_received++;
}

// Fill the UART. Its interrupt comes when it has room again.
void send_more() {
  uint8_t tail = sending_tail;
  while (tail != sending_head && !(at(registers::UART_FLAGS) & registers::UART_IS_FULL)) {
    at(registers::UART_DATA) = send_ring[tail];
    tail = (tail + 1) & SEND_MASK;
  }
  sending_tail = tail;
  const bool has_more = tail != sending_head;
  at(registers::UART_INTERRUPTS) =
      registers::UART_RECEIVED | registers::UART_WAITED | (has_more ? registers::UART_HAS_ROOM : 0);
}

}  // namespace

void begin_port() {
  registers::pin_function(0) = registers::pin_function(1) = registers::USED_BY_UART;
  registers::pad(1) = registers::PAD_INPUT | registers::PAD_SCHMITT;
  at(registers::UART_DIVISOR) = DIVISOR;
  at(registers::UART_FRACTION) = FRACTION;
  at(registers::UART_LINE) = EIGHT_BITS_WITH_FIFO;  // the divisors count from this write on (4.2.7.1)
  at(registers::UART_CONTROL) = RECEIVE_AND_SEND;
  at(registers::UART_LEVELS) = AN_EIGHTH_FULL;
  at(registers::UART_INTERRUPTS) = registers::UART_RECEIVED | registers::UART_WAITED;
  enable(registers::UART);
}

bool has_port_work() {
  if (frames_received != frames_taken) return true;
  uint8_t bytes = (received_head - received_tail) & RECEIVE_MASK;
  return bytes >= limits::RECEIVE_RING / 2;  // bytes without a frame end must not fill the ring buffer
}

void serve_port() {}  // its interrupt moves all bytes

int16_t receive() {
  uint8_t tail = received_tail;
  if (tail == received_head) return -1;
  uint8_t byte = received[tail];
  received_tail = (tail + 1) & RECEIVE_MASK;
  if (!byte) frames_taken++;
  return byte;
}

void send() {
  InterruptsOff off;
  sending_head = reserve_index;
  send_more();
}

}  // namespace hal

extern "C" void on_uart() {
  using namespace hal;
  while (!(at(registers::UART_FLAGS) & registers::UART_NOTHING_RECEIVED)) keep_byte(at(registers::UART_DATA));
  at(registers::UART_CLEAR) = registers::UART_WAITED | registers::UART_HAS_ROOM;
  send_more();
}
