// SPDX-License-Identifier: BSD-3-Clause
//
// The sizes of all tables and buffers on an ATmega328P, which has 2 KiB of RAM. The comments also hold for
// limits_mega.h.

#pragma once

#include <stdint.h>

#include "messages.h"

namespace limits {

// What HELLO reports to the host. REFLEXES are the members of all groups, ENTRIES those of all sequences.
constexpr uint8_t CHANNELS = 14, GROUPS = 8, REFLEXES = 16, SEQUENCES = 4, ENTRIES = 24, EVENTS = 32;

// The longest decoded frame in bytes: a batch with ROOM_BYTES of orders, which HELLO reports, and its CRC.
constexpr uint8_t FRAME_BYTES = sizeof(wire::Batch) + wire::ROOM_BYTES + 2;

// Ports with pins that have an interrupt.
constexpr uint8_t INPUT_PORTS = 3;

// Whether each pin of these ports has a change flag of its own, or all pins of a port have one.
constexpr bool PIN_FLAGS = false;

// The ring buffers of port snapshots and of bytes have this many slots, of which one stays free. Those of bytes are
// powers of two, because a mask wraps their indices.
constexpr uint8_t SNAPSHOTS = 7, RECEIVE_RING = 64, SEND_RING = 64;

// Tones at once; openings of dangerous outputs that are kept.
constexpr uint8_t VOICES = 1, OPENINGS = 8;

// Analog inputs and encoders, and the ports of their thresholds, which are the last ones of INPUT_PORTS.
constexpr uint8_t SOURCES = 0, THRESHOLD_PORTS = 0;

// Bit fields of these widths hold a channel or NO_CHANNEL, an edge (twice its channel, plus its level) or no edge, the
// index of a group, and its rank (the order in which groups were armed).
constexpr uint8_t CHANNEL_BITS = 4, EDGE_BITS = 5, GROUP_BITS = 3, RANK_BITS = 3;

// At most four letters, for HELLO.
constexpr char NAME[] = "uno";

typedef uint8_t ActionHead;  // the first bits of an action: four of the order's code, the others of its channel
typedef uint8_t EdgeKey;     // holds the bits of an edge, and those of a group
typedef uint8_t EventCount;  // a number of events that are kept
typedef uint8_t EventGap;    // the difference of two event numbers; its largest value must exceed EVENTS

}  // namespace limits
