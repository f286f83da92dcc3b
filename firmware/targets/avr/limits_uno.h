// SPDX-License-Identifier: BSD-3-Clause
//
// How much an ATmega328P holds in its 2 KiB of memory.

#pragma once

#include <stdint.h>

#include "messages.h"

namespace limits {

constexpr uint8_t CHANNELS = 14, GROUPS = 8, REFLEXES = 16, SEQUENCES = 4, ENTRIES = 24, EVENTS = 32;
constexpr uint8_t FRAME_BYTES = sizeof(wire::Batch) + wire::ROOM_BYTES + 2;  // no more than the host is told
constexpr uint8_t INPUT_PORTS = 3;                                           // with pins that can interrupt
constexpr uint8_t SNAPSHOTS = 9, RECEIVE_RING = 64, SEND_RING = 64;          // those of bytes: powers of two
constexpr uint8_t PIN_EVENTS = 5, OPENINGS = 8;
constexpr uint8_t CHANNEL_BITS = 4, EDGE_BITS = 5, GROUP_BITS = 3, RANK_BITS = 3;
constexpr char NAME[] = "uno";
typedef uint8_t Head;  // four bits of code, four of channel
typedef uint8_t Key;
typedef uint8_t Count;  // of events
typedef uint8_t Gap;    // between two; no event is kept that is as far back as its largest

}  // namespace limits
