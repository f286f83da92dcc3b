// SPDX-License-Identifier: BSD-3-Clause
//
// The chip: edges and their reflexes, sequences, and everything off.

#pragma once

#include <stdint.h>

#include "action.h"

namespace chip {

// Do a deed; return why not, or 0.
uint8_t perform(const Deed& deed);

// Everything off, groups and sequences forgotten.
void make_safe();

// Everything off, and no channel configured any more: as it is at the start.
void forget();

// Keep the books of some that was fired and changed.
void keep_up();

// Keep the books of all that was fired, and let nothing more be fired before volley::let_go: whatever is done to the
// channels, groups and sequences comes after that.
void settle();

// Do all that has become due, and take what the pins were; return false when there was too much of it to go on
// without giving the loop a chance.
bool service();

// Look after channels and groups, so that nothing old is taken for new: call it now and then.
void sweep(uint32_t now);

}  // namespace chip
