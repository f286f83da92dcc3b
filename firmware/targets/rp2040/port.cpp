// SPDX-License-Identifier: BSD-3-Clause

#include "port.h"

namespace hal {

uint8_t send_ring[limits::SEND_RING], reserve_index;
volatile uint8_t sending_head, sending_tail;

uint8_t send_capacity() { return (sending_tail - sending_head - 1) & SEND_MASK; }

}  // namespace hal
