// SPDX-License-Identifier: BSD-3-Clause
//
// The channels: each an input or an output, or neither yet.

#pragma once

#include <stdint.h>

#include "action.h"
#include "hal.h"
#include "limits.h"

enum Kind : uint8_t { NEITHER, INPUT_CHANNEL, OUTPUT_CHANNEL };

struct __attribute__((packed)) Input {
  uint8_t kind : 2;
  uint8_t inverted : 1, level : 1, raw : 1, locked : 1, newer : 2;
  uint32_t debounce : 24;  // all times are ticks
  uint32_t confirm_on : 24;
  uint32_t confirm_off : 24;
  uint32_t changed;  // when the pin last changed
  uint16_t last;     // the number of the last edge, and how far it is behind that of the one before; they count if
  limits::Gap gap;   // the bits of their levels in `newer` are set

  bool pending() const { return raw != level; }
};

struct __attribute__((packed)) Output {
  uint8_t kind : 2;
  uint8_t inverted : 1, dangerous : 1, exclusive : 1;
  uint8_t on : 1, gap : 1;  // gap: between two pulses
  hal::Pin pin;
  uint8_t doing : 4;    // the code of the order that it executes, 0 when it is off
  uint8_t voice : 4;    // its voice, or NO_VOICE
  uint8_t starter;      // the sequence that began it, or NONE
  uint16_t max_on_ms;   // when dangerous
  ActionParams params;  // of what it executes; counts down
};

union Channel {
  Input input;
  Output output;

  uint8_t kind() const { return input.kind; }  // in the same place of both
};
static_assert(sizeof(Channel) == 16 + sizeof(limits::Gap), "the Uno has no byte to spare");

extern Channel channels[limits::CHANNELS];
