// SPDX-License-Identifier: BSD-3-Clause

#include "outputs.h"

#include <string.h>

#include "events.h"
#include "inputs.h"
#include "openings.h"
#include "ticks.h"
#include "timer_queue.h"

namespace outputs {

uint16_t limits_hit;
uint8_t starter = limits::NONE;

namespace {

// A train that the chip cannot keep up with falls behind the clock, so that whatever else is due has its turn.
constexpr uint16_t LATE = ticks::PER_MS;

uint8_t exclusive_on;  // how many of those are on that lock each other out: one at most

uint8_t begun;                       // by what is being executed: a channel and one, or 0,
constexpr uint8_t HAS_FIRED = 0x80;  // and whether what was aimed at has happened already,
uint32_t fired_at;                   // then
bool has_fired() { return begun & HAS_FIRED; }

uint32_t instant() {
  uint32_t at = has_fired() ? fired_at : hal::now();
  return hal::has_panicked() && ticks::before(hal::panicked_at(), at) ? hal::panicked_at() : at;
}

bool set_on(const Output& output) { return output.doing == wire::ORDER_SET; }

uint16_t hz_of(const Output& output) {
  if (output.doing == wire::ORDER_TONE) return output.params.tone.hz;
  int16_t hz = static_cast<int16_t>(output.params.ramp.hz);
  return hz > 0 ? hz : 0;
}

// It goes on or off; a tone goes on by its voice.
void put(uint8_t channel, bool level) {
  Output& output = channels[channel].output;
  bool changes = output.on != level, sounds = output.voice != limits::NO_VOICE;
  output.on = level;
  if (sounds && changes && !level) hal::silence(output.voice, output.inverted);  // it has a pin now
  if (!sounds || !level) hal::drive(output.pin, level ^ output.inverted);
  if (!changes || !output.dangerous) return;
  uint32_t at = instant();
  if (!level) {
    openings::end(channel, at);
  } else if (!is_barred()) {
    openings::begin(channel, at);
  }
}

void begin_on(uint8_t channel) {
  const Output& output = channels[channel].output;
  uint16_t hz = is_tone(output.doing) ? hz_of(output) : 0;
  if (hz && !has_fired()) {
    hal::prepare(output.voice, output.pin, hz);
    hal::start(output.voice);
  }
  put(channel, hz || !is_tone(output.doing));
}

uint8_t switch_to(uint8_t channel, bool level) {
  Output& output = channels[channel].output;
  if (!level) {
    off(channel, wire::DONE_STOPPED);
    return 0;
  }
  if (output.doing) return set_on(output) ? 0 : wire::REASON_BUSY;
  if (output.exclusive && exclusive_on) return wire::REASON_INTERLOCK;
  on_change(channel);
  put(channel, true);
  if (output.dangerous) timer_queue::set(channel, instant() + ticks::of_ms(output.max_on_ms));
  output.doing = wire::ORDER_SET;
  output.starter = starter;
  exclusive_on += output.exclusive;
  return 0;
}

uint8_t why_not(const Output& output, const Action& action) {
  if (output.doing) return wire::REASON_BUSY;
  if (output.dangerous && action.longest_on() > ticks::of_ms(output.max_on_ms)) return wire::REASON_TOO_LONG;
  return output.exclusive && exclusive_on ? wire::REASON_INTERLOCK : 0;
}

uint8_t run(uint8_t channel, const Action& action) {
  Output& output = channels[channel].output;
  uint8_t reason = why_not(output, action);
  if (reason) {
    if (has_fired()) put(channel, output.on);  // what was prepared no longer held
    return reason;
  }
  if (is_tone(action.code)) {
    if (action.is_too_high()) return wire::REASON_UNKNOWN;
    uint8_t voice = hal::alloc_voice();
    if (voice == limits::NO_VOICE) return wire::REASON_NO_ROOM;
    output.voice = voice;
  }
  on_change(channel);
  output.doing = action.code;
  output.params = action.params;
  output.starter = starter;
  exclusive_on += output.exclusive;
  if (action.is_empty()) {
    off(channel, wire::DONE_FINISHED);
    return 0;
  }
  begin_on(channel);
  uint32_t on = action.on_ticks();
  if (action.is_seamless()) {
    output.doing = wire::ORDER_PULSE;
    on = action.longest_on();
  }
  timer_queue::set_after(channel, instant(), on);
  begun = (begun & HAS_FIRED) + channel + 1;
  return 0;
}

// The time of a pulse or a tone is over; begin the gap, or the next one when there is no gap.
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

// Of a tone that lasts, its end; of a ramp that pauses, the next one.
void describe_tone(const Output& output, pin_events::PinAction& pin_action) {
  const Ramp& ramp = output.params.ramp;
  bool is_ramp = output.doing == wire::ORDER_RAMP;
  bool starts = is_ramp && output.gap && ramp.hz > 0;
  bool ends = output.on && (!is_ramp || ramp.count == 1 || ramp.period_ms > ramp.tone_ms);
  if (!starts && !ends) return;
  if (starts) hal::prepare(output.voice, output.pin, ramp.hz);
  pin_action.port = starts ? pin_events::START : pin_events::SILENCE;
  pin_action.mask = output.voice + 1;
  pin_action.level = output.inverted;
}

// It puts the output on or off.
void put(const Output& output, bool on, pin_events::PinAction& pin_action) {
  pin_action.port = output.pin.port;
  pin_action.mask = output.pin.mask;
  pin_action.level = on != output.inverted;
}

void name(uint8_t channel, pin_events::PinAction& pin_action) {
  pin_action.channel = channel;
  pin_action.exclusive = channels[channel].output.exclusive;
}

}  // namespace

void describe(const Action& action, pin_events::PinAction& pin_action) {
  if (action.is_noop()) return;
  bool is_output = action.code < wire::ORDER_START;
  pin_action.is_complex = !is_output;
  if (!is_output || action.channel == limits::NO_CHANNEL || channels[action.channel].kind() != OUTPUT_CHANNEL) return;
  name(action.channel, pin_action);
  const Output& output = channels[action.channel].output;
  if (action.code == wire::ORDER_SET) {
    if (!action.params.level) {
      if (output.voice == limits::NO_VOICE) put(output, false, pin_action);
    } else if (!output.doing && !(output.exclusive && exclusive_on)) {
      put(output, true, pin_action);
    }
  } else if (!is_tone(action.code) && !action.is_empty() && !why_not(output, action)) {
    put(output, true, pin_action);
  }
}

void describe(uint8_t channel, pin_events::PinAction& pin_action) {
  const Output& output = channels[channel].output;
  const Train& train = output.params.train;
  name(channel, pin_action);
  if (output.voice != limits::NO_VOICE) {
    describe_tone(output, pin_action);
  } else if (output.doing != wire::ORDER_TRAIN || output.gap || train.count == 1 || train.period > train.on) {
    put(output, output.doing == wire::ORDER_TRAIN && output.gap, pin_action);
  }
}

void fired(uint32_t at) {
  fired_at = at;
  begun = HAS_FIRED;
}

void finish() {
  uint8_t last = begun & ~HAS_FIRED;
  begun = 0;
  if (last) on_begun(last - 1);
}

bool is_barred() { return hal::has_panicked() && !(has_fired() && ticks::before(fired_at, hal::panicked_at())); }

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
  output.starter = limits::NONE;
  output.voice = limits::NO_VOICE;
  hal::make_output(pin, output.inverted);
  return 0;
}

