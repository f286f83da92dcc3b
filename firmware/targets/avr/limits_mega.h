// SPDX-License-Identifier: BSD-3-Clause
//
// The sizes of all tables and buffers on an ATmega2560, which has 8 KiB of RAM. limits_uno.h explains each.

#pragma once

#include <stdint.h>

#include "messages.h"

namespace limits {

constexpr uint8_t CHANNELS = 40, GROUPS = 32, REFLEXES = 64, SEQUENCES = 16, ENTRIES = 120;
constexpr uint16_t EVENTS = 256;
constexpr uint8_t FRAME_BYTES = wire::LONGEST_PAYLOAD + 2;
constexpr uint8_t INPUT_PORTS = 5;
constexpr bool PIN_FLAGS = false;  // ports D and E have them; the firmware treats all ports alike
constexpr uint8_t SNAPSHOTS = 16, RECEIVE_RING = 128, SEND_RING = 128;
constexpr uint8_t VOICES = 2, OPENINGS = 32;
constexpr uint8_t SOURCES = 0, THRESHOLD_PORTS = 0;
constexpr uint8_t CHANNEL_BITS = 8, EDGE_BITS = 8, GROUP_BITS = 8, RANK_BITS = 5;
constexpr char NAME[] = "mega";
typedef uint16_t ActionHead, EdgeKey, EventCount, EventGap;

}  // namespace limits
