// SPDX-License-Identifier: BSD-3-Clause
//
// By whose order a dangerous output went on, or whose order was refused. On the wire these are the three fields
// `cause`, `by` and `part` of ON, REFUSED and OPENING. Here they take two bytes, because RAM limits the numbers of
// events, openings and channels.

#pragma once

#include <stdint.h>

#include "limits.h"
#include "messages.h"

struct Cause {
  uint8_t by;   // the number of the batch, the reflex group or the sequence
  uint8_t key;  // which part of it: six bits, to which REFLEX, LEVEL and ENTRY are added

  static constexpr uint8_t REFLEX = 0x40;      // the part is an edge: a channel, with its level in the top bit
  static constexpr uint8_t ENTRY = 0x80;       // without REFLEX: the part is an entry of a sequence, otherwise an order
  static constexpr uint8_t ALL_ORDERS = 0x3F;  // in place of an order: the whole batch

  static Cause of_order(uint8_t batch, uint8_t index) { return Cause{batch, index}; }
  static Cause of_edge(uint8_t group, uint8_t edge_code) {
    return Cause{group, static_cast<uint8_t>(edge_code | REFLEX)};
  }
  static Cause of_entry(uint8_t sequence, uint8_t index) {
    return Cause{sequence, static_cast<uint8_t>(index | ENTRY)};
  }

  // Return `cause` and `part` as on the wire.
  uint8_t kind() const {
    if (key & REFLEX) return wire::CAUSE_REFLEX;
    return key & ENTRY ? wire::CAUSE_SEQUENCE : wire::CAUSE_ORDER;
  }
  uint8_t part() const {
    if (key & REFLEX) return key & ~REFLEX;
    return key == ALL_ORDERS ? 0xFF : key & ~ENTRY;
  }
};

static_assert(limits::CHANNELS <= 0x40 && limits::ENTRIES <= 0x40 && wire::ROOM_BYTES < Cause::ALL_ORDERS,
              "a channel, an entry and an order fit six bits");
