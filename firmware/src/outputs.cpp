// SPDX-License-Identifier: BSD-3-Clause

#include "hot.h"

#include "outputs.h"

#include <string.h>

#include "agenda.h"
#include "events.h"
#include "inputs.h"
#include "ticks.h"

namespace outputs {

uint16_t limits_hit;
uint8_t starter = limits::NONE;

namespace {

// A train that the chip cannot keep up with falls behind the clock, so that whatever else is due has its turn.
constexpr uint16_t LATE = ticks::PER_MS;

uint8_t exclusive_on;  // how many of those are on that lock each other out: one at most

bool has_fired;  // what was aimed at has happened already,
uint32_t fired_at;  // then

uint32_t instant() { return has_fired ? fired_at : hal::now(); }

bool set_on(const Output& output) { return output.doing == wire::ORDER_SET; }

uint16_t hz_of(const Output& output) {
  if (output.doing == wire::ORDER_TONE) return output.body.tone.hz;
  int16_t hz = output.body.ramp.hz;
  return hz > 0 ? hz : 0;
}

bool has_tone(uint8_t code) { return code == wire::ORDER_TONE || code == wire::ORDER_RAMP; }

void put(Output& output, bool level) {
  output.on = level;
  if (!has_fired) hal::drive(output.pin, level ^ output.inverted);
}

void end_on(Output& output) {
  if (output.voice != limits::NONE) hal::silence(output.voice);
  put(output, false);
}

void begin_on(Output& output) {
  if (!has_tone(output.doing)) {
    put(output, true);
  } else if (uint16_t hz = hz_of(output)) {
    output.on = true;
    hal::sound(output.voice, output.pin, hz);
  } else {
    end_on(output);
  }
}

uint32_t on_ticks(const Deed& deed) {
  switch (deed.code) {
    case wire::ORDER_TONE: return deed.body.tone.ticks;
    case wire::ORDER_RAMP: return ticks::of_ms(deed.body.ramp.tone_ms);
    default: return deed.body.train.on;
  }
}

// Where a train or a ramp has no gap between its pulses, all of them are one opening.
uint32_t longest_on(const Deed& deed) {
  uint32_t on = on_ticks(deed), period;
  uint16_t count;
  if (deed.code == wire::ORDER_TRAIN) {
    period = deed.body.train.period;
    count = deed.body.train.count;
  } else if (deed.code == wire::ORDER_RAMP) {
    period = ticks::of_ms(deed.body.ramp.period_ms);
    count = deed.body.ramp.count;
  } else {
    return on;
  }
  if (period > on || count <= 1) return count ? on : 0;
  return on > 0xFFFFFFFF / count ? 0xFFFFFFFF : on * count;
}

// A train without gaps is one pulse: nothing happens to its pin in between.
bool is_seamless(const Deed& deed) {
  return deed.code == wire::ORDER_TRAIN && deed.body.train.period <= deed.body.train.on;
}

bool does_nothing(const Deed& deed) {
  return (deed.code == wire::ORDER_TRAIN && !deed.body.train.count) ||
         (deed.code == wire::ORDER_RAMP && !deed.body.ramp.count);
}

bool too_high(const Deed& deed) {
  if (deed.code == wire::ORDER_TONE) return deed.body.tone.hz > limits::HIGHEST_HZ;
  if (deed.code != wire::ORDER_RAMP) return false;
  const Ramp& ramp = deed.body.ramp;
  int32_t end = ramp.hz + static_cast<int32_t>(ramp.step_hz) * (ramp.count ? ramp.count - 1 : 0);
  return ramp.hz > limits::HIGHEST_HZ || end > limits::HIGHEST_HZ || end < -static_cast<int32_t>(limits::HIGHEST_HZ);
}

uint8_t switch_to(uint8_t channel, bool level) {
  Output& output = channels[channel].output;
  if (!level) {
    off(channel, wire::DONE_STOPPED);
    return 0;
  }
  if (output.doing) return set_on(output) ? 0 : wire::REASON_BUSY;
  if (output.exclusive && exclusive_on) return wire::REASON_INTERLOCK;
  put(output, true);
  if (output.dangerous) agenda::set(channel, instant() + ticks::of_ms(output.max_on_ms));
  output.doing = wire::ORDER_SET;
  output.starter = starter;
  exclusive_on += output.exclusive;
  return 0;
}

uint8_t why_not(const Output& output, const Deed& deed) {
  if (output.doing) return wire::REASON_BUSY;
  if (output.dangerous && longest_on(deed) > ticks::of_ms(output.max_on_ms)) return wire::REASON_TOO_LONG;
  return output.exclusive && exclusive_on ? wire::REASON_INTERLOCK : 0;
}

uint8_t run(uint8_t channel, const Deed& deed) {
  Output& output = channels[channel].output;
  uint8_t reason = has_fired ? 0 : why_not(output, deed);
  if (reason) return reason;
  if (has_tone(deed.code)) {
    if (too_high(deed)) return wire::REASON_UNKNOWN;
    uint8_t voice = hal::take_voice();
    if (voice == limits::NONE) return wire::REASON_NO_ROOM;
    output.voice = voice;
  }
  output.doing = deed.code;
  output.body = deed.body;
  output.starter = starter;
  exclusive_on += output.exclusive;
  if (does_nothing(deed)) {
    off(channel, wire::DONE_FINISHED);
    return 0;
  }
  begin_on(output);
  uint32_t on = on_ticks(deed);
  if (is_seamless(deed)) {
    output.doing = wire::ORDER_PULSE;
    on = longest_on(deed);
  }
  agenda::set_after(channel, instant(), on);
  return 0;
}

// The time of a pulse or a tone is over; begin the gap, or the next one when there is no gap.
void end_one(uint8_t channel, uint32_t at, uint32_t on, uint32_t period, uint16_t left) {
  Output& output = channels[channel].output;
  if (left == 0) {
    off(channel, wire::DONE_FINISHED);
  } else if (period > on) {
    end_on(output);
    output.gap = 1;
    agenda::set_after(channel, at, period - on);
  } else {
    begin_on(output);
    agenda::set_after(channel, at, on);
  }
}

constexpr Shot NOTHING = {{0, 0}, false};

Shot shot(const Output& output, bool on) { return Shot{output.pin, on != output.inverted}; }

}  // namespace

Shot aim(const Deed& deed) {
  if (deed.channel == NO_CHANNEL || channels[deed.channel].kind() != OUTPUT_CHANNEL) return NOTHING;
  const Output& output = channels[deed.channel].output;
  if (deed.code == wire::ORDER_SET) {
    if (!deed.body.level) return output.voice == limits::NONE ? shot(output, false) : NOTHING;
    return output.doing || (output.exclusive && exclusive_on) ? NOTHING : shot(output, true);
  }
  if (deed.code != wire::ORDER_PULSE && deed.code != wire::ORDER_TRAIN) return NOTHING;
  return does_nothing(deed) || why_not(output, deed) ? NOTHING : shot(output, true);
}

Shot aim(uint8_t channel) {
  const Output& output = channels[channel].output;
  const Train& train = output.body.train;
  if (output.voice != limits::NONE) return NOTHING;
  if (output.doing != wire::ORDER_TRAIN) return shot(output, false);
  if (output.gap) return shot(output, true);
  return train.count == 1 || train.period > train.on ? shot(output, false) : NOTHING;
}

void fire(const Shot& shot) {
  if (!shot.pin.mask) return;
  hal::drive(shot.pin, shot.level);
  fired_at = hal::now();
  has_fired = true;
}

void finish() { has_fired = false; }

uint8_t configure(const wire::OrderOutput& order) {
  if (order.channel >= limits::CHANNELS) return wire::REASON_NO_ROOM;
  bool dangerous = order.flags & wire::DANGEROUS;
  if (dangerous && order.max_on_ms > limits::LONGEST_ON_MS) return wire::REASON_TOO_LONG;
  hal::Pin pin = hal::output_pin(order.pin);
  if (!pin.mask) return wire::REASON_UNKNOWN;
  Channel& channel = channels[order.channel];
  if (channel.kind() == OUTPUT_CHANNEL) off(order.channel, wire::DONE_STOPPED);
  agenda::cancel(order.channel);
  inputs::unwatch(order.pin);
  memset(&channel, 0, sizeof(channel));
  Output& output = channel.output;
  output.pin = pin;
  output.kind = OUTPUT_CHANNEL;
  output.inverted = !!(order.flags & wire::INVERTED);
  output.dangerous = dangerous;
  output.exclusive = !!(order.flags & wire::EXCLUSIVE);
  output.max_on_ms = order.max_on_ms;
  output.starter = output.voice = limits::NONE;
  hal::make_output(pin, output.inverted);
  return 0;
}

uint8_t perform(const Deed& deed) {
  uint8_t channel = deed.channel;
  if (channel == NO_CHANNEL || channels[channel].kind() != OUTPUT_CHANNEL) return wire::REASON_UNKNOWN;
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
    begin_on(output);
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
  end_on(output);
  agenda::cancel(channel);
  bool report = !set_on(output) || why == wire::DONE_LIMIT;
  if (output.voice != limits::NONE) hal::give_voice(output.voice);
  output.voice = output.starter = limits::NONE;
  output.doing = output.gap = 0;
  exclusive_on -= output.exclusive;
  if (why == wire::DONE_LIMIT && limits_hit != 0xFFFF) limits_hit++;
  if (report) events::done(channel, why, instant());
}

void stop_of(uint8_t sequence) {
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) {
    if (channels[channel].kind() == OUTPUT_CHANNEL && channels[channel].output.starter == sequence) {
      off(channel, wire::DONE_STOPPED);
    }
  }
}

void all_off() {
  for (uint8_t channel = 0; channel < limits::CHANNELS; channel++) {
    if (channels[channel].kind() == OUTPUT_CHANNEL) off(channel, wire::DONE_STOPPED);
  }
}

void forget() {
  exclusive_on = 0;
  limits_hit = 0;
}

void emergency() {
  for (const Channel& channel : channels) {
    if (channel.kind() == OUTPUT_CHANNEL) hal::drive(channel.output.pin, channel.output.inverted);
  }
}

}  // namespace outputs
