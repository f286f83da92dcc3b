// SPDX-License-Identifier: BSD-3-Clause
//
// describe() must agree with perform() and on_due(): it finds out beforehand what they will do at a pin. The start of a
// tone is not described, because only perform() allocates its voice.

#include "outputs.h"

#include <string.h>

#include "events.h"
#include "inputs.h"
#include "lookahead.h"
#include "openings.h"
#include "ticks.h"
#include "timer_queue.h"

namespace outputs {

uint16_t limits_hit;
uint8_t current_sequence = limits::NONE;

namespace {

// If a train is later than this, its next time counts from now. Otherwise a train that is too fast for the chip would
// always be due, and would delay all other entries of the timer queue.
constexpr uint16_t LATE = ticks::PER_MS;

uint8_t exclusive_on;          // how many interlocked outputs are on: 0 or 1
uint8_t begun = limits::NONE;  // the channel that has begun something since end_commit(), or NONE

bool committing;       // a pin event is being committed: the pin already has its new level
uint32_t executed_at;  // when that pin event was executed

// Return the stamp of what is being done. Nothing happens at a pin after a panic, so no stamp is later than the panic.
uint32_t instant() {
  uint32_t at = committing ? executed_at : hal::now();
  return hal::has_panicked() && ticks::before(hal::panicked_at(), at) ? hal::panicked_at() : at;
}

bool set_on(const Output& output) { return output.order == wire::ORDER_SET; }

uint16_t hz_of(const Output& output) {
  if (output.order == wire::ORDER_TONE) return output.params.tone.hz;
  int16_t hz = static_cast<int16_t>(output.params.ramp.hz);  // a falling ramp may have passed 0
  return hz > 0 ? hz : 0;
}

// Switch an output on or off and record its opening. begin_on() starts a tone before it calls this.
void put(uint8_t channel, bool level) {
  Output& output = channels[channel].output;
  bool changes = output.on != level, sounds = output.voice != limits::NO_VOICE;
  output.on = level;
  // stop_tone() uses the pin that hal::prepare_tone() has stored, so call it only for a voice that was on.
  if (sounds && changes && !level) hal::stop_tone(output.voice, output.inverted);
  if (!sounds || !level) hal::drive(output.pin, level ^ output.inverted);
  if (!changes || !output.dangerous) return;
  uint32_t at = instant();
  if (!level) {
    openings::end(channel, at);
  } else if (!panic_came_first()) {
    openings::begin(channel, at);
  }
}

// Begin a pulse or a tone. A tone of 0 Hz is silent.
void begin_on(uint8_t channel) {
  const Output& output = channels[channel].output;
  uint16_t hz = is_tone(output.order) ? hz_of(output) : 0;
  if (hz && !committing) {
    hal::prepare_tone(output.voice, output.pin, hz);
    hal::start_tone(output.voice);
  }
  put(channel, hz || !is_tone(output.order));
}

uint8_t switch_to(uint8_t channel, bool level) {
  Output& output = channels[channel].output;
  if (!level) {
    off(channel, wire::DONE_STOPPED);
    return 0;
  }
  if (output.order) return set_on(output) ? 0 : wire::REASON_BUSY;
  if (output.exclusive && exclusive_on) return wire::REASON_INTERLOCK;
  lookahead::invalidate_output(channel);
  put(channel, true);
  if (output.dangerous) timer_queue::set(channel, instant() + ticks::of_ms(output.max_on_ms));
  output.order = wire::ORDER_SET;
  output.sequence_slot = current_sequence;
  exclusive_on += output.exclusive;
  return 0;
}

// Return why the output cannot execute a pulse, a train, a tone or a ramp now, or 0.
uint8_t reason_to_refuse(const Output& output, const Action& action) {
  if (output.order) return wire::REASON_BUSY;
  if (output.dangerous && action.longest_on_ticks() > ticks::of_ms(output.max_on_ms)) return wire::REASON_TOO_LONG;
  return output.exclusive && exclusive_on ? wire::REASON_INTERLOCK : 0;
}

uint8_t run(uint8_t channel, const Action& action) {
  Output& output = channels[channel].output;
  if (uint8_t reason = reason_to_refuse(output, action)) return reason;
  if (is_tone(action.code)) {
    if (action.is_too_high()) return wire::REASON_UNKNOWN;
    uint8_t voice = hal::alloc_voice();
    if (voice == limits::NO_VOICE) return wire::REASON_NO_ROOM;
    output.voice = voice;
  }
  lookahead::invalidate_output(channel);
  output.order = action.code;
  output.params = action.params;
  output.sequence_slot = current_sequence;
  exclusive_on += output.exclusive;
  if (action.is_empty()) {
    off(channel, wire::DONE_FINISHED);
    return 0;
  }
  begin_on(channel);
  uint32_t on = action.on_ticks();
  if (action.has_no_gaps()) {
    output.order = wire::ORDER_PULSE;
    on = action.longest_on_ticks();
  }
  timer_queue::set_after(channel, instant(), on);
  begun = channel;
  return 0;
}

// End a pulse or a tone. Begin the gap behind it, or the next pulse or tone if there is no gap.
void end_one(uint8_t channel, uint32_t at, uint32_t on, uint32_t period, uint16_t left) {
  Output& output = channels[channel].output;
  if (left == 0) {
    off(channel, wire::DONE_FINISHED);
  } else if (period > on) {
    put(channel, false);
    output.gap = 1;
    timer_queue::set_after(channel, at, period - on);
  } else {
    begin_on(channel);
    timer_queue::set_after(channel, at, on);
  }
}

// Describe the end of a tone, or the next tone of a ramp that is in a gap.
void describe_tone(const Output& output, pin_events::PinAction& pin_action) {
  const Ramp& ramp = output.params.ramp;
  bool is_ramp = output.order == wire::ORDER_RAMP;
  bool starts = is_ramp && output.gap && ramp.hz > 0;
  bool ends = output.on && (!is_ramp || ramp.count == 1 || ramp.period_ms > ramp.tone_ms);
  if (!starts && !ends) return;
  if (starts) hal::prepare_tone(output.voice, output.pin, ramp.hz);  // the interrupt only starts the voice
  pin_action.port = starts ? pin_events::START : pin_events::SILENCE;
  pin_action.mask = output.voice + 1;
  pin_action.level = output.inverted;
}

void describe_level(const Output& output, bool on, pin_events::PinAction& pin_action) {
  pin_action.port = output.pin.port;
  pin_action.mask = output.pin.mask;
  pin_action.level = on != output.inverted;
}

// Set what the pin action can clash with: its output and the interlock.
void describe_output(uint8_t channel, pin_events::PinAction& pin_action) {
  pin_action.channel = channel;
  pin_action.exclusive = channels[channel].output.exclusive;
}

}  // namespace

void describe(const Action& action, pin_events::PinAction& pin_action) {
  if (action.is_noop()) return;
  bool is_output = action.code < wire::ORDER_START;
  pin_action.is_complex = !is_output;
  if (!is_output || action.channel == limits::NO_CHANNEL || channels[action.channel].kind() != OUTPUT_CHANNEL) return;
  describe_output(action.channel, pin_action);
  const Output& output = channels[action.channel].output;
  if (action.code == wire::ORDER_SET) {
    if (!action.params.level) {
      if (output.voice == limits::NO_VOICE) describe_level(output, false, pin_action);
    } else if (!output.order && !(output.exclusive && exclusive_on)) {
      describe_level(output, true, pin_action);
    }
  } else if (!is_tone(action.code) && !action.is_empty() && !reason_to_refuse(output, action)) {
    describe_level(output, true, pin_action);
  }
}

void describe(uint8_t channel, pin_events::PinAction& pin_action) {
  const Output& output = channels[channel].output;
  const Train& train = output.params.train;
  describe_output(channel, pin_action);
  if (output.voice != limits::NO_VOICE) {
    describe_tone(output, pin_action);
  } else if (output.order != wire::ORDER_TRAIN || output.gap || train.count == 1 || train.period > train.on) {
    describe_level(output, output.gap, pin_action);
  }
}

void begin_commit(uint32_t at) {
  executed_at = at;
  committing = true;
}

void end_commit() {
  committing = false;
  if (begun == limits::NONE) return;
  lookahead::refresh(begun);
  begun = limits::NONE;
}

bool panic_came_first() {
  return hal::has_panicked() && !(committing && ticks::before(executed_at, hal::panicked_at()));
}

uint8_t configure(const wire::OrderOutput& order) {
  if (order.channel >= limits::CHANNELS) return wire::REASON_NO_ROOM;
  bool dangerous = order.flags & wire::DANGEROUS;
  if (dangerous && order.max_on_ms > limits::LONGEST_ON_MS) return wire::REASON_TOO_LONG;
  hal::Pin pin = hal::output_pin(order.pin);
  if (!pin.mask) return wire::REASON_UNKNOWN;
  Channel& channel = channels[order.channel];
  if (channel.kind() == OUTPUT_CHANNEL) off(order.channel, wire::DONE_STOPPED);
  timer_queue::cancel(order.channel);
  inputs::unwatch(hal::input_pin(order.pin));
  memset(&channel, 0, sizeof(channel));
  Output& output = channel.output;
  output.pin = pin;
  output.kind = OUTPUT_CHANNEL;
  output.inverted = !!(order.flags & wire::INVERTED);
  output.dangerous = dangerous;
  output.exclusive = !!(order.flags & wire::EXCLUSIVE);
  output.max_on_ms = order.max_on_ms;
  output.sequence_slot = limits::NONE;
  output.voice = limits::NO_VOICE;
  hal::make_output(pin, output.inverted);
  return 0;
}

uint8_t perform(const Action& action) {
  uint8_t channel = action.channel;
  if (panic_came_first()) return wire::REASON_UNKNOWN;
  if (channel == limits::NO_CHANNEL || channels[channel].kind() != OUTPUT_CHANNEL) return wire::REASON_UNKNOWN;
  uint8_t reason = action.code == wire::ORDER_SET    ? switch_to(channel, action.params.level)
                   : action.code == wire::ORDER_CODE ? begin_code(channel, action, instant())
                                                     : run(channel, action);
  if (reason && committing) put(channel, channels[channel].output.on);  // its pin event was executed: undo that
  return reason;
}

void on_due(uint8_t channel, uint32_t at) {
  Output& output = channels[channel].output;
  if (output.order == wire::ORDER_CODE) {
    change_code(channel, at);
    return;
  }
  uint32_t now = instant();
  if (ticks::before(at + LATE, now)) at = now;
  Train& train = output.params.train;
  Ramp& ramp = output.params.ramp;
  bool is_ramp = output.order == wire::ORDER_RAMP;
  if (set_on(output)) {
    off(channel, wire::DONE_LIMIT);
  } else if (output.gap) {
    output.gap = 0;
    begin_on(channel);
    timer_queue::set_after(channel, at, is_ramp ? ticks::of_ms(ramp.tone_ms) : train.on);
  } else if (is_ramp) {
    ramp.hz += ramp.step_hz;
    end_one(channel, at, ticks::of_ms(ramp.tone_ms), ticks::of_ms(ramp.period_ms), --ramp.count);
  } else if (output.order == wire::ORDER_TRAIN) {
    end_one(channel, at, train.on, train.period, --train.count);
  } else {
    off(channel, wire::DONE_FINISHED);
  }
}

void off(uint8_t channel, uint8_t why) {
  Output& output = channels[channel].output;
  if (!output.order) return;
  lookahead::invalidate_output(channel);
  put(channel, false);
  timer_queue::cancel(channel);
  bool report = !set_on(output) || why == wire::DONE_LIMIT;
  if (output.voice != limits::NO_VOICE) hal::free_voice(output.voice);
  output.sequence_slot = limits::NONE;
  output.voice = limits::NO_VOICE;
  output.order = output.gap = 0;
  exclusive_on -= output.exclusive;
  if (why == wire::DONE_LIMIT && limits_hit != 0xFFFF) limits_hit++;
  if (report) events::done(channel, why, instant());
}

void forget() { exclusive_on = limits_hit = 0; }

}  // namespace outputs
