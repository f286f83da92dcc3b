// SPDX-License-Identifier: BSD-3-Clause
//
// The port to the host: USB (port_usb.cpp) or UART 0 (port_uart.cpp), of which an image has one. Both take the bytes
// for the host from the same ring buffer.

#pragma once

#include "rp2040.h"

namespace hal {

// The bytes of hal::send_ring from the tail up to the head are to be sent.
constexpr uint8_t SEND_MASK = limits::SEND_RING - 1;
extern volatile uint8_t sending_head, sending_tail;

}  // namespace hal
