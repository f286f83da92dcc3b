// SPDX-License-Identifier: BSD-3-Clause
//
// An action is what a reflex member or a sequence entry does: an order, decoded and packed into the fewest bytes.

#pragma once

#include <stdint.h>

#include "limits.h"
#include "messages.h"

// The parameters of each kind of action, as they lie on the wire: two are packed, because the fields of the others are
// aligned there. Times are ticks, unless their names end in `ms`.
struct Train {
  uint32_t on, period;
  uint16_t count;
};

// `count` tones of `tone_ms`, one every `period_ms`, each `step_hz` above the one before.
struct Ramp {
  uint16_t hz;
  int16_t step_hz;
  uint16_t tone_ms, period_ms, count;
};

struct __attribute__((packed)) Tone {
  uint16_t hz;
  uint32_t ticks;
};

// START, START_AT and STOP. Only START_AT uses `stamp`.
struct __attribute__((packed)) At {
  uint8_t sequence;
  uint32_t stamp;
};

// A sync code, and how far it is. rig/core/model/sync_code.py computes the same.
struct Code {
  uint32_t state;  // its finalizer is the word of the current code
  uint16_t period_ms, bit_ms;
  uint8_t bits;
  uint8_t place;  // the bit in which the output changed last, or will change first; the start bit is 0

  // Return whether a code has at most 32 bits and is not longer than its period.
  bool is_valid() const;

  // Return the milliseconds from the change at `place`, after which the output is `on`, to the next one, and go there.
  uint16_t next_change(bool on);
};

// `Action::code` selects the member. A pulse uses `train.on` only.
union ActionParams {
  uint8_t level;  // of ORDER_SET
  Train train;
  Ramp ramp;
  Tone tone;
  At at;
  Code code;
};

// The bit-fields share one byte on an Uno and two bytes on a Mega, according to the width of limits::ActionHead.
struct Action {
  limits::ActionHead code : 4;  // one of wire::ORDER_…
  // The channel, or NO_CHANNEL if the order names one that the board does not have. Executing that is refused.
  limits::ActionHead channel : sizeof(limits::ActionHead) * 8 - 4;
  ActionParams params;

  bool is_noop() const { return code == wire::ORDER_NOTHING; }

  // Return the length of one pulse or tone; or the longest contiguous on-time, for which all tones of a ramp without
  // gaps are one.
  uint32_t on_ticks() const;
  uint32_t longest_on_ticks() const;

  // Return whether this is a train or a ramp with a count of 0; whether a tone is above limits::HIGHEST_HZ.
  bool is_empty() const;
  bool is_too_high() const;
};

inline bool is_tone(uint8_t code) { return code == wire::ORDER_TONE || code == wire::ORDER_RAMP; }

// Return whether a reflex member or a sequence entry may contain an order with this code.
inline bool can_be_action(uint8_t code) { return code <= wire::ORDER_STOP; }

// Decode an order into `action`. The caller has checked the length of the order. A train without gaps becomes one
// pulse: its pin does not change between the pulses.
void read_action(const uint8_t* order, Action& action);
