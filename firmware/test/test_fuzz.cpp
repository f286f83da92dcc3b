// SPDX-License-Identifier: BSD-3-Clause
//
// Tests with random bytes, damaged frames and random orders. The sanitizers find memory errors. No output stays on
// beyond its limit, and the board accepts the next valid frame.

#include <cstdlib>
#include <random>

#include "bench.h"
#include "check.h"

namespace {

struct Fuzz : Bench {
  explicit Fuzz(uint32_t seed) : random(seed) { renew(); }

  void renew() {
    open(++nonce, 2000);
    wire();
    for (uint64_t& begun : on_since) begun = 0;
    checked = 0;
  }

  uint32_t any(uint32_t below) { return random() % below; }

  // Check that no dangerous output was on for longer than its limit, and that ONE and TWO were not on together.
  void check_limits() {
    // A train that is too fast for a chip may delay the end of another output by up to 2 ms.
    const uint64_t limits[] = {102 * MS, 102 * MS, 0, 1002 * MS, 102 * MS, 102 * MS};
    for (; checked < changes.size(); checked++) {
      const Change& change = changes[checked];
      int place = change.pin - 10 - VALVE;
      if (place < 0 || place > TWO - VALVE || !limits[place]) continue;
      if (change.value && !on_since[place]) on_since[place] = change.at + 1;
      if (change.value) continue;
      if (on_since[place]) CHECK(change.at + 1 - on_since[place] <= limits[place]);
      on_since[place] = 0;
    }
    for (int place = 0; place <= TWO - VALVE; place++) {
      if (limits[place] && on_since[place]) CHECK(time() + 1 - on_since[place] <= limits[place]);
    }
    CHECK(!(on_since[ONE - VALVE] && on_since[TWO - VALVE]));
  }

  Bytes deed() {
    const uint8_t channel = any(12);
    switch (any(10)) {
      case 0: return nothing();
      case 1: return set(channel, any(2));
      case 2: return pulse(channel, any(150 * MS));
      case 3: return train(channel, any(60 * MS), any(60 * MS), any(5));
      case 4: return tone(channel, any(21000), any(150 * MS));
      case 5: return ramp(channel, any(3000), int16_t(any(2000)) - 1000, any(60), any(60), any(5));
      case 6: return start(any(5));
      case 7: return start_at(any(5), uint32_t(time()) + any(50 * MS));
      case 8: return stop(any(5));
      default: return train(channel, any(4), any(4), any(0x10000));
    }
  }

  Bytes anything() {
    std::vector<std::pair<uint8_t, Bytes>> members;
    std::vector<std::pair<uint32_t, Bytes>> entries;
    for (uint32_t left = any(3); left; left--) members.emplace_back(any(3) | any(2) << 7, deed());
    for (uint32_t left = any(3); left; left--) entries.emplace_back(any(40 * MS), deed());
    switch (any(9)) {
      case 0: return any(2) ? arm(any(6), members) : arm_until(any(6), uint32_t(time()) + any(50 * MS), members);
      case 1: return load(any(6), entries);
      case 2: return ::members(any(6), members);
      case 3: return ::entries(any(6), entries);
      case 4: return disarm(any(6));
      case 5: return code(any(12), random(), any(300), any(10), any(34));
      default: return deed();
    }
  }

  // Send a frame of a batch after up to three changes of its bytes. Its CRC is right.
  void send_mutated() {
    const uint8_t count = any(3);
    Bytes payload{wire::CODE_BATCH, epoch, ++number, 0, 0, 0, 0, uint8_t(count | (any(3) ? 0 : wire::MORE_FRAMES))};
    for (uint8_t left = count; left--;) payload = payload + anything();
    for (uint32_t left = any(4); left; left--) {
      const uint32_t place = any(payload.size());
      switch (any(4)) {
        case 0: payload.erase(payload.begin() + place); break;
        case 1: payload.insert(payload.begin() + place, payload[place]); break;
        case 2: payload[place] = random(); break;
        default: payload[place] ^= 1 << any(8);
      }
    }
    messages.clear();
    say(framed(payload));
    // The board takes the next number only.
    const auto acks = heard(wire::CODE_ACK);
    if (!acks.empty()) number = acks.back().as<wire::Ack>().number;
  }

