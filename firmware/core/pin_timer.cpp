// SPDX-License-Identifier: BSD-3-Clause

#include "pin_timer.h"

#include "channels.h"
#include "ticks.h"
#include "timer_queue.h"

namespace pin_timer {

namespace {

volatile uint8_t changes[limits::CHANNELS];

void make(uint8_t channel) {
  uint8_t change = changes[channel];
  if (change == NO_CHANGE) return;
  changes[channel] = NO_CHANGE;
  const Output& output = channels[channel].output;
  bool level = output.inverted != (change == TO_ON);
  if (output.voice == limits::NO_VOICE) {
    hal::drive(output.pin, level);
  } else {
    hal::stop_tone(output.voice, level);
  }
  hal::poll();  // many outputs may be due
}

}  // namespace

void set(uint8_t channel, Change change) { changes[channel] = change; }

bool is_set(uint8_t channel) { return changes[channel]; }

uint32_t run() {
  uint32_t now = hal::now();
  for (uint8_t id = timer_queue::first(); id != timer_queue::NONE; id = timer_queue::next(id)) {
    uint32_t due = timer_queue::due(id);
    if (ticks::before(now, due)) return due;
    if (id < limits::CHANNELS && timer_queue::is_final(id)) make(id);
  }
  return now + ticks::HORIZON;
}

}  // namespace pin_timer
