// SPDX-License-Identifier: BSD-3-Clause
//
// An action is what a reflex member or a sequence entry does: an order, decoded and packed into the fewest bytes.

#pragma once

#include <stdint.h>

#include "limits.h"
#include "messages.h"
#include "sync_code.h"

// The parameters of a train of pulses. `on` and `period` are ticks.
struct __attribute__((packed)) Train {
  uint32_t on, period;
  uint16_t count;
};

// The parameters of a ramp: `count` tones of `tone_ms`, one every `period_ms`, each `step_hz` above the one before.
struct __attribute__((packed)) Ramp {
  uint16_t hz;
  int16_t step_hz;
  uint16_t tone_ms, period_ms, count;
};

// The parameters of one tone.
struct __attribute__((packed)) Tone {
  uint16_t hz;
  uint32_t ticks;
};

// The parameters of START, START_AT and STOP. Only START_AT uses `stamp`.
struct __attribute__((packed)) At {
  uint8_t sequence;
  uint32_t stamp;
};

// The parameters of an action. `Action::code` selects the member. A pulse uses `train.on` only.
union ActionParams {
  uint8_t level;  // of ORDER_SET
  Train train;
  Ramp ramp;
  Tone tone;
  At at;
  Code code;
};

// The bit-fields share one byte on an Uno and two bytes on a Mega, according to the width of limits::ActionHead.
struct __attribute__((packed)) Action {
  limits::ActionHead code : 4;  // one of wire::ORDER_…
  // The channel, or NO_CHANNEL if the order names one that the board does not have. Executing that is refused.
  limits::ActionHead channel : sizeof(limits::ActionHead) * 8 - 4;
  ActionParams params;

  bool is_noop() const { return code == wire::ORDER_NOTHING; }

  // Return the length of one pulse or tone, in ticks.
  uint32_t on_ticks() const;

  // Return the longest contiguous on-time, in ticks. All pulses of a train or a ramp without gaps are one opening.
  uint32_t longest_on_ticks() const;

  // Return whether this is a train without gaps. Its pin does not change between the pulses.
  bool has_no_gaps() const;

  // Return whether this is a train or a ramp with a count of 0.
  bool is_empty() const;

  // Return whether a tone of this action is above limits::HIGHEST_HZ.
  bool is_too_high() const;
};

inline bool is_tone(uint8_t code) { return code == wire::ORDER_TONE || code == wire::ORDER_RAMP; }

// Return whether a reflex member or a sequence entry may contain an order with this code.
inline bool can_be_action(uint8_t code) { return code <= wire::ORDER_STOP; }

// Decode an order into `action`. The caller has checked can_be_action() and the length of the order.
void read_action(const uint8_t* order, Action& action);
