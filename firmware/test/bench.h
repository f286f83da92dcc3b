// SPDX-License-Identifier: BSD-3-Clause
//
// A bench: the firmware's core on a simulated chip in virtual time. A test drives its input pins, records its output
// pins, and sends it frames as a host would.

#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "messages.h"

typedef std::vector<uint8_t> Bytes;

constexpr uint32_t US = 2, MS = 2000, S = 2000000;  // ticks of 0.5 us

// The channels that Bench::wire() configures. The pin of a channel is its number plus 10.
enum : uint8_t { LEFT, RIGHT, VALVE, OTHER, LIGHT, SPEAKER, ONE, TWO, LAMP };

struct Message {
  Bytes payload;
  uint64_t at;

  uint8_t code() const { return payload[0]; }
  template <typename T>
  T as() const;  // of a message with values, its head
};

// A change of an output pin: `value` is its level (0 or 1), or the frequency of a tone in Hz.
struct Change {
  uint64_t at;
  uint8_t pin;
  int value;
};

class Bench {
 public:
  explicit Bench(uint32_t clock = 0);

  // Send OPEN with this nonce. wire() then configures the channels.
  void open(uint16_t nonce = 1, uint16_t lease_ms = 60000, uint16_t resend_ms = 20);
  void wire();

  // Virtual time, in ticks since the bench was created. run() lets it pass; at() schedules an action of the test. pin()
  // and script() drive the input pin of a channel; script() toggles it at these times.
  uint64_t time() const;
  void run(uint64_t until);
  void at(uint64_t when, std::function<void()> what);
  void pin(uint8_t number, bool level);
  void reset();
  void script(uint8_t number, std::vector<uint64_t> toggles);

  // Send bytes or a message to the board, and run it until it has nothing left to do at this time. order() sends a
  // BATCH and returns its refusals, as "0 busy".
  void say(const Bytes& bytes);
  template <typename T>
  void send(const T& message);
  std::vector<std::string> order(const Bytes& orders, uint8_t count = 1);
  std::vector<std::string> order(const Bytes& orders, uint8_t count, uint16_t seen);
  void batch(uint8_t in_epoch, uint8_t with_number, const Bytes& orders, uint8_t count, uint16_t seen);

  // Send a frame of a batch that is not its last.
  void begin(const Bytes& orders, uint8_t count = 1);
  void acknowledge();

  // What the board has sent and done. Times in these texts are microseconds.
  std::vector<Message> heard(uint8_t code) const;  // all messages with this code
  std::vector<std::string> events() const;         // "edge left 1 fired 0 at 100": every event once
  std::vector<std::string> events(const std::string& kind) const;
  std::string pins(uint8_t pin) const;  // "100:1 200:0": one pin
  std::string pins() const;             // "100:valve:1": all pins
  std::vector<std::string> openings();  // "1 valve at 100 for 40": the oldest first
  bool is_on(uint8_t pin) const;
  bool anything_on() const;

  std::vector<Message> messages;
  std::vector<Change> changes;
  uint8_t epoch = 0, number = 0;
  uint16_t journalled = 0;

 private:
  void settle();
  void listen();

  uint64_t now_ = 0;
  std::multimap<uint64_t, std::function<void()>> plan_;
  Bytes line_;
};

// Encode orders. `+` joins the orders of one batch.
Bytes set(uint8_t channel, bool on);
Bytes pulse(uint8_t channel, uint32_t ticks);
Bytes train(uint8_t channel, uint32_t on, uint32_t period, uint16_t count);
Bytes tone(uint8_t channel, uint16_t hz, uint32_t ticks);
Bytes ramp(uint8_t channel, uint16_t hz, int16_t step, uint16_t tone_ms, uint16_t period_ms, uint16_t count);
Bytes start(uint8_t sequence);
Bytes start_at(uint8_t sequence, uint32_t stamp);
Bytes stop(uint8_t sequence);
Bytes load(uint8_t sequence, const std::vector<std::pair<uint32_t, Bytes>>& entries);
Bytes arm(uint8_t group, const std::vector<std::pair<uint8_t, Bytes>>& members);
Bytes arm_until(uint8_t group, uint32_t until, const std::vector<std::pair<uint8_t, Bytes>>& members);
Bytes members(uint8_t group, const std::vector<std::pair<uint8_t, Bytes>>& members);
Bytes entries(uint8_t sequence, const std::vector<std::pair<uint32_t, Bytes>>& entries);
Bytes disarm(uint8_t group);
Bytes input(uint8_t channel, uint8_t pin, uint8_t flags, uint32_t debounce, uint32_t on, uint32_t off);
Bytes output(uint8_t channel, uint8_t pin, uint8_t flags, uint16_t max_on_ms);
Bytes panic(uint8_t pin, uint8_t flags);
Bytes nothing();
Bytes sample(uint8_t source, uint8_t pin, uint32_t period_us);
Bytes count(uint8_t source, uint8_t pin_a, uint8_t pin_b, uint32_t period_us);
Bytes threshold(uint8_t channel, uint8_t source, int32_t below, int32_t above, uint8_t flags = 0, uint32_t debounce = 0,
                uint32_t on = 0, uint32_t off = 0);
Bytes code(uint8_t channel, uint32_t state, uint16_t period_ms, uint16_t bit_ms, uint8_t bits);
Bytes operator+(Bytes first, const Bytes& second);
constexpr uint8_t UP = 0x80;

// Write a cause as "order 5 0", "reflex 7 left 1" or "sequence 1 0"; and a refusal as "0 busy", if it is of an order of
// a batch, or as "sequence 1 0 busy at 100".
std::string text_of(uint8_t cause, uint8_t by, uint8_t part);
std::string text_of(const wire::Refused& message);

Bytes framed(const Bytes& payload);
bool deframed(const Bytes& frame, Bytes& payload);

typedef std::vector<std::string> Words;

template <typename T>
T Message::as() const {
  T result{};
  std::copy_n(payload.begin(), std::min(payload.size(), sizeof(result)), reinterpret_cast<uint8_t*>(&result));
  return result;
}

template <typename T>
void Bench::send(const T& message) {
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(&message);
  say(framed(Bytes(bytes, bytes + sizeof(message))));
}
