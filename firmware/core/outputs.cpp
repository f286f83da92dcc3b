// SPDX-License-Identifier: BSD-3-Clause

#include "outputs.h"

#include <string.h>

#include "timer_queue.h"
#include "events.h"
#include "inputs.h"
#include "openings.h"
#include "ticks.h"

namespace outputs {

uint16_t limits_hit;
uint8_t starter = limits::NONE;

namespace {

// A train that the chip cannot keep up with falls behind the clock, so that whatever else is due has its turn.
constexpr uint16_t LATE = ticks::PER_MS;

uint8_t exclusive_on;  // how many of those are on that lock each other out: one at most

uint8_t begun;  // by what is being executed: a channel and one, or 0,
constexpr uint8_t HAS_FIRED = 0x80;  // and whether what was aimed at has happened already,
uint32_t fired_at;                   // then
bool has_fired() { return begun & HAS_FIRED; }

uint32_t instant() {
  uint32_t at = has_fired() ? fired_at : hal::now();
  return hal::has_panicked() && ticks::before(hal::panicked_at(), at) ? hal::panicked_at() : at;
}

bool set_on(const Output& output) { return output.doing == wire::ORDER_SET; }

uint16_t hz_of(const Output& output) {
  if (output.doing == wire::ORDER_TONE) return output.body.tone.hz;
  int16_t hz = output.body.ramp.hz;
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
  if (output.dangerous) agenda::set(channel, instant() + ticks::of_ms(output.max_on_ms));
  output.doing = wire::ORDER_SET;
  output.starter = starter;
  exclusive_on += output.exclusive;
  return 0;
}

uint8_t why_not(const Output& output, const Deed& deed) {
  if (output.doing) return wire::REASON_BUSY;
  if (output.dangerous && deed.longest_on() > ticks::of_ms(output.max_on_ms)) return wire::REASON_TOO_LONG;
  return output.exclusive && exclusive_on ? wire::REASON_INTERLOCK : 0;
}

uint8_t run(uint8_t channel, const Deed& deed) {
  Output& output = channels[channel].output;
  uint8_t reason = why_not(output, deed);
  if (reason) {
    if (has_fired()) put(channel, output.on);  // whoever has aimed at it was wrong
    return reason;
  }
  if (is_tone(deed.code)) {
    if (deed.too_high()) return wire::REASON_UNKNOWN;
    uint8_t voice = hal::take_voice();
    if (voice == limits::NO_VOICE) return wire::REASON_NO_ROOM;
    output.voice = voice;
  }
  on_change(channel);
  output.doing = deed.code;
  output.body = deed.body;
  output.starter = starter;
  exclusive_on += output.exclusive;
  if (deed.does_nothing()) {
    off(channel, wire::DONE_FINISHED);
    return 0;
  }
  begin_on(channel);
  uint32_t on = deed.on_ticks();
  if (deed.is_seamless()) {
    output.doing = wire::ORDER_PULSE;
    on = deed.longest_on();
  }
  agenda::set_after(channel, instant(), on);
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
    agenda::set_after(channel, at, period - on);
  } else {
    begin_on(channel);
    agenda::set_after(channel, at, on);
  }
}

// Of a tone that lasts, its end; of a ramp that pauses, the next one.
void aim_tone(const Output& output, volley::Aim& aim) {
  const Ramp& ramp = output.body.ramp;
  bool is_ramp = output.doing == wire::ORDER_RAMP;
  bool starts = is_ramp && output.gap && ramp.hz > 0;
  bool ends = output.on && (!is_ramp || ramp.count == 1 || ramp.period_ms > ramp.tone_ms);
  if (!starts && !ends) return;
  if (starts) hal::prepare(output.voice, output.pin, ramp.hz);
  aim.port = starts ? volley::START : volley::SILENCE;
  aim.mask = output.voice + 1;
  aim.level = output.inverted;
}

// It puts the output on or off.
void put(const Output& output, bool on, volley::Aim& aim) {
  aim.port = output.pin.port;
  aim.mask = output.pin.mask;
  aim.level = on != output.inverted;
}

void name(uint8_t channel, volley::Aim& aim) {
  aim.channel = channel;
  aim.exclusive = channels[channel].output.exclusive;
}

}  // namespace

void aim(const Deed& deed, volley::Aim& aim) {
  if (deed.idle()) return;
  bool is_output = deed.code < wire::ORDER_START;
  aim.opaque = !is_output;
  if (!is_output || deed.channel == limits::NO_CHANNEL || channels[deed.channel].kind() != OUTPUT_CHANNEL) return;
  name(deed.channel, aim);
  const Output& output = channels[deed.channel].output;
  if (deed.code == wire::ORDER_SET) {
    if (!deed.body.level) {
      if (output.voice == limits::NO_VOICE) put(output, false, aim);
    } else if (!output.doing && !(output.exclusive && exclusive_on)) {
      put(output, true, aim);
    }
  } else if (!is_tone(deed.code) && !deed.does_nothing() && !why_not(output, deed)) {
    put(output, true, aim);
  }
}

void aim(uint8_t channel, volley::Aim& aim) {
  const Output& output = channels[channel].output;
  const Train& train = output.body.train;
  name(channel, aim);
  if (output.voice != limits::NO_VOICE) {
    aim_tone(output, aim);
  } else if (output.doing != wire::ORDER_TRAIN) {
    put(output, false, aim);
  } else if (output.gap) {
    put(output, true, aim);
  } else if (train.count == 1 || train.period > train.on) {
    put(output, false, aim);
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
  agenda::cancel(order.channel);
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

uint8_t perform(const Deed& deed) {
  uint8_t channel = deed.channel;
  if (is_barred()) return wire::REASON_UNKNOWN;
  if (channel == limits::NO_CHANNEL || channels[channel].kind() != OUTPUT_CHANNEL) return wire::REASON_UNKNOWN;
  return deed.code == wire::ORDER_SET ? switch_to(channel, deed.body.level) : run(channel, deed);
}

void due(uint8_t channel, uint32_t at) {
  Output& output = channels[channel].output;
  uint32_t now = instant();
  if (ticks::before(at + LATE, now)) at = now;
  Train& train = output.body.train;
  Ramp& ramp = output.body.ramp;
  bool is_ramp = output.doing == wire::ORDER_RAMP;
  if (set_on(output)) {
    off(channel, wire::DONE_LIMIT);
  } else if (output.gap) {
    output.gap = 0;
    begin_on(channel);
    agenda::set_after(channel, at, is_ramp ? ticks::of_ms(ramp.tone_ms) : train.on);
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
  agenda::cancel(channel);
  bool report = !set_on(output) || why == wire::DONE_LIMIT;
  if (output.voice != limits::NO_VOICE) hal::give_voice(output.voice);
  output.starter = limits::NONE;
  output.voice = limits::NO_VOICE;
  output.doing = output.gap = 0;
  exclusive_on -= output.exclusive;
  if (why == wire::DONE_LIMIT && limits_hit != 0xFFFF) limits_hit++;
  if (report) events::done(channel, why, instant());
}

void forget() {
  exclusive_on = limits_hit = 0;
}

}  // namespace outputs
