// SPDX-License-Identifier: BSD-3-Clause

#include "usb_device.h"

#include <string.h>

#include "limits.h"

namespace usb {

namespace {

// Types of requests: the direction in the highest bit, standard or class, the recipient.
constexpr uint8_t TO_HOST = 0x80, OF_CLASS = 0x20, KIND = 0x60, DEVICE = 0, INTERFACE = 1, ENDPOINT = 2;
constexpr uint8_t GET_STATUS = 0, CLEAR_FEATURE = 1, SET_FEATURE = 3, SET_ADDRESS = 5, GET_DESCRIPTOR = 6,
                  GET_CONFIGURATION = 8, SET_CONFIGURATION = 9;
constexpr uint8_t SET_LINE_CODING = 0x20, GET_LINE_CODING = 0x21, SET_CONTROL_LINE_STATE = 0x22;
constexpr uint16_t ENDPOINT_HALT = 0, DTR = 1;
constexpr uint8_t DEVICE_DESCRIPTOR = 1, CONFIGURATION = 2, STRING = 3, INTERFACE_DESCRIPTOR = 4,
                  ENDPOINT_DESCRIPTOR = 5, CLASS_INTERFACE = 0x24;
constexpr uint8_t INTERFACES = 2;

// Vendor and product are those of a Raspberry Pi Pico with a serial port of the Pico SDK, from Raspberry Pi's public
// list: the systems know them, and the names below tell which program runs.
constexpr uint16_t VENDOR = 0x2E8A, PRODUCT = 0x000A;

constexpr uint8_t low(uint16_t value) { return value & 0xFF; }
constexpr uint8_t high(uint16_t value) { return value >> 8; }

// clang-format off
const uint8_t DEVICE_BYTES[] = {
    18, DEVICE_DESCRIPTOR, 0x00, 0x02,  // USB 2.0
    2, 0, 0,                            // a communications device
    PACKET_BYTES, low(VENDOR), high(VENDOR), low(PRODUCT), high(PRODUCT),
    low(limits::FIRMWARE), high(limits::FIRMWARE), 1, 2, 3, 1};

constexpr uint8_t CONFIGURATION_LENGTH = 67, HALF_MILLIAMPERES = 125;
const uint8_t CONFIGURATION_BYTES[] = {
    9, CONFIGURATION, CONFIGURATION_LENGTH, 0, INTERFACES, 1, 0, 0x80, HALF_MILLIAMPERES,
    9, INTERFACE_DESCRIPTOR, 0, 0, 1, 2, 2, 0, 0,  // Abstract Control Model
    5, CLASS_INTERFACE, 0, 0x20, 0x01,             // CDC 1.2
    5, CLASS_INTERFACE, 1, 0, 1,                   // no calls
    4, CLASS_INTERFACE, 2, 2,                      // it has line coding and line state
    5, CLASS_INTERFACE, 6, 0, 1,                   // interface 0 controls interface 1
    7, ENDPOINT_DESCRIPTOR, NOTIFICATIONS, 3, 8, 0, 255,
    9, INTERFACE_DESCRIPTOR, 1, 0, 2, 10, 0, 0, 0,
    7, ENDPOINT_DESCRIPTOR, DATA_OUT, 2, PACKET_BYTES, 0, 0,
    7, ENDPOINT_DESCRIPTOR, DATA_IN, 2, PACKET_BYTES, 0, 0};
// clang-format on
static_assert(sizeof(CONFIGURATION_BYTES) == CONFIGURATION_LENGTH, "it has its length in its third byte");

constexpr uint8_t SERIAL_DIGITS = 16;
char serial_number[SERIAL_DIGITS + 1];
const char* const STRINGS[] = {nullptr, "rig", "rig board", serial_number};
constexpr uint8_t LONGEST_ANSWER = 2 + 2 * SERIAL_DIGITS;
uint8_t written[LONGEST_ANSWER];  // an answer that is no constant

enum Stage : uint8_t { IDLE, SENDING, RECEIVING, STATUS_IN, STATUS_OUT };
Stage stage;
const uint8_t* unsent;
uint16_t unsent_bytes;
bool ends_short, toggle;  // a packet of less than 64 bytes must end the data; the toggle of the next packet

uint8_t own_address, next_address;
bool configured, has_dtr;
uint8_t halted, restarted;  // a bit for each endpoint

struct __attribute__((packed)) LineCoding {
  uint32_t baud;
  uint8_t stop_bits, parity, data_bits;
};
constexpr LineCoding USUAL_CODING = {115200, 0, 0, 8};
constexpr uint32_t BOOTLOADER_BAUD = 1200;
LineCoding coding = USUAL_CODING;

uint8_t bit_of(uint8_t endpoint) {
  switch (endpoint) {
    case NOTIFICATIONS: return 1;
    case DATA_OUT: return 2;
    case DATA_IN: return 4;
    default: return 0;
  }
}
constexpr uint8_t ALL_ENDPOINTS = 7;

// The answer to a request: refused, or the bytes for the host.
struct Answer {
  bool refused;
  const uint8_t* bytes;
  uint16_t length;
};
constexpr Answer REFUSED = {true, nullptr, 0}, DONE = {false, nullptr, 0};

Answer write(uint8_t first, uint8_t length) {
  written[0] = first;
  written[1] = 0;
  return {false, written, length};
}

Answer write_string(uint8_t index) {
  if (index >= sizeof(STRINGS) / sizeof(STRINGS[0])) return REFUSED;
  static const uint8_t LANGUAGES[] = {4, STRING, 0x09, 0x04};  // English
  if (!index) return {false, LANGUAGES, sizeof(LANGUAGES)};
  const char* text = STRINGS[index];
  uint8_t length = 2;
  for (; *text; text++) {
    written[length++] = *text;
    written[length++] = 0;
  }
  written[0] = length;
  written[1] = STRING;
  return {false, written, length};
}

Answer descriptor(uint16_t value) {
  switch (value >> 8) {
    case DEVICE_DESCRIPTOR: return {false, DEVICE_BYTES, sizeof(DEVICE_BYTES)};
    case CONFIGURATION:
      if (value & 0xFF) return REFUSED;
      return {false, CONFIGURATION_BYTES, sizeof(CONFIGURATION_BYTES)};
    case STRING: return write_string(value);
    default: return REFUSED;
  }
}

Answer set_configuration(uint16_t value) {
  if (value > 1) return REFUSED;
  configured = value;
  has_dtr = false;
  halted = 0;
  restarted = ALL_ENDPOINTS;
  return DONE;
}

Answer halt(const Setup& setup, bool on) {
  const uint8_t bit = bit_of(setup.index);
  if (setup.value != ENDPOINT_HALT || !configured || !bit) return REFUSED;
  halted = on ? halted | bit : halted & ~bit;
  restarted |= bit;
  return DONE;
}

Answer endpoint_status(uint16_t endpoint) {
  const bool is_control = !(endpoint & 0x7F);
  if (!is_control && !(configured && bit_of(endpoint))) return REFUSED;
  return write(is_halted(endpoint), 2);
}

Answer answer_standard(const Setup& setup) {
  switch (setup.type << 8 | setup.request) {
    case (TO_HOST | DEVICE) << 8 | GET_STATUS: return write(0, 2);
    case (TO_HOST | INTERFACE) << 8 | GET_STATUS: return configured && setup.index < INTERFACES ? write(0, 2) : REFUSED;
    case (TO_HOST | ENDPOINT) << 8 | GET_STATUS: return endpoint_status(setup.index);
    case ENDPOINT << 8 | CLEAR_FEATURE: return halt(setup, false);
    case ENDPOINT << 8 | SET_FEATURE: return halt(setup, true);
    case DEVICE << 8 | SET_ADDRESS:
      if (setup.value > 127) return REFUSED;
      next_address = setup.value;
      return DONE;
    case (TO_HOST | DEVICE) << 8 | GET_DESCRIPTOR: return descriptor(setup.value);
    case (TO_HOST | DEVICE) << 8 | GET_CONFIGURATION: return write(configured, 1);
    case DEVICE << 8 | SET_CONFIGURATION: return set_configuration(setup.value);
    default: return REFUSED;
  }
}

Answer answer_class(const Setup& setup) {
  if (!configured) return REFUSED;
  switch ((setup.type & TO_HOST) << 8 | setup.request) {
    case SET_LINE_CODING: return setup.length == sizeof(coding) ? DONE : REFUSED;
    case TO_HOST << 8 | GET_LINE_CODING: return {false, reinterpret_cast<const uint8_t*>(&coding), sizeof(coding)};
    case SET_CONTROL_LINE_STATE: has_dtr = setup.value & DTR; return DONE;
    default: return REFUSED;
  }
}

Step go_to(Stage next, Step::Kind kind) {
  stage = next;
  return {kind, true, 0, nullptr};
}

Step refuse() { return go_to(IDLE, Step::STALL); }

Step send_next() {
  const uint8_t length = unsent_bytes < PACKET_BYTES ? unsent_bytes : PACKET_BYTES;
  const Step step = {Step::SEND, toggle, length, unsent};
  unsent += length;
  unsent_bytes -= length;
  toggle = !toggle;
  if (length < PACKET_BYTES) ends_short = false;
  return step;
}

}  // namespace

void begin(const uint8_t* number) {
  for (uint8_t digit = 0; digit < SERIAL_DIGITS; digit++) {
    serial_number[digit] = "0123456789ABCDEF"[number[digit / 2] >> (digit % 2 ? 0 : 4) & 0xF];
  }
  reset();
}

void reset() {
  stage = IDLE;
  own_address = next_address = 0;
  configured = has_dtr = false;
  halted = 0;
  restarted = ALL_ENDPOINTS;
  coding = USUAL_CODING;
}

// A request whose data come from the host is answered when they have come.
Step answer(const Setup& setup) {
  next_address = own_address;
  const uint8_t kind = setup.type & KIND;
  const bool has_data_from_host = setup.length && !(setup.type & TO_HOST);
  if (has_data_from_host && !(kind == OF_CLASS && setup.request == SET_LINE_CODING)) return refuse();
  const Answer answer = kind == 0 ? answer_standard(setup) : kind == OF_CLASS ? answer_class(setup) : REFUSED;
  if (answer.refused) return refuse();
  if (has_data_from_host) return go_to(RECEIVING, Step::RECEIVE);
  if (!setup.length) return go_to(STATUS_IN, Step::SEND);
  stage = SENDING;
  unsent = answer.bytes;
  ends_short = answer.length < setup.length;
  unsent_bytes = ends_short ? answer.length : setup.length;
  toggle = true;
  return send_next();
}

Step on_sent() {
  if (stage == SENDING) return unsent_bytes || ends_short ? send_next() : go_to(STATUS_OUT, Step::RECEIVE);
  if (stage == STATUS_IN) own_address = next_address;
  return go_to(IDLE, Step::WAIT);
}

Step on_received(const uint8_t* bytes, uint8_t length) {
  if (stage != RECEIVING) return go_to(IDLE, Step::WAIT);
  if (length != sizeof(coding)) return refuse();
  memcpy(&coding, bytes, sizeof(coding));
  return go_to(STATUS_IN, Step::SEND);
}

uint8_t address() { return own_address; }

bool is_configured() { return configured; }

bool is_open() { return configured && has_dtr; }

bool is_bootloader_requested() { return stage == IDLE && coding.baud == BOOTLOADER_BAUD && !has_dtr; }

bool is_halted(uint8_t endpoint) { return halted & bit_of(endpoint); }

bool take_restart(uint8_t endpoint) {
  const uint8_t bit = bit_of(endpoint);
  const bool is_due = restarted & bit;
  restarted &= ~bit;
  return is_due;
}

}  // namespace usb
