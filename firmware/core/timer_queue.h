// SPDX-License-Identifier: BSD-3-Clause
//
// What is due when: one entry per channel and per sequence, in the order in which they are due. All of them share
// one compare channel of the chip.

#pragma once

#include <stdint.h>

#include "limits.h"

namespace timer_queue {

// A number on the queue: a channel, or a sequence.
constexpr uint8_t FIRST_SEQUENCE = limits::CHANNELS;
constexpr uint8_t SIZE = FIRST_SEQUENCE + limits::SEQUENCES;
constexpr uint8_t NONE = 63;

// Whether another entry has become the first since this was last set to false: the timer is to be set anew.
extern bool changed;

void clear();

// Call `who` at `due`, instead of whenever it was to be called; behind those that are due at the same time.
void set(uint8_t id, uint32_t due);

// The same, `span` ticks after `start`, however long that is.
void set_after(uint8_t id, uint32_t start, uint32_t span);

void cancel(uint8_t id);
bool has(uint8_t id);

// Of two that are due at the same time, let the second come just before the first.
void move_before(uint8_t first, uint8_t second);

// Who is next, or NOBODY.
uint8_t first();

// Who comes behind, or NOBODY.
uint8_t next(uint8_t id);

// When.
uint32_t due(uint8_t id);

// Tell whether it is called then, and has not another lap to go.
bool is_final(uint8_t id);

// Take it from the queue, for its time has come; false when it has another lap to go.
bool take(uint8_t id);

}  // namespace timer_queue
