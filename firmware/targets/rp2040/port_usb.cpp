// SPDX-License-Identifier: BSD-3-Clause
//
// The port as a serial port on USB (4.1). Everything is done in the main loop: the interrupt only ends its sleep, so
// that no packet delays an edge. Each endpoint has one buffer in the controller's memory. The host waits (NAK) for the
// main loop, and the main loop for nothing: bytes for a host that does not read stay in the ring buffer, and those for
// a closed port are dropped, as on a UART without a computer.

#include <string.h>

#include "flash.h"
#include "port.h"
#include "usb_device.h"

namespace hal {

using registers::at;

namespace {

// Packets for the host are never full: a full one would make it wait for another.
constexpr uint8_t LONGEST_PACKET = usb::PACKET_BYTES - 1;

// The buffers in the controller's memory: that of endpoint 0 has its place, the others follow (4.1.2.5).
constexpr uint32_t CONTROL_BUFFER = 0x100, NOTIFICATION_BUFFER = 0x180, OUT_BUFFER = 0x1C0, IN_BUFFER = 0x200;

// Words of the memory, and bits of USB_DONE, by an endpoint's address.
constexpr uint8_t place_of(uint8_t endpoint) { return 2 * (endpoint & 0xF) + (endpoint & 0x80 ? 0 : 1); }
constexpr uint8_t CONTROL_OUT = 0x00, CONTROL_IN = 0x80;
constexpr uint32_t bit_of(uint8_t endpoint) { return 1 << place_of(endpoint); }
volatile uint32_t& control_of(uint8_t endpoint) { return at(registers::USB_MEMORY + 4 * place_of(endpoint)); }
volatile uint32_t& buffer_of(uint8_t endpoint) { return at(registers::USB_BUFFER_CONTROL + 4 * place_of(endpoint)); }
volatile uint8_t* bytes_at(uint32_t offset) {
  return reinterpret_cast<volatile uint8_t*>(registers::USB_MEMORY + offset);
}

constexpr uint32_t FOR_MAIN_LOOP = registers::USB_BUFFERS | registers::USB_BUS_RESET | registers::USB_SETUP;

volatile bool has_work;             // the interrupt has left something to the main loop
volatile uint32_t frame_began_us;   // when the bus last began a frame, which it does each millisecond
bool is_talking;                    // the host has sent something since it opened the port
bool begins_anew;                   // this is to be told to the reader of the bytes from the host
bool may_send, sends_1, expects_1;  // the buffer for the host is free; the toggles of the next packets
uint8_t arrived, taken;             // the bytes of the packet from the host, and those that were read

// The controller takes a word's AVAILABLE bit only after the others: by a cycle of its 48 MHz (4.1.2.5.1).
void arm(uint8_t endpoint, uint32_t word) {
  buffer_of(endpoint) = word;
  asm volatile("nop\n nop\n nop\n nop\n nop\n nop" ::: "memory");
  buffer_of(endpoint) = word | registers::USB_AVAILABLE;
}

uint32_t toggled(bool data_1) { return data_1 ? registers::USB_DATA_1 : 0; }

void accept_packet() {
  arrived = taken = 0;
  arm(usb::DATA_OUT, toggled(expects_1) | usb::PACKET_BYTES);
}

// Return whether the frame is about to end. A packet that is offered in its last fifth may hang the controller if the
// bus has an error then (erratum RP2040-E15). 20 us are for an interrupt that was late.
bool is_frame_ending() { return now_us() - frame_began_us - 780 < 220; }

bool can_send() { return may_send && sending_tail != sending_head && !is_frame_ending(); }

void send_packet() {
  if (!can_send()) return;
  uint8_t tail = sending_tail, length = 0;
  while (tail != sending_head && length < LONGEST_PACKET) {
    bytes_at(IN_BUFFER)[length++] = send_ring[tail];
    tail = (tail + 1) & SEND_MASK;
  }
  InterruptsOff off;              // nothing may come between the look at the time and the offer
  if (is_frame_ending()) return;  // the bytes stay in the ring buffer
  sending_tail = tail;
  may_send = false;
  arm(usb::DATA_IN, registers::USB_FULL | toggled(sends_1) | length);
  sends_1 = !sends_1;
}

// Return whether an endpoint must begin again. What was in its buffer is lost: its frame is sent again.
bool is_restarted(uint8_t endpoint) {
  if (!usb::take_restart(endpoint)) return false;
  buffer_of(endpoint) = usb::is_halted(endpoint) ? registers::USB_STALL : 0;
  at(registers::USB_DONE + registers::CLEAR) = bit_of(endpoint);
  return true;
}

bool is_ready(uint8_t endpoint) { return usb::is_configured() && !usb::is_halted(endpoint); }

void restart_endpoints() {
  is_restarted(usb::NOTIFICATIONS);
  if (is_restarted(usb::DATA_IN)) {
    may_send = is_ready(usb::DATA_IN);
    sends_1 = false;
  }
  if (is_restarted(usb::DATA_OUT)) {
    arrived = taken = 0;
    expects_1 = false;
    if (is_ready(usb::DATA_OUT)) accept_packet();
  }
}

// The port is silent until the host speaks: what came before, the computer's terminal might echo. Then each side gets a
// zero byte, which ends the half of a frame that it may have of the time before.
void begin_talk() {
  if (is_talking || !usb::is_open()) return;
  is_talking = begins_anew = true;
  reserve_byte(0);
  send();
}

void end_talk() {
  is_talking = false;
  sending_tail = sending_head;
}

void follow(const usb::Step& step) {
  switch (step.kind) {
    case usb::Step::WAIT: break;
    case usb::Step::SEND:
      for (uint8_t index = 0; index < step.length; index++) bytes_at(CONTROL_BUFFER)[index] = step.bytes[index];
      arm(CONTROL_IN, registers::USB_FULL | toggled(step.data_1) | step.length);
      break;
    case usb::Step::RECEIVE: arm(CONTROL_OUT, toggled(step.data_1) | usb::PACKET_BYTES); break;
    case usb::Step::STALL:
      at(registers::USB_STALL_CONTROL) = bit_of(CONTROL_IN) | bit_of(CONTROL_OUT);
      buffer_of(CONTROL_IN) = buffer_of(CONTROL_OUT) = registers::USB_STALL;
  }
  at(registers::USB_ADDRESS) = usb::address();
  restart_endpoints();
  if (!usb::is_open()) end_talk();
  if (usb::is_bootloader_requested()) start_bootloader();
}

// What the host was doing has ended: all buffers are empty, and it configures the device again.
void on_bus_reset() {
  at(registers::USB_STATUS + registers::CLEAR) = registers::USB_GOT_RESET | registers::USB_GOT_SETUP;
  at(registers::USB_DONE + registers::CLEAR) = 0xFFFFFFFF;
  buffer_of(CONTROL_IN) = buffer_of(CONTROL_OUT) = 0;
  usb::reset();
  follow({usb::Step::WAIT, false, 0, nullptr});
}

void on_buffers() {
  const uint32_t done = at(registers::USB_DONE);
  at(registers::USB_DONE + registers::CLEAR) = done;
  if (done & bit_of(CONTROL_IN)) follow(usb::on_sent());
  if (done & bit_of(CONTROL_OUT)) {
    uint8_t bytes[usb::PACKET_BYTES];
    const uint8_t length = buffer_of(CONTROL_OUT) & registers::USB_LENGTH;
    for (uint8_t index = 0; index < length; index++) bytes[index] = bytes_at(CONTROL_BUFFER)[index];
    follow(usb::on_received(bytes, length));
  }
  if (done & bit_of(usb::DATA_IN)) may_send = true;
  if (done & bit_of(usb::DATA_OUT)) {
    arrived = buffer_of(usb::DATA_OUT) & registers::USB_LENGTH;
    expects_1 = !expects_1;
    begin_talk();
    if (!arrived) accept_packet();
  }
}

// A SETUP ends the request before it, whose buffers the controller leaves as they are. The next one may come while this
// one is read.
void on_setup() {
  uint32_t words[2];
  do {
    at(registers::USB_STATUS + registers::CLEAR) = registers::USB_GOT_SETUP;
    words[0] = at(registers::USB_MEMORY);
    words[1] = at(registers::USB_MEMORY + 4);
  } while (at(registers::USB_STATUS) & registers::USB_GOT_SETUP);
  buffer_of(CONTROL_IN) = buffer_of(CONTROL_OUT) = 0;
  at(registers::USB_DONE + registers::CLEAR) = bit_of(CONTROL_IN) | bit_of(CONTROL_OUT);
  usb::Setup setup;
  memcpy(&setup, words, sizeof(setup));
  follow(usb::answer(setup));
}

void begin_endpoint(uint8_t endpoint, uint32_t type, uint32_t buffer) {
  control_of(endpoint) = registers::USB_ENDPOINT_ENABLE | registers::USB_ENDPOINT_INTERRUPTS | type | buffer;
}

}  // namespace

void begin_port() {
  usb::begin(flash::number());
  for (uint32_t offset = 0; offset < CONTROL_BUFFER; offset += 4) at(registers::USB_MEMORY + offset) = 0;
  begin_endpoint(usb::NOTIFICATIONS, registers::USB_ENDPOINT_INTERRUPT, NOTIFICATION_BUFFER);
  begin_endpoint(usb::DATA_OUT, registers::USB_ENDPOINT_BULK, OUT_BUFFER);
  begin_endpoint(usb::DATA_IN, registers::USB_ENDPOINT_BULK, IN_BUFFER);
  at(registers::USB_MUXING) = registers::USB_TO_PHY | registers::USB_SOFT_CONNECT;
  at(registers::USB_POWER) = registers::USB_VBUS_IS_THERE;  // a cable that is put back resets the bus
  at(registers::USB_CONTROL) = registers::USB_ENABLE;
  at(registers::USB_ENABLES) = FOR_MAIN_LOOP | registers::USB_FRAME_START;
  enable(registers::USB);
  at(registers::USB_LINE) = registers::USB_CONTROL_INTERRUPTS | registers::USB_PULL_UP;
}

void serve_port() {
  if (has_work) {
    has_work = false;
    const uint32_t raised = at(registers::USB_RAISED);
    if (raised & registers::USB_BUS_RESET) on_bus_reset();
    if (raised & registers::USB_BUFFERS) on_buffers();
    if (raised & registers::USB_SETUP) on_setup();
    at(registers::USB_ENABLES + registers::SET) = FOR_MAIN_LOOP;
  }
  send_packet();
}

bool has_port_work() { return has_work || begins_anew || taken != arrived || can_send(); }

int16_t receive() {
  if (begins_anew) {
    begins_anew = false;
    return 0;
  }
  if (taken == arrived) return -1;
  const uint8_t byte = bytes_at(OUT_BUFFER)[taken++];
  if (taken == arrived) accept_packet();
  return byte;
}

void send() {
  sending_head = reserve_index;
  if (!is_talking) sending_tail = sending_head;
  send_packet();
}

}  // namespace hal

extern "C" void on_usb() {
  using namespace hal;
  const uint32_t causes = at(registers::USB_CAUSES);
  if (causes & registers::USB_FRAME_START) {
    static_cast<void>(uint32_t{at(registers::USB_FRAME)});  // the read ends this cause
    frame_began_us = now_us();
  }
  if (!(causes & FOR_MAIN_LOOP)) return;
  at(registers::USB_ENABLES + registers::CLEAR) = causes & FOR_MAIN_LOOP;
  has_work = true;
}
