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
  uint8_t key;  // which part of it: the place of an order, or ALL_ORDERS; from FIRST_EDGE on twice the channel of an
                // edge, plus its level; from FIRST_ENTRY on an entry of a sequence

  static constexpr uint8_t ALL_ORDERS = wire::MAX_ORDERS;  // in place of an order: the whole batch
  static constexpr uint8_t FIRST_EDGE = ALL_ORDERS + 1;
  static constexpr uint8_t FIRST_ENTRY = FIRST_EDGE + 2 * limits::CHANNELS;

  static Cause of_order(uint8_t batch, uint8_t place) { return Cause{batch, place}; }
  static Cause of_edge(uint8_t group, uint8_t edge_code) {
    return Cause{group, static_cast<uint8_t>(FIRST_EDGE + (edge_code & ~wire::LEVEL) * 2 + (edge_code >> 7))};
  }
  static Cause of_entry(uint8_t sequence, uint8_t index) {
    return Cause{sequence, static_cast<uint8_t>(FIRST_ENTRY + index)};
  }

  // Return `cause` and `part` as on the wire.
  uint8_t kind() const {
    if (key >= FIRST_ENTRY) return wire::CAUSE_SEQUENCE;
    return key >= FIRST_EDGE ? wire::CAUSE_REFLEX : wire::CAUSE_ORDER;
  }
  uint8_t part() const {
    if (key >= FIRST_ENTRY) return key - FIRST_ENTRY;
    if (key == ALL_ORDERS) return wire::WHOLE_BATCH;
    uint8_t edge = key - FIRST_EDGE;
    return key < FIRST_EDGE ? key : edge >> 1 | (edge & 1 ? wire::LEVEL : 0);
  }
};

static_assert(Cause::FIRST_ENTRY + limits::ENTRIES <= 0x100, "all orders, edges and entries fit one byte");
