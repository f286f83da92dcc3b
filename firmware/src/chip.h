// SPDX-License-Identifier: BSD-3-Clause
//
// The chip: orders in, edges and their reflexes, sequences, and everything off.

#pragma once

#include <stdint.h>

#include "deed.h"

namespace chip {

// Do a deed; return why not, or 0.
uint8_t perform(const Deed& deed);

// Tell whether `count` orders fill so many bytes exactly.
bool can_read(const uint8_t* orders, uint8_t length, uint8_t count);

// Execute orders that can be read, in one pass: disarmings, loads, armings, outputs. What is refused is reported
// behind it. The orders are written over.
void execute(uint8_t* orders, uint8_t count, uint8_t batch, uint16_t seen, uint32_t stamp);

// Report that an order was refused.
void refuse(uint8_t batch, uint8_t place, uint8_t reason, uint32_t stamp);

// Everything off, groups and sequences forgotten.
void make_safe();

// Everything off, and no channel configured any more: as it is at the start.
void forget();

// Do all that has become due, and take what the pins were; return false when there was too much of it to go on
// without giving the loop a chance.
bool service();

// Look after one channel and the groups, so that nothing old is taken for new: call it now and then.
void sweep(uint32_t now);

// How many orders were refused.
extern uint16_t refused;

// The time has come for which the loop was to be woken: it must not fall asleep before it has looked.
extern volatile bool loop_is_due;

}  // namespace chip
