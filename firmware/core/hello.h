// SPDX-License-Identifier: BSD-3-Clause
//
// HELLO: the message that describes the board, with its id, its capacity and the reason of its last reset.

#pragma once

#include <stdint.h>

#include "frame.h"
#include "messages.h"

namespace hello {

// The length of a HELLO on the wire.
constexpr uint8_t FRAMED_SIZE = frame::framed_size(sizeof(wire::Hello));

// Send a HELLO. `solicited` is 1 for an answer to GET_HELLO, otherwise 0. The caller has checked that the send ring has
// FRAMED_SIZE free bytes. Main loop only.
void send(uint8_t solicited);

}  // namespace hello