uint8_t perform(const Action& action) {
  uint8_t channel = action.channel;
  if (is_barred()) return wire::REASON_UNKNOWN;
  if (channel == limits::NO_CHANNEL || channels[channel].kind() != OUTPUT_CHANNEL) return wire::REASON_UNKNOWN;
  return action.code == wire::ORDER_SET ? switch_to(channel, action.params.level) : run(channel, action);
}

void due(uint8_t channel, uint32_t at) {
  Output& output = channels[channel].output;
  uint32_t now = instant();
  if (ticks::before(at + LATE, now)) at = now;
  Train& train = output.params.train;
  Ramp& ramp = output.params.ramp;
  bool is_ramp = output.doing == wire::ORDER_RAMP;
  if (set_on(output)) {
    off(channel, wire::DONE_LIMIT);
  } else if (output.gap) {
    output.gap = 0;
    begin_on(channel);
    timer_queue::set_after(channel, at, is_ramp ? ticks::of_ms(ramp.tone_ms) : train.on);
  } else if (is_ramp) {
    ramp.hz += ramp.step_hz;
    end_one(channel, at, ticks::of_ms(ramp.tone_ms), ticks::of_ms(ramp.period_ms), --ramp.count);
  } else if (output.doing == wire::ORDER_TRAIN) {
    end_one(channel, at, train.on, train.period, --train.count);
  } else {
    off(channel, wire::DONE_FINISHED);
  }
}

void off(uint8_t channel, uint8_t why) {
  Output& output = channels[channel].output;
  if (!output.doing) return;
  on_change(channel);
  put(channel, false);
  timer_queue::cancel(channel);
  bool report = !set_on(output) || why == wire::DONE_LIMIT;
  if (output.voice != limits::NO_VOICE) hal::free_voice(output.voice);
  output.starter = limits::NONE;
  output.voice = limits::NO_VOICE;
  output.doing = output.gap = 0;
  exclusive_on -= output.exclusive;
  if (why == wire::DONE_LIMIT && limits_hit != 0xFFFF) limits_hit++;
  if (report) events::done(channel, why, instant());
}

void forget() { exclusive_on = limits_hit = 0; }

}  // namespace outputs
