// SPDX-License-Identifier: BSD-3-Clause
//
// The capacity of a board: the limits of the chip, which target.h includes, and those that all boards share. HELLO
// reports them to the host; rig/boards/chips.py has a copy for the check before a board is connected.

#pragma once

#include "target.h"

namespace limits {

constexpr uint16_t FIRMWARE = 0x0100;      // the firmware version, major in the high byte
constexpr uint32_t LONGEST_ON_MS = 60000;  // the largest on-time limit that a dangerous output may have
constexpr uint16_t HIGHEST_HZ = 20000;     // the highest frequency of a tone

constexpr uint8_t NONE = 0xFF;  // in place of a channel, an entry, a slot, a sequence or a voice
constexpr uint8_t NO_CHANNEL = (1U << CHANNEL_BITS) - 1;  // in place of a channel, where it has CHANNEL_BITS bits

}  // namespace limits
