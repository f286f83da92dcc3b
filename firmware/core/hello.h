// SPDX-License-Identifier: BSD-3-Clause
//
// HELLO: the message that describes the board.

#pragma once

#include "frame.h"
#include "messages.h"

namespace hello {

constexpr uint8_t FRAMED_SIZE = frame::framed_size(sizeof(wire::Hello));

// Send a HELLO, for which the send ring has room. Main loop only.
void send(bool is_solicited);

}  // namespace hello
