// SPDX-License-Identifier: BSD-3-Clause
//
// How much a board holds: what its chip does (chip_limits.h of the target), and what all boards have in common. HELLO
// tells the host; rig/boards/chips.py knows the same beforehand.

#pragma once

#include "chip_limits.h"

namespace limits {

constexpr uint8_t MEMBERS = 8;  // of one group

constexpr uint16_t FIRMWARE = 0x0100;
constexpr uint32_t LONGEST_ON_MS = 60000;
constexpr uint16_t HIGHEST_HZ = 20000;

constexpr uint8_t NONE = 0xFF;  // no channel, no entry, no sequence
constexpr uint8_t NO_VOICE = 15;
constexpr uint8_t NO_CHANNEL = (1U << CHANNEL_BITS) - 1;

}  // namespace limits
