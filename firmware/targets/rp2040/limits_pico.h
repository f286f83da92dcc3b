// SPDX-License-Identifier: BSD-3-Clause
//
// The sizes of all tables and buffers on an RP2040, which has 264 KiB of RAM. limits_uno.h explains each.
//
// It has three free pins with an analog input, and counts the steps of four encoders.

#pragma once

#include <stdint.h>

#include "messages.h"

#define TARGET_SAMPLES

namespace limits {

constexpr uint8_t CHANNELS = 40, GROUPS = 64, REFLEXES = 128, SEQUENCES = 16, ENTRIES = 120;
constexpr uint16_t EVENTS = 1024;
constexpr uint8_t FRAME_BYTES = wire::LONGEST_PAYLOAD + 2;
constexpr uint8_t PIN_PORTS = 4, THRESHOLD_PORTS = 2, INPUT_PORTS = PIN_PORTS + THRESHOLD_PORTS;
constexpr bool PIN_FLAGS = true;
constexpr uint8_t SNAPSHOTS = 128, RECEIVE_RING = 128;
constexpr uint16_t SEND_RING = 256;  // the longest block, and the answers behind it
constexpr uint8_t VOICES = 2, OPENINGS = 128, SOURCES = 7;
constexpr uint8_t CHANNEL_BITS = 8, EDGE_BITS = 8, GROUP_BITS = 8, RANK_BITS = 6;

// Blocks of values that wait to be sent; the shortest period of a source.
constexpr uint8_t BLOCKS = 16;
constexpr uint32_t SHORTEST_PERIOD_US = 100;

constexpr char NAME[] = "pico";
typedef uint16_t ActionHead, EdgeKey, EventCount, EventGap;

}  // namespace limits
