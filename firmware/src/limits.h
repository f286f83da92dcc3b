// SPDX-License-Identifier: BSD-3-Clause
//
// How much this board holds. HELLO tells the host; rig/boards/chips.py knows the same beforehand.

#pragma once

#include <stdint.h>

#include "messages.h"

namespace limits {

#if defined(__AVR_ATmega328P__) || defined(LIMITS_OF_UNO)
constexpr uint8_t CHANNELS = 14, GROUPS = 8, REFLEXES = 16, SEQUENCES = 4, ENTRIES = 24, EVENTS = 40;
constexpr uint8_t OPENINGS = 8;
constexpr uint8_t FRAME_BYTES = sizeof(wire::Batch) + wire::ROOM_BYTES + 2;  // no more than the host is told
constexpr uint8_t CAPTURES = 9, RECEIVE_RING = 64, SEND_RING = 64;           // those of bytes: powers of two
constexpr uint8_t SHOTS = 5;
constexpr uint8_t CHANNEL_BITS = 4, EDGE_BITS = 5, GROUP_BITS = 3, RANK_BITS = 3;
constexpr char NAME[] = "uno";
typedef uint8_t Head;   // four bits of code, four of channel
typedef uint8_t Key;
typedef uint8_t Count;  // of events
typedef uint8_t Gap;    // between two; no event is kept that is as far back as its largest
#else
constexpr uint8_t CHANNELS = 40, GROUPS = 32, REFLEXES = 32, SEQUENCES = 8, ENTRIES = 64;
constexpr uint8_t OPENINGS = 32;
constexpr uint16_t EVENTS = 256;
constexpr uint8_t FRAME_BYTES = wire::LONGEST_PAYLOAD + 2;
constexpr uint8_t CAPTURES = 16, RECEIVE_RING = 128, SEND_RING = 128;
constexpr uint8_t SHOTS = 8;
constexpr uint8_t CHANNEL_BITS = 8, EDGE_BITS = 8, GROUP_BITS = 8, RANK_BITS = 5;
constexpr char NAME[] = "mega";
typedef uint16_t Head, Key, Count, Gap;
#endif

constexpr uint8_t MEMBERS = 8;  // of one group

constexpr uint16_t FIRMWARE = 0x0100;
constexpr uint32_t LONGEST_ON_MS = 60000;
constexpr uint16_t HIGHEST_HZ = 20000;

constexpr uint8_t NONE = 0xFF;  // no channel, no entry, no sequence
constexpr uint8_t NO_VOICE = 15;
constexpr uint8_t NO_CHANNEL = (1U << CHANNEL_BITS) - 1;

}  // namespace limits
