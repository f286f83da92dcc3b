// SPDX-License-Identifier: BSD-3-Clause
//
// The table of channels. Each channel is an input, an output, or not configured.

#pragma once

#include <stdint.h>

#include "action.h"
#include "cause.h"
#include "hal.h"
#include "limits.h"

enum Kind : uint8_t { NEITHER, INPUT_CHANNEL, OUTPUT_CHANNEL };

// All times are ticks. The scheduler writes the fields, or the main loop under a SchedulerLock. Interrupts only read
// them.
struct Input {
  uint8_t kind : 2;
  uint8_t inverted : 1;    // the input is on while its pin is low
  uint8_t level : 1;       // the last reported level; this and `pin_on` are logical levels, after the inversion
  uint8_t pin_on : 1;      // the level after the last change that was handled; `level` while the input is muted
  uint8_t locked : 1;      // the lock-out after the last edge may not have ended yet
  uint8_t edge_known : 2;  // bit 0 for the last edge to off, bit 1 for that to on: `last` and `gap` are valid for it
  // The filter times have 24 bits, so they are below 2^24 ticks (8.3 s).
  uint32_t debounce : 24;     // the lock-out: how long after an edge no other edge is reported
  uint32_t confirm_on : 24;   // how long the input must be on before that is an edge
  uint32_t confirm_off : 24;  // how long it must be off before that is an edge
  uint32_t changed_at;        // when `pin_on` last changed
  uint16_t last;              // the event number of the last edge
  hal::Pin pin;               // its port is the index in a snapshot
  limits::EventGap gap;       // `last` minus the event number of the edge before it; limited to the largest value

  // Return whether the filters have not yet confirmed or rejected the last change.
  bool is_pending() const { return pin_on != level; }
};

struct Output {
  uint8_t kind : 2;
  uint8_t inverted : 1;   // the output is on while its pin is low
  uint8_t dangerous : 1;  // `max_on_ms` limits its on-time, and its openings are kept
  uint8_t exclusive : 1;  // interlocked: at most one such output is on
  uint8_t on : 1;
  uint8_t gap : 1;       // it is between two pulses of a train, or two tones of a ramp
  uint8_t reported : 1;  // the event ON was reported for the order that it executes
  hal::Pin pin;
  uint16_t max_on_ms;   // the longest on-time of a dangerous output
  uint16_t late : 11;   // how many ticks a pulse of a train began behind its time; the next one does not
  uint16_t order : 4;   // the code of the order that it executes, or 0 if it executes none
  uint16_t voice : 1;   // the voice that a tone or a ramp uses
  Cause cause;          // of the order
  ActionParams params;  // of the order that it executes; `count` is what is left, `ramp.hz` the current frequency
};
static_assert(limits::VOICES <= 2, "a voice fits one bit");

union Channel {
  Input input;
  Output output;

  // Input and Output begin with the same bit-field, so `kind` can be read through either. GCC permits this for a union.
  uint8_t kind() const { return input.kind; }
};

extern Channel channels[limits::CHANNELS];
