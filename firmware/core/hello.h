// SPDX-License-Identifier: BSD-3-Clause
//
// What the board says of itself: its id, how much it holds, and why it has started.

#pragma once

#include <stdint.h>

#include "frame.h"
#include "messages.h"

namespace hello {

// What it takes on the line.
constexpr uint8_t ROOM = frame::framed_size(sizeof(wire::Hello));

// Say it: as an answer, or unasked.
void send(uint8_t solicited);

}  // namespace hello
