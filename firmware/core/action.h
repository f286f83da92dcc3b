// SPDX-License-Identifier: BSD-3-Clause
//
// What a member of a group or an entry of a sequence does: an order as small as it can be kept.

#pragma once

#include <stdint.h>

#include "limits.h"
#include "messages.h"

struct __attribute__((packed)) Train {
  uint32_t on, period;
  uint16_t count;
};

struct __attribute__((packed)) Ramp {
  uint16_t hz;
  int16_t step_hz;
  uint16_t tone_ms, period_ms, count;
};

struct __attribute__((packed)) Tone {
  uint16_t hz;
  uint32_t ticks;
};

struct __attribute__((packed)) At {
  uint8_t sequence;
  uint32_t stamp;
};

// What it does beside its channel; a pulse is the `on` of a train.
union ActionParams {
  uint8_t level;
  Train train;
  Ramp ramp;
  Tone tone;
  At at;
};

struct __attribute__((packed)) Action {
  limits::Head code : 4;                                // one of wire::ORDER_…
  limits::Head channel : sizeof(limits::Head) * 8 - 4;  // or NO_CHANNEL, which is refused when it is done
  ActionParams params;

  bool is_noop() const { return code == wire::ORDER_NOTHING || code == wire::ORDER_CANCEL; }

  // How long it is on, each time; and at the longest in one go: where a train or a ramp has no gap between its pulses,
  // all of them are one opening.
  uint32_t on_ticks() const;
  uint32_t longest_on() const;

  // A train without gaps is one pulse: nothing happens to its pin in between.
  bool is_seamless() const;

  // It has no pulse, or no tone.
  bool is_empty() const;

  // Its tones are higher than any that can be made.
  bool is_too_high() const;
};

inline bool is_tone(uint8_t code) { return code == wire::ORDER_TONE || code == wire::ORDER_RAMP; }

// Whether an order of this code can be a action.
inline bool can_be_action(uint8_t code) { return code <= wire::ORDER_STOP; }

// Read an order that can be a action.
void read_action(const uint8_t* order, Action& action);
