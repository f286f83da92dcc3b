// SPDX-License-Identifier: BSD-3-Clause
//
// What the port is as a USB device: its descriptors, and its answers on endpoint 0. USB 2.0 specification, chapter 9;
// CDC 1.2 and its subclass PSTN 1.2, 6.3 (Abstract Control Model, a serial port). This has no registers: port_usb.cpp
// moves the packets, and the tests run it on the computer.

#pragma once

#include <stdint.h>

namespace usb {

constexpr uint8_t PACKET_BYTES = 64;
constexpr uint8_t NOTIFICATIONS = 0x81, DATA_OUT = 0x02, DATA_IN = 0x82;  // addresses of endpoints; 0x80 is IN

struct __attribute__((packed)) Setup {
  uint8_t type, request;
  uint16_t value, index, length;
};

// What to do next on endpoint 0: send a packet of some bytes, receive one, refuse the request, or wait for a SETUP.
struct Step {
  enum Kind : uint8_t { WAIT, SEND, RECEIVE, STALL } kind;
  bool data_1;  // the packet's data toggle
  uint8_t length;
  const uint8_t* bytes;
};

// Set the eight bytes of the serial number.
void begin(const uint8_t* number);

// Forget the host, after a reset of the bus.
void reset();

// Handle a SETUP; and a packet that the host has received or sent. Return what is next.
Step answer(const Setup& setup);
Step on_sent();
Step on_received(const uint8_t* bytes, uint8_t length);

uint8_t address();
bool is_configured();

// Return whether a program has opened the port: it is configured, and the DTR line is on.
bool is_open();

// Return whether the host has asked for the bootloader: by 1200 baud with the DTR line off, as for an Arduino.
bool is_bootloader_requested();

// Return whether the host has halted an endpoint.
bool is_halted(uint8_t endpoint);

// Return whether an endpoint must begin again with toggle 0, or stall, since this was last asked.
bool take_restart(uint8_t endpoint);

}  // namespace usb
