// SPDX-License-Identifier: BSD-3-Clause

#include "bench.h"

#include <algorithm>

#include "board.h"
#include "events.h"
#include "host.h"

namespace {

// Compute the CRC-16 bit by bit, after the specification. The core computes it in another way.
uint16_t check_of(const Bytes& payload) {
  uint16_t sum = wire::CRC_START;
  for (uint8_t byte : payload) {
    sum ^= byte << 8;
    for (int bit = 0; bit < 8; bit++) sum = sum & 0x8000 ? sum << 1 ^ 0x1021 : sum << 1;
  }
  return sum ^ wire::CRC_XOR;
}

void put(Bytes& bytes, uint32_t value, int size) {
  for (; size--; value >>= 8) bytes.push_back(value & 0xFF);
}

}  // namespace

Bytes operator+(Bytes first, const Bytes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Bytes framed(const Bytes& payload) {
  Bytes body = payload, frame, group;
  put(body, check_of(payload), 2);
  body.push_back(0);
  for (uint8_t byte : body) {
    if (byte) {
      group.push_back(byte);
    } else {
      frame.push_back(group.size() + 1);
      frame.insert(frame.end(), group.begin(), group.end());
      group.clear();
    }
  }
  frame.push_back(0);
  return frame;
}

bool deframed(const Bytes& frame, Bytes& payload) {
  payload.clear();
  for (size_t place = 0; place < frame.size();) {
    size_t end = place + frame[place];
    if (end > frame.size() || frame[place] == 0) return false;
    payload.insert(payload.end(), frame.begin() + place + 1, frame.begin() + end);
    place = end;
    if (place < frame.size()) payload.push_back(0);
  }
  if (payload.size() < 3) return false;
  uint16_t check = payload[payload.size() - 2] | payload[payload.size() - 1] << 8;
  payload.resize(payload.size() - 2);
  return check == check_of(payload);
}

// --- orders ---

Bytes set(uint8_t channel, bool on) {
  return {wire::ORDER_SET, static_cast<uint8_t>(channel | (on ? wire::LEVEL : 0))};
}
Bytes pulse(uint8_t channel, uint32_t ticks) {
  Bytes order{wire::ORDER_PULSE, channel};
  put(order, ticks, 4);
  return order;
}
Bytes train(uint8_t channel, uint32_t on, uint32_t period, uint16_t count) {
  Bytes order{wire::ORDER_TRAIN, channel};
  put(order, on, 4);
  put(order, period, 4);
  put(order, count, 2);
  return order;
}
Bytes tone(uint8_t channel, uint16_t hz, uint32_t ticks) {
  Bytes order{wire::ORDER_TONE, channel};
  put(order, hz, 2);
  put(order, ticks, 4);
  return order;
}
Bytes ramp(uint8_t channel, uint16_t hz, int16_t step, uint16_t tone_ms, uint16_t period_ms, uint16_t count) {
  Bytes order{wire::ORDER_RAMP, channel};
  for (uint16_t value : {hz, static_cast<uint16_t>(step), tone_ms, period_ms, count}) put(order, value, 2);
  return order;
}
Bytes start(uint8_t sequence) { return {wire::ORDER_START, sequence}; }
Bytes start_at(uint8_t sequence, uint32_t stamp) {
  Bytes order{wire::ORDER_START_AT, sequence};
  put(order, stamp, 4);
  return order;
}
Bytes stop(uint8_t sequence) { return {wire::ORDER_STOP, sequence}; }
static Bytes with_entries(Bytes order, const std::vector<std::pair<uint32_t, Bytes>>& entries) {
  order.push_back(entries.size());
  for (const auto& entry : entries) {
    put(order, entry.first, 4);
    order = order + entry.second;
  }
  return order;
}
Bytes load(uint8_t sequence, const std::vector<std::pair<uint32_t, Bytes>>& entries) {
  return with_entries({wire::ORDER_LOAD, sequence}, entries);
}
Bytes entries(uint8_t sequence, const std::vector<std::pair<uint32_t, Bytes>>& entries) {
  return with_entries({wire::MORE, wire::ORDER_ENTRIES >> 8, sequence}, entries);
}
static Bytes with_members(Bytes order, const std::vector<std::pair<uint8_t, Bytes>>& members) {
  order.push_back(members.size());
  for (const auto& member : members) {
    order.push_back(member.first);
    order = order + member.second;
  }
  return order;
}
Bytes members(uint8_t group, const std::vector<std::pair<uint8_t, Bytes>>& members) {
  return with_members({wire::MORE, wire::ORDER_MEMBERS >> 8, group}, members);
}
static Bytes arming(uint8_t group, bool bounded, uint32_t until,
                    const std::vector<std::pair<uint8_t, Bytes>>& members) {
  Bytes order{wire::ORDER_ARM, group, bounded};
  put(order, until, 4);
  return with_members(order, members);
}
Bytes arm(uint8_t group, const std::vector<std::pair<uint8_t, Bytes>>& members) {
  return arming(group, false, 0, members);
}
Bytes arm_until(uint8_t group, uint32_t until, const std::vector<std::pair<uint8_t, Bytes>>& members) {
  return arming(group, true, until, members);
}
Bytes disarm(uint8_t group) { return {wire::ORDER_DISARM, group}; }
Bytes input(uint8_t channel, uint8_t pin, uint8_t flags, uint32_t debounce, uint32_t on, uint32_t off) {
  Bytes order{wire::ORDER_INPUT, channel, pin, flags};
  for (uint32_t value : {debounce, on, off}) put(order, value, 4);
  return order;
}
Bytes output(uint8_t channel, uint8_t pin, uint8_t flags, uint16_t max_on_ms) {
  Bytes order{wire::ORDER_OUTPUT, channel, pin, flags};
  put(order, max_on_ms, 2);
  return order;
}
Bytes panic(uint8_t pin, uint8_t flags) { return {wire::MORE, wire::ORDER_PANIC >> 8, pin, flags}; }
Bytes nothing() { return {wire::ORDER_NOTHING}; }
Bytes sample(uint8_t source, uint8_t pin, uint32_t period_us) {
  Bytes order{wire::MORE, wire::ORDER_SAMPLE >> 8, source, pin};
  put(order, period_us, 4);
  return order;
}
Bytes count(uint8_t source, uint8_t pin_a, uint8_t pin_b, uint32_t period_us) {
  Bytes order{wire::MORE, wire::ORDER_COUNT >> 8, source, pin_a, pin_b};
  put(order, period_us, 4);
  return order;
}
Bytes threshold(uint8_t channel, uint8_t source, int32_t below, int32_t above, uint8_t flags, uint32_t debounce,
                uint32_t on, uint32_t off) {
  Bytes order{wire::MORE, wire::ORDER_THRESHOLD >> 8, channel, source};
  put(order, below, 4);
  put(order, above, 4);
  order.push_back(flags);
  for (uint32_t value : {debounce, on, off}) put(order, value, 4);
  return order;
}
Bytes code(uint8_t channel, uint32_t state, uint16_t period_ms, uint16_t bit_ms, uint8_t bits) {
  Bytes order{wire::ORDER_CODE, channel};
  put(order, state, 4);
  put(order, period_ms, 2);
  put(order, bit_ms, 2);
  put(order, bits, 1);
  return order;
}

// --- the bench ---

// How often the main loop runs at least, in ticks: at each wrap of the timer while it sleeps, otherwise every 10 us.
constexpr uint64_t LAP = 0x10000, LOOK = 20;

Bench::Bench(uint32_t clock) {
  stub::reset(clock);
  stub::on_change = [this](uint8_t pin, int value) { changes.push_back(Change{now_, pin, value}); };
  board::begin();
  settle();
}

void Bench::open(uint16_t nonce, uint16_t lease_ms, uint16_t resend_ms) {
  send(wire::Open{wire::CODE_OPEN, nonce, lease_ms, resend_ms});
  epoch = heard(wire::CODE_OPENED).back().as<wire::Opened>().epoch;
  number = 0;
  journalled = 0;
}

// Inputs have no filters. Valves have an on-time limit of 100 ms.
void Bench::wire() {
  order(input(LEFT, 10, 0, 0, 0, 0) + input(RIGHT, 11, 0, 0, 0, 0), 2);
  order(output(VALVE, 12, wire::DANGEROUS, 100) + output(OTHER, 13, wire::DANGEROUS, 100), 2);
  order(output(LIGHT, 14, 0, 0) + output(SPEAKER, 15, wire::DANGEROUS, 1000), 2);
  const uint8_t flags = wire::DANGEROUS | wire::EXCLUSIVE;
  order(output(ONE, 16, flags, 100) + output(TWO, 17, flags, 100) + output(LAMP, 18, wire::INVERTED, 0), 3);
  changes.clear();
}

uint64_t Bench::time() const { return now_; }

void Bench::at(uint64_t when, std::function<void()> what) { plan_.emplace(when, what); }

void Bench::pin(uint8_t number, bool level) { stub::set_pin(number + 10, level); }

void Bench::reset() {
  board::begin();
  settle();
}

void Bench::script(uint8_t channel, std::vector<uint64_t> toggles) {
  bool level = false;
  for (uint64_t when : toggles) {
    level = !level;
    at(when, [=] { pin(channel, level); });
  }
}

void Bench::listen() {
  while (!stub::to_host.empty()) {
    uint8_t byte = stub::to_host.front();
    stub::to_host.pop_front();
    if (byte) {
      line_.push_back(byte);
      continue;
    }
    Bytes payload;
    if (deframed(line_, payload)) messages.push_back(Message{payload, now_});
    line_.clear();
  }
}

void Bench::settle() {
  stub::serve();
  bool has_room = stub::send_capacity == limits::SEND_RING - 1;  // otherwise something may be left to do
  while ((!board::poll() && has_room) || !stub::to_board.empty()) {
  }
  listen();
}

void Bench::run(uint64_t until) {
  for (;;) {
    uint64_t next = until;
    if (!plan_.empty()) next = std::min(next, plan_.begin()->first);
    next = std::min(next, now_ + (board::is_idle() && board::may_sleep() ? LAP : LOOK));
    if (stub::has_wakeup) {
      int32_t ahead = stub::wakeup_at - stub::clock;
      next = std::min(next, now_ + std::max(ahead, 0));
    }
    stub::clock += next - now_;
    now_ = next;
    while (!plan_.empty() && plan_.begin()->first <= now_) {
      auto what = plan_.begin()->second;
      plan_.erase(plan_.begin());
      what();
    }
    settle();
    bool more = (!plan_.empty() && plan_.begin()->first <= now_) ||
                (stub::has_wakeup && static_cast<int32_t>(stub::wakeup_at - stub::clock) <= 0);
    if (now_ >= until && !more) return;
  }
}

void Bench::say(const Bytes& bytes) {
  stub::to_board.insert(stub::to_board.end(), bytes.begin(), bytes.end());
  settle();
}

void Bench::batch(uint8_t in_epoch, uint8_t with_number, const Bytes& orders, uint8_t count, uint16_t seen) {
  Bytes payload{wire::CODE_BATCH, in_epoch, with_number};
  put(payload, journalled, 2);
  put(payload, seen, 2);
  payload.push_back(count);
  say(framed(payload + orders));
}

Words Bench::order(const Bytes& orders, uint8_t count) {
  uint16_t last = 0;
  for (const Message& message : messages) {
    if (message.code() >= wire::FIRST_EVENT) last = message.payload[1] | message.payload[2] << 8;
  }
  return order(orders, count, last);
}

void Bench::begin(const Bytes& orders, uint8_t count) { batch(epoch, ++number, orders, count | wire::MORE_FRAMES, 0); }
Words Bench::order(const Bytes& orders, uint8_t count, uint16_t seen) {
  size_t before = messages.size();
  batch(epoch, ++number, orders, count, seen);
  Words refused;
  for (size_t place = before; place < messages.size(); place++) {
    if (messages[place].code() != wire::CODE_REFUSED) continue;
    auto message = messages[place].as<wire::Refused>();
    if (message.cause == wire::CAUSE_ORDER) refused.push_back(text_of(message));
  }
  return refused;
}

void Bench::acknowledge() {
  for (const Message& message : messages) {
    if (message.code() < wire::FIRST_EVENT) continue;
    uint16_t event = message.payload[1] | message.payload[2] << 8;
    if (event == static_cast<uint16_t>(journalled + 1)) journalled = event;
  }
  send(wire::EventAck{wire::CODE_EVENT_ACK, journalled, 0});
}

std::vector<Message> Bench::heard(uint8_t code) const {
  std::vector<Message> found;
  for (const Message& message : messages) {
    if (message.code() == code) found.push_back(message);
  }
  return found;
}