  std::mt19937 random;
  uint16_t nonce = 0;
  uint64_t on_since[TWO - VALVE + 1];
  size_t checked = 0;
};

}  // namespace

TEST("a million random bytes switch nothing on, and the next good frame is understood") {
  Fuzz fuzz(1);
  for (int round = 0; round < 1000; round++) {
    Bytes bytes(1000);
    for (uint8_t& byte : bytes) byte = fuzz.any(4) ? fuzz.random() : fuzz.any(3);
    fuzz.say(bytes);
    fuzz.run(fuzz.time() + 2 * MS);
    CHECK(fuzz.changes.empty());
    fuzz.say({0});
    fuzz.messages.clear();
    fuzz.send(wire::GetHello{wire::CODE_GET_HELLO});
    CHECK_EQUAL(fuzz.heard(wire::CODE_HELLO).size(), 1u);
  }
}

TEST("random orders and random pokes never keep an output on beyond its limit") {
  const char* many = std::getenv("FUZZ_SEEDS");
  const uint32_t seeds = many ? std::atoi(many) : 10;
  for (uint32_t seed = 1; seed <= seeds; seed++) {
    Fuzz fuzz(seed);
    for (int step = 0; step < 500; step++) {
      switch (fuzz.any(5)) {
        case 0: fuzz.pin(fuzz.any(2), fuzz.any(2)); break;
        case 1: fuzz.acknowledge(); break;
        case 2: fuzz.begin(fuzz.anything()); break;
        default: fuzz.order(fuzz.anything());
      }
      fuzz.run(fuzz.time() + fuzz.any(fuzz.any(4) ? 500 * US : 20 * MS));
      fuzz.check_limits();
      fuzz.messages.clear();
    }
    fuzz.run(fuzz.time() + 3 * S);  // the host sends nothing, so the lease expires
    CHECK(!fuzz.anything_on());
    fuzz.check_limits();
  }
}

TEST("mutated frames never keep an output on beyond its limit, nor keep the board from the next session") {
  const char* many = std::getenv("FUZZ_FRAMES");
  const uint32_t frames = many ? std::atoi(many) : 20000;
  Fuzz fuzz(4);
  for (uint32_t count = 1; count <= frames; count++) {
    fuzz.send_mutated();
    if (fuzz.any(4) == 0) fuzz.pin(fuzz.any(2), fuzz.any(2));
    fuzz.run(fuzz.time() + fuzz.any(fuzz.any(8) ? 200 * US : 20 * MS));
    fuzz.check_limits();
    if (count % 500) continue;
    fuzz.changes.clear();
    fuzz.renew();
    CHECK(!fuzz.anything_on());
  }
}

TEST("a hundred thousand damaged frames do nothing") {
  Fuzz fuzz(3);
  const Bytes frame = framed(Bytes{wire::CODE_BATCH, fuzz.epoch, uint8_t(fuzz.number + 1), 0, 0, 0, 0, 2} +
                             set(LIGHT, true) + pulse(VALVE, 50 * MS));
  for (int count = 0; count < 100000; count++) {
    Bytes bad = frame;
    uint8_t place = fuzz.any(bad.size() - 1);
    switch (fuzz.any(3)) {
      case 0: bad[place] ^= 1 << fuzz.any(8); break;
      case 1: bad.erase(bad.begin() + place); break;
      default: bad.insert(bad.begin() + place, bad[place]);
    }
    if (bad == frame) continue;
    fuzz.say(bad);
    if (count % 1000 == 0) fuzz.messages.clear();
  }
  CHECK(fuzz.changes.empty());
  fuzz.say({0});
  fuzz.say(frame);
  CHECK(fuzz.is_on(LIGHT));
}
