// SPDX-License-Identifier: BSD-3-Clause

#include "sources.h"

#ifdef TARGET_SAMPLES

#include <string.h>

#include "floods.h"
#include "frame.h"
#include "hal.h"
#include "inputs.h"
#include "scheduler.h"
#include "snapshots.h"
#include "ticks.h"
#include "timer_queue.h"

namespace sources {

uint8_t levels[limits::THRESHOLD_PORTS];

namespace {

// The host draws values beside the session, so a block is full after this time at the latest.
constexpr uint32_t LONGEST_BLOCK_US = 100000;

// As it travels: SAMPLES, or COUNTS, which has the same head.
struct __attribute__((packed)) Block {
  wire::Samples head;
  uint8_t values[wire::LONGEST_PAYLOAD - sizeof(wire::Samples)];
};
static_assert(sizeof(wire::Counts) == sizeof(wire::Samples), "both kinds of blocks have one head");

struct Source {
  bool used;
  uint8_t input;     // its pin, or the number of its encoder
  uint8_t capacity;  // how many values a full block has
  uint16_t lost;     // blocks for which there was no room; stays at its largest value
  uint32_t block;    // how many blocks it has had since OPEN
  uint32_t period, next_at;
  int32_t value;  // the last one
  Block filling;

  bool counts() const { return filling.head.code == wire::CODE_COUNTS; }
};
Source table[limits::SOURCES];

struct Threshold {
  bool used;  // or its pin is free
  uint8_t source, channel;
  int32_t below, above;
};
constexpr uint8_t THRESHOLDS = 8 * limits::THRESHOLD_PORTS;
Threshold thresholds[THRESHOLDS];

// Blocks that wait until the line has room for them: the scheduler adds them, the main loop sends them.
Block waiting[limits::BLOCKS];
volatile uint8_t first, next_free;  // equal if there is none
uint8_t after(uint8_t index) { return index + 1 == limits::BLOCKS ? 0 : index + 1; }

uint8_t size_of_values(const Block& block) {
  return block.head.count * (block.head.code == wire::CODE_COUNTS ? sizeof(int32_t) : sizeof(int16_t));
}

void finish_block(Source& source) {
  wire::Samples& head = source.filling.head;
  head.block = source.block++;
  head.lost = source.lost;
  uint8_t next = after(next_free);
  if (next == first) {
    if (source.lost < 0xFFFF) source.lost++;
  } else {
    waiting[next_free] = source.filling;
    next_free = next;
  }
  head.count = 0;
}

void add_value(Source& source) {
  wire::Samples& head = source.filling.head;
  if (!head.count) head.stamp = source.next_at;
  uint8_t* end = source.filling.values + size_of_values(source.filling);
  // Numbers are little-endian, so the first bytes are the low half.
  memcpy(end, &source.value, source.counts() ? sizeof(int32_t) : sizeof(int16_t));
  if (++head.count == source.capacity) finish_block(source);
}

void set_level(uint8_t pin, bool level) {
  uint8_t mask = 1 << pin % 8;
  uint8_t& port = levels[pin / 8];
  port = level ? port | mask : port & ~mask;
}

void compare(uint8_t pin) {
  const Threshold& threshold = thresholds[pin];
  int32_t value = table[threshold.source].value;
  if (value >= threshold.above) set_level(pin, true);
  if (value <= threshold.below) set_level(pin, false);
}

void take_value(uint8_t number) {
  Source& source = table[number];
  source.value = source.counts() ? hal::steps(source.input) : hal::measure(source.input);
  for (uint8_t pin = 0; pin < THRESHOLDS; pin++) {
    if (thresholds[pin].used && thresholds[pin].source == number) compare(pin);
  }
}

bool is_due(const Source& source, uint32_t at) { return source.used && source.next_at == at; }

// Put the time of the next value into the timer queue.
void set_next() {
  const Source* next = nullptr;
  for (const Source& source : table) {
    if (!source.used) continue;
    if (!next || ticks::before(source.next_at, next->next_at)) next = &source;
  }
  if (next) {
    timer_queue::set(timer_queue::SAMPLING, next->next_at);
    if (!next->counts()) hal::plan_measurement(next->input, next->next_at);
  } else {
    timer_queue::cancel(timer_queue::SAMPLING);
  }
}

// Remove a source and its thresholds, whose inputs keep their levels.
void remove(uint8_t number) {
  Source& source = table[number];
  if (source.used && source.counts()) hal::end_encoder(source.input);
  source.used = false;
  for (Threshold& threshold : thresholds) {
    if (threshold.source == number) threshold.used = false;
  }
}

void remove_all() {
  for (uint8_t number = 0; number < limits::SOURCES; number++) remove(number);
  timer_queue::cancel(timer_queue::SAMPLING);
}

uint8_t check(uint8_t number, uint32_t period_us) {
  if (number >= limits::SOURCES) return wire::REASON_NO_ROOM;
  bool can_keep = period_us >= limits::SHORTEST_PERIOD_US && period_us < ticks::HORIZON / ticks::PER_US;
  return can_keep ? 0 : wire::REASON_UNKNOWN;
}

void begin(uint8_t number, uint8_t code, uint8_t input, uint32_t period_us, uint8_t value_bytes) {
  Source& source = table[number];
  uint32_t in_time = LONGEST_BLOCK_US / period_us;
  uint8_t most = sizeof(source.filling.values) / value_bytes;
  source.capacity = in_time > most ? most : in_time ? in_time : 1;
  source.period = period_us * ticks::PER_US;
  source.next_at = hal::now();
  source.filling.head = {code, number, 0, 0, 0, source.period, 0};
  source.input = input;
  source.used = true;
}

uint8_t sample(const wire::OrderSample& order) {
  if (uint8_t reason = check(order.source, order.period_us)) return reason;
  remove(order.source);
  inputs::release(hal::input_pin(order.pin));
  bool can_be = hal::make_analog(order.pin);
  if (can_be) begin(order.source, wire::CODE_SAMPLES, order.pin, order.period_us, sizeof(int16_t));
  set_next();
  return can_be ? 0 : wire::REASON_UNKNOWN;
}

uint8_t count(const wire::OrderCount& order) {
  if (uint8_t reason = check(order.source, order.period_us)) return reason;
  remove(order.source);
  inputs::release(hal::input_pin(order.pin_a));
  inputs::release(hal::input_pin(order.pin_b));
  uint8_t encoder = hal::begin_encoder(order.pin_a, order.pin_b);
  bool can_be = encoder != limits::NONE;
  if (can_be) begin(order.source, wire::CODE_COUNTS, encoder, order.period_us, sizeof(int32_t));
  set_next();
  return can_be ? 0 : wire::REASON_UNKNOWN;
}

// Return the pin of a channel's threshold, or a free one, or NONE.
uint8_t find_pin(uint8_t channel) {
  uint8_t free = limits::NONE;
  for (uint8_t pin = THRESHOLDS; pin--;) {
    if (!thresholds[pin].used) {
      free = pin;
    } else if (thresholds[pin].channel == channel) {
      return pin;
    }
  }
  return free;
}

uint8_t threshold(const wire::OrderThreshold& order) {
  bool has_source = order.source < limits::SOURCES && table[order.source].used;
  if (!has_source || order.below >= order.above) return wire::REASON_UNKNOWN;
  uint8_t pin = find_pin(order.channel);
  if (order.channel >= limits::CHANNELS || pin == limits::NONE) return wire::REASON_NO_ROOM;
  thresholds[pin] = {true, order.source, order.channel, order.below, order.above};
  set_level(pin, false);
  compare(pin);
  const hal::Pin place = {static_cast<uint8_t>(FIRST_PORT + pin / 8), static_cast<uint8_t>(1 << pin % 8)};
  uint8_t reason = inputs::configure(order, place);
  thresholds[pin].used = !reason;
  return reason;
}

}  // namespace

uint8_t configure(const uint8_t* order) {
  using frame::as;
  switch (as<wire::OrderSample>(order).code) {
    case wire::ORDER_SAMPLE: return sample(as<wire::OrderSample>(order));
    case wire::ORDER_COUNT: return count(as<wire::OrderCount>(order));
    case wire::ORDER_THRESHOLD: return threshold(as<wire::OrderThreshold>(order));
    default: return wire::REASON_UNKNOWN;
  }
}

// The edges come first: a reflex may wait for them.
void on_due(uint32_t at) {
  for (uint8_t number = 0; number < limits::SOURCES; number++) {
    if (is_due(table[number], at)) take_value(number);
  }
  snapshots::Snapshot snapshot;
  if (snapshots::record_thresholds(snapshot)) {
    inputs::handle_snapshot(snapshot, at);
    if (snapshots::count_thresholds(snapshot)) floods::note();
  }
  for (Source& source : table) {
    if (!is_due(source, at)) continue;
    add_value(source);
    source.next_at += source.period;
  }
  set_next();
}

void release(hal::Pin pin) {
  if (has_port(pin.port)) thresholds[8 * (pin.port - FIRST_PORT) + __builtin_ctz(pin.mask)].used = false;
}

uint32_t horizon(uint32_t now) {
  if (!timer_queue::has(timer_queue::SAMPLING)) return now;
  uint32_t due = timer_queue::due(timer_queue::SAMPLING);
  return ticks::before(due, now) ? due : now;
}

void stop() {
  hal::SchedulerLock lock;
  scheduler::catch_up();
  for (Source& source : table) {
    if (source.used && source.filling.head.count) finish_block(source);
  }
  remove_all();
}

void forget() {
  remove_all();
  first = next_free;
  for (Source& source : table) source.block = source.lost = 0;
}

bool has_to_send() { return first != next_free; }

void send_next(uint8_t reserve) {
  if (!has_to_send()) return;
  const Block& block = waiting[first];
  uint8_t length = sizeof(block.head) + size_of_values(block);
  if (hal::send_capacity() < frame::framed_size(length) + reserve) return;
  frame::send(&block, length);
  first = after(first);
}

}  // namespace sources

#endif
