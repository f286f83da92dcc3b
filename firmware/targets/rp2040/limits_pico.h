// SPDX-License-Identifier: BSD-3-Clause
//
// The sizes of all tables and buffers on an RP2040, which has 264 KiB of RAM. limits_uno.h explains each.

#pragma once

#include <stdint.h>

#include "messages.h"

namespace limits {

constexpr uint8_t CHANNELS = 40, GROUPS = 64, REFLEXES = 128, SEQUENCES = 16, ENTRIES = 120;
constexpr uint16_t EVENTS = 1024;
constexpr uint8_t FRAME_BYTES = wire::LONGEST_PAYLOAD + 2;
constexpr uint8_t INPUT_PORTS = 4;
constexpr uint8_t SNAPSHOTS = 128, RECEIVE_RING = 128, SEND_RING = 128;
constexpr uint8_t VOICES = 2, OPENINGS = 128;
constexpr uint8_t CHANNEL_BITS = 8, EDGE_BITS = 8, GROUP_BITS = 8, RANK_BITS = 6;
constexpr char NAME[] = "pico";
typedef uint16_t ActionHead, EdgeKey, EventCount, EventGap;

}  // namespace limits
