// SPDX-License-Identifier: BSD-3-Clause

#include "outputs.h"

#include <string.h>

#include "events.h"
#include "inputs.h"
#include "kept_openings.h"
#include "ticks.h"
#include "timer_queue.h"

namespace outputs {

uint16_t limits_hit;

namespace {

// If a train or a ramp is later than this, its next time counts from now. Otherwise one that is too fast for the chip
// would always be due, and would delay all other entries of the timer queue.
constexpr uint16_t LATE = ticks::PER_MS;
static_assert(LATE < 1 << 11, "Output::late has 11 bits");

uint8_t exclusive_on;  // how many interlocked outputs are on: 0 or 1

// Return a time, or that of a panic before it: nothing happens at a pin after a panic, so no stamp is later.
uint32_t before_panic(uint32_t at) {
  return hal::has_panicked() && ticks::before(hal::panicked_at(), at) ? hal::panicked_at() : at;
}

bool set_on(const Output& output) { return output.order == wire::ORDER_SET; }

// Return the frequency of the tone that begins, or 0 if it is silent.
uint16_t hz_of(const Output& output) {
  if (output.order == wire::ORDER_TONE) return output.params.tone.hz;
  int16_t hz = static_cast<int16_t>(output.params.ramp.hz);  // a falling ramp may have passed 0
  return hz > 0 ? hz : 0;
}

// Switch an output off, if it is on. `at` is the end of its opening.
void end(uint8_t channel, uint32_t at) {
  Output& output = channels[channel].output;
  timer_queue::set_change(channel, timer_queue::NO_CHANGE);
  if (is_tone(output.order)) hal::stop_tone(output.voice, output.inverted);
  hal::drive(output.pin, output.inverted);
  if (output.on && output.dangerous) kept_openings::end(channel, before_panic(at));
  output.on = 0;
}

// Drive the pin of an output that goes on. If its entry in the timer queue ends that (`ends`), the interrupt of the
// timer does so. If it has come already, let it come again: this is the shortest pulse that the chip can make.
// Return whether the pin went on: after a panic it does not.
bool drive_on(uint8_t channel, bool ends) {
  const Output& output = channels[channel].output;
  hal::InterruptsOff off;
  if (ends && !timer_queue::has_change(channel)) {
    timer_queue::set_change(channel, timer_queue::TO_REST);
    hal::wake_by(hal::now());
  }
  if (is_tone(output.order)) {
    hal::start_tone(output.voice);
  } else {
    hal::drive(output.pin, !output.inverted);
  }
  return !hal::has_panicked();
}

// Record that a dangerous output has gone on. Report it once for each order. This is not inlined, and begin() calls it
// last: then begin() has left the stack.
__attribute__((noinline)) void report_on(uint8_t channel, uint32_t at) {
  Output& output = channels[channel].output;
  kept_openings::begin(channel, at, output.cause);
  if (output.reported) return;
  output.reported = 1;
  events::on(channel, output.cause, at);
}

// Switch an output on at `at`, which is now. A tone of 0 Hz is silent.
void begin(uint8_t channel, uint32_t at, bool ends) {
  Output& output = channels[channel].output;
  if (is_tone(output.order)) {
    uint16_t hz = hz_of(output);
    if (!hz) {
      end(channel, at);
      return;
    }
    hal::prepare_tone(output.voice, hz);
  }
  bool goes_on = drive_on(channel, ends) && !output.on;
  output.on = 1;
  if (output.dangerous && goes_on) report_on(channel, at);
}

// End the order of an output, as `outputs::off`; `at` is when it has ended.
void end_order(uint8_t channel, uint8_t why, uint32_t at) {
  Output& output = channels[channel].output;
  if (!output.order) return;
  timer_queue::cancel(channel);
  end(channel, at);
  bool report = !set_on(output) || why == wire::DONE_LIMIT;
  if (is_tone(output.order)) hal::free_voice(output.voice);
  output.order = output.gap = output.reported = 0;
  exclusive_on -= output.exclusive;
  if (why == wire::DONE_LIMIT && limits_hit != 0xFFFF) limits_hit++;
  if (report) events::done(channel, why, before_panic(at));
}

// Let an output execute an order.
void accept(Output& output, uint8_t order, Cause cause) {
  output.order = order;
  output.cause = cause;
  exclusive_on += output.exclusive;
}

uint8_t switch_to(uint8_t channel, bool level, Cause cause) {
  Output& output = channels[channel].output;
  if (!level) {
    off(channel, wire::DONE_STOPPED);
    return 0;
  }
  if (output.order) return set_on(output) ? 0 : wire::REASON_BUSY;
  if (output.exclusive && exclusive_on) return wire::REASON_INTERLOCK;
  accept(output, wire::ORDER_SET, cause);
  uint32_t now = hal::now();
  if (output.dangerous) {
    timer_queue::set_change(channel, timer_queue::TO_REST);
    timer_queue::set(channel, now + ticks::of_ms(output.max_on_ms));
  }
  begin(channel, now, output.dangerous);
  return 0;
}

// Return why the output cannot execute a pulse, a train, a tone or a ramp now, or 0.
uint8_t reason_to_refuse(const Output& output, const Action& action) {
  if (output.order) return wire::REASON_BUSY;
  if (output.dangerous && action.longest_on_ticks() > ticks::of_ms(output.max_on_ms)) return wire::REASON_TOO_LONG;
  return output.exclusive && exclusive_on ? wire::REASON_INTERLOCK : 0;
}

// Return whether the tone that begins goes on into the next one of a ramp.
bool goes_on(const Output& output) {
  const Ramp& ramp = output.params.ramp;
  return output.order == wire::ORDER_RAMP && ramp.count > 1 && ramp.period_ms <= ramp.tone_ms;
}

// Begin a pulse or a tone of `on` ticks now. It was due `late` ticks ago.
void begin_for(uint8_t channel, uint32_t now, uint32_t on, uint32_t late) {
  Output& output = channels[channel].output;
  output.late = late < LATE ? late : 0;
  bool ends = !goes_on(output);
  if (ends) timer_queue::set_change(channel, timer_queue::TO_REST);
  timer_queue::set_after(channel, now, on);
  begin(channel, now, ends);
}

uint8_t run(uint8_t channel, const Action& action, Cause cause) {
  Output& output = channels[channel].output;
  if (uint8_t reason = reason_to_refuse(output, action)) return reason;
  if (is_tone(action.code)) {
    if (action.is_too_high()) return wire::REASON_UNKNOWN;
    uint8_t voice = hal::alloc_voice(output.pin);
    if (voice == limits::NONE) return wire::REASON_NO_ROOM;
    output.voice = voice;
  }
  accept(output, action.code, cause);
  if (action.code != wire::ORDER_PULSE) output.params = action.params;  // only the others need them later
  if (action.is_empty()) {
    off(channel, wire::DONE_FINISHED);
  } else {
    begin_for(channel, hal::now(), action.on_ticks(), 0);
  }
  return 0;
}

// A pulse or a tone has ended. Begin the gap behind it, or the next pulse or tone if there is no gap.
void end_one(uint8_t channel, uint32_t at, uint32_t on, uint32_t period, uint16_t left) {
  Output& output = channels[channel].output;
  if (left == 0) {
    end_order(channel, wire::DONE_FINISHED, at);
  } else if (period > on) {
    end(channel, at);
    output.gap = 1;
    timer_queue::set_after(channel, at - output.late, period - on);
  } else {
    uint32_t now = hal::now();
    begin_for(channel, now - at < LATE ? at : now, on, 0);  // without a gap, times add up from the first one
  }
}

// Let the interrupt of the timer make the next change of an output that sends a sync code.
void schedule_code(uint8_t channel, uint32_t at) {
  timer_queue::set_change(channel, channels[channel].output.on ? timer_queue::TO_REST : timer_queue::TO_ON);
  timer_queue::set(channel, at);
}

// Begin a sync code: its first change is one bit after `stamp`.
uint8_t begin_code(uint8_t channel, const Action& action, uint32_t stamp, Cause cause) {
  Output& output = channels[channel].output;
  const Code& code = action.params.code;
  if (output.order) return wire::REASON_BUSY;
  // It never ends, so a limit would be passed, and no other interlocked output could be on.
  if (output.dangerous || output.exclusive || !code.is_valid()) return wire::REASON_TOO_LONG;
  accept(output, wire::ORDER_CODE, cause);
  output.params = action.params;
  output.params.code.place = 0;
  schedule_code(channel, stamp + ticks::of_ms(code.bit_ms) - target::PIN_DELAY);
  return 0;
}

}  // namespace

uint8_t configure(const wire::OrderOutput& order) {
  if (order.channel >= limits::CHANNELS) return wire::REASON_NO_ROOM;
  bool dangerous = order.flags & wire::DANGEROUS;
  if (dangerous && order.max_on_ms > limits::LONGEST_ON_MS) return wire::REASON_TOO_LONG;
  hal::Pin pin = hal::output_pin(order.pin);
  if (!pin.mask) return wire::REASON_UNKNOWN;
  Channel& channel = channels[order.channel];
  if (channel.kind() == OUTPUT_CHANNEL) off(order.channel, wire::DONE_STOPPED);
  timer_queue::cancel(order.channel);
  inputs::release(order.channel);
  inputs::release(hal::input_pin(order.pin));
  memset(&channel, 0, sizeof(channel));
  Output& output = channel.output;
  output.pin = pin;
  output.kind = OUTPUT_CHANNEL;
  output.inverted = !!(order.flags & wire::INVERTED);
  output.dangerous = dangerous;
  output.exclusive = !!(order.flags & wire::EXCLUSIVE);
  output.max_on_ms = order.max_on_ms;
  hal::make_output(pin, output.inverted);
  return 0;
}

// This is not inlined: scheduler::perform, which also stops sequences, then takes less of the stack.
__attribute__((noinline)) uint8_t perform(const Action& action, uint32_t at, Cause cause) {
  uint8_t channel = action.channel;
  if (hal::has_panicked()) return wire::REASON_UNKNOWN;
  if (channel == limits::NO_CHANNEL || channels[channel].kind() != OUTPUT_CHANNEL) return wire::REASON_UNKNOWN;
  switch (action.code) {
    case wire::ORDER_SET: return switch_to(channel, action.params.level, cause);
    case wire::ORDER_CODE: return begin_code(channel, action, at, cause);
    default: return run(channel, action, cause);
  }
}

void on_due(uint8_t channel, uint32_t at) {
  Output& output = channels[channel].output;
  if (output.order == wire::ORDER_CODE) {
    output.on = !output.on;
    // Never from now: the host computes all times from the first one.
    schedule_code(channel, at + ticks::of_ms(output.params.code.next_change(output.on)));
    return;
  }
  Train& train = output.params.train;
  Ramp& ramp = output.params.ramp;
  bool is_ramp = output.order == wire::ORDER_RAMP;
  if (output.gap) {
    output.gap = 0;
    uint32_t now = hal::now();
    begin_for(channel, now, is_ramp ? ticks::of_ms(ramp.tone_ms) : train.on, now - at);
  } else if (is_ramp) {
    ramp.hz += ramp.step_hz;
    end_one(channel, at, ticks::of_ms(ramp.tone_ms), ticks::of_ms(ramp.period_ms), --ramp.count);
  } else if (output.order == wire::ORDER_TRAIN) {
    end_one(channel, at, train.on, train.period, --train.count);
  } else {
    end_order(channel, set_on(output) ? wire::DONE_LIMIT : wire::DONE_FINISHED, at);
  }
}

void off(uint8_t channel, uint8_t why) { end_order(channel, why, hal::now()); }

void stop_started_by(uint8_t sequence) {
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) {
    if (channels[channel].kind() != OUTPUT_CHANNEL) continue;
    const Cause& cause = channels[channel].output.cause;
    if (cause.kind() == wire::CAUSE_SEQUENCE && cause.by == sequence) off(channel, wire::DONE_STOPPED);
  }
}

void all_off() {
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) {
    if (channels[channel].kind() == OUTPUT_CHANNEL) off(channel, wire::DONE_STOPPED);
  }
}

void forget() { exclusive_on = limits_hit = 0; }

}  // namespace outputs
