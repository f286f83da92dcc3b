// SPDX-License-Identifier: BSD-3-Clause
//
// Tests of sources.cpp: values, blocks, thresholds, and what is refused.

#include "bench.h"
#include "check.h"
#include "host.h"
#include "inputs.h"

#ifdef TARGET_SAMPLES

namespace {

constexpr uint8_t LEVER_PIN = 26, WHEEL_PIN = 4;
enum : uint8_t { LEVER, WHEEL };  // sources
enum : uint8_t { PRESSED, FAR };  // channels; LEFT and RIGHT in texts

// A lever that is sampled once in a millisecond, and a wheel that is read every ten.
struct Sampled : Bench {
  explicit Sampled(uint32_t clock = 0) : Bench(clock) {
    open();
    CHECK_EQUAL(order(sample(LEVER, LEVER_PIN, 1000)), Words{});
    CHECK_EQUAL(order(count(WHEEL, WHEEL_PIN, WHEEL_PIN + 1, 10000)), Words{});
  }
  void value_at(uint64_t us, uint8_t pin, int32_t value) {
    at(us * US, [=] { stub::values[pin] = value; });
  }
};

// Write blocks as "0 lost 0 at 0: 1 2 3", without values as "0 lost 0 at 0 has 51".
Words blocks(const Bench& bench, uint8_t code, bool with_values = false) {
  Words texts;
  for (const Message& message : bench.heard(code)) {
    auto head = message.as<wire::Samples>();
    std::string text =
        std::to_string(head.block) + " lost " + std::to_string(head.lost) + " at " + std::to_string(head.stamp / US);
    text += with_values ? ":" : " has " + std::to_string(head.count);
    size_t width = code == wire::CODE_COUNTS ? 4 : 2;
    CHECK_EQUAL(message.payload.size(), sizeof(head) + head.count * width);
    for (size_t at = sizeof(head); with_values && at < message.payload.size(); at += width) {
      uint32_t bits = message.payload[at] | message.payload[at + 1] << 8;
      if (width == 4) bits |= message.payload[at + 2] << 16 | message.payload[at + 3] << 24;
      text += " " + std::to_string(width == 4 ? static_cast<int32_t>(bits) : static_cast<int16_t>(bits));
    }
    texts.push_back(text);
  }
  return texts;
}

}  // namespace

TEST("a block is sent when it is full or a tenth of a second old") {
  Sampled bench;
  bench.run(250 * MS);
  CHECK_EQUAL(blocks(bench, wire::CODE_SAMPLES), (Words{"0 lost 0 at 0 has 51", "1 lost 0 at 51000 has 51",
                                                        "2 lost 0 at 102000 has 51", "3 lost 0 at 153000 has 51"}));
  CHECK_EQUAL(blocks(bench, wire::CODE_COUNTS), (Words{"0 lost 0 at 0 has 10", "1 lost 0 at 100000 has 10"}));
  std::vector<uint64_t> sent;
  for (const Message& message : bench.heard(wire::CODE_COUNTS)) sent.push_back(message.at / MS);
  CHECK_EQUAL(sent, (std::vector<uint64_t>{90, 190}));
}

TEST("every value is that of its time, and has its sign") {
  Sampled bench;
  bench.value_at(15000, WHEEL_PIN, -7);
  bench.value_at(34999, WHEEL_PIN, 70000);
  bench.run(95 * MS);
  CHECK_EQUAL(blocks(bench, wire::CODE_COUNTS, true),
              Words{"0 lost 0 at 0: 0 0 -7 -7 70000 70000 70000 70000 70000 70000"});
}

TEST("a period of which a tenth of a second has not one gives blocks of one value") {
  Bench bench;
  bench.open();
  bench.order(sample(0, LEVER_PIN, 150000));
  bench.run(310 * MS);
  CHECK_EQUAL(blocks(bench, wire::CODE_SAMPLES),
              (Words{"0 lost 0 at 0 has 1", "1 lost 0 at 150000 has 1", "2 lost 0 at 300000 has 1"}));
}

TEST("samples go on over the wrap of the clock") {
  Sampled bench(0u - 20 * MS);
  bench.run(200 * MS);
  std::vector<uint32_t> stamps;
  for (const Message& message : bench.heard(wire::CODE_SAMPLES)) stamps.push_back(message.as<wire::Samples>().stamp);
  CHECK_EQUAL(stamps, (std::vector<uint32_t>{0u - 20 * MS, 31 * MS, 82 * MS}));
}

TEST("a block that the line has no room for waits, and later ones are counted as lost") {
  Bench bench;
  bench.open();
  bench.order(sample(0, LEVER_PIN, 100));
  stub::send_capacity = 100;
  bench.run(1500 * MS);
  CHECK_EQUAL(blocks(bench, wire::CODE_SAMPLES), Words{});
  stub::send_capacity = limits::SEND_RING - 1;
  bench.run(1505 * MS);
  Words sent = blocks(bench, wire::CODE_SAMPLES);
  constexpr uint8_t WAITED = limits::BLOCKS - 1;  // a ring has one free place
  CHECK_EQUAL(sent.size(), size_t(WAITED + 1));
  CHECK_EQUAL(sent[WAITED - 1], "14 lost 0 at 71400 has 51");
  CHECK_EQUAL(sent[WAITED], "294 lost 279 at 1499400 has 51");
}

TEST("events go before blocks") {
  Sampled bench;
  bench.order(input(2, 10, 0, 0, 0, 0));
  bench.at(50 * MS, [&] { bench.pin(0, true); });
  bench.run(60 * MS);
  CHECK_EQUAL(bench.messages[bench.messages.size() - 2].code(), wire::CODE_EDGE);
  CHECK_EQUAL(bench.messages.back().code(), wire::CODE_SAMPLES);
}

TEST("a threshold is an edge at the time of the sample, and has hysteresis") {
  Sampled bench;
  CHECK_EQUAL(bench.order(threshold(PRESSED, LEVER, 400, 600)), Words{});
  bench.value_at(1500, LEVER_PIN, 599);
  bench.value_at(2500, LEVER_PIN, 600);
  bench.value_at(5200, LEVER_PIN, 401);
  bench.value_at(9900, LEVER_PIN, 400);
  bench.value_at(12000, LEVER_PIN, 401);
  bench.run(50 * MS);
  CHECK_EQUAL(bench.events("edge"), (Words{"left 1 fired 0 at 3000", "left 0 fired 0 at 10000"}));
}

TEST("thresholds of one instant are edges in the order of their channels") {
  Sampled bench;
  for (uint8_t channel : {3, 0, 2, 1}) {
    bench.order(threshold(channel, channel % 2 ? WHEEL : LEVER, 9, 10));
  }
  bench.value_at(5500, LEVER_PIN, 10);
  bench.value_at(15000, LEVER_PIN, 0);
  bench.value_at(15000, WHEEL_PIN, 10);
  bench.value_at(19500, LEVER_PIN, 10);
  bench.run(30 * MS);
  CHECK_EQUAL(bench.events("edge"),
              (Words{"left 1 fired 0 at 6000", "valve 1 fired 0 at 6000", "left 0 fired 0 at 15000",
                     "valve 0 fired 0 at 15000", "left 1 fired 0 at 20000", "right 1 fired 0 at 20000",
                     "valve 1 fired 0 at 20000", "other 1 fired 0 at 20000"}));
}

TEST("a value that is beyond a threshold at its order is an edge then") {
  Sampled bench;
  bench.value_at(100, LEVER_PIN, 7);
  bench.run(2500 * US);
  bench.order(threshold(PRESSED, LEVER, 6, 7));
  bench.order(threshold(FAR, WHEEL, 0, 1, wire::INVERTED));
  CHECK_EQUAL(bench.events("edge"), (Words{"left 1 fired 0 at 2500", "right 1 fired 0 at 2500"}));
}

TEST("the filters of inputs hold for a threshold, whatever other thresholds do") {
  Sampled bench;
  bench.order(threshold(PRESSED, LEVER, 10, 20, 0, 0, 20000, 0));
  bench.order(threshold(FAR, WHEEL, 0, 1, 0, 30000, 0, 0));
  for (uint64_t ms : {30, 80}) bench.value_at(1000 * ms, LEVER_PIN, 20);
  bench.value_at(40000, LEVER_PIN, 10);
  for (uint64_t ms = 0; ms < 200; ms += 10) bench.value_at(1000 * ms + 5000, WHEEL_PIN, ms / 10 % 2);
  bench.run(110 * MS);
  CHECK_EQUAL(bench.events("edge left"), Words{"1 fired 0 at 80000"});
  CHECK_EQUAL(bench.events("edge right"),
              (Words{"1 fired 0 at 20000", "0 fired 0 at 50000", "1 fired 0 at 80000", "0 fired 0 at 110000"}));
}

TEST("a threshold that changes at each sample floods, and its source goes on") {
  Bench bench;
  bench.open();
  bench.order(sample(LEVER, LEVER_PIN, 100));
  bench.order(threshold(PRESSED, LEVER, 0, 1));
  for (uint64_t us = 50; us < 50000; us += 100) {
    bench.at(us * US, [] { stub::values[LEVER_PIN] ^= 1; });
  }
  bench.run(100 * MS);
  std::vector<int> rates;
  for (const Message& message : bench.heard(wire::CODE_FLOOD)) rates.push_back(message.as<wire::Flood>().per_ms);
  CHECK_EQUAL(rates, (std::vector<int>{9, 0}));
  CHECK_EQUAL(blocks(bench, wire::CODE_SAMPLES).size(), size_t(1000 / 51));
}

TEST("a threshold that floods mutes no other one") {
  Bench bench;
  bench.open();
  bench.order(sample(LEVER, LEVER_PIN, 100));
  bench.order(threshold(PRESSED, LEVER, 0, 1));
  bench.order(threshold(FAR, LEVER, 1, 2));
  for (uint64_t us = 50; us < 5000; us += 100) {
    bench.at(us * US, [] { stub::values[LEVER_PIN] ^= 1; });
  }
  bench.run(20 * MS);
  std::vector<int> channels;
  for (const Message& message : bench.heard(wire::CODE_FLOOD)) channels.push_back(message.as<wire::Flood>().channel);
  CHECK_EQUAL(channels, (std::vector<int>{PRESSED, PRESSED}));
}

TEST("a reflex on a threshold drives its output at the time of the sample") {
  Sampled bench;
  bench.order(threshold(FAR, WHEEL, 50, 100));
  bench.order(output(VALVE, 12, wire::DANGEROUS, 100));
  bench.order(arm(3, {{FAR | UP, pulse(VALVE, 40 * MS)}}));
  bench.value_at(123000, WHEEL_PIN, 150);
  bench.run(300 * MS);
  CHECK_EQUAL(bench.pins(VALVE), "130000:1 170000:0");
  CHECK_EQUAL(bench.events("edge"), Words{"right 1 fired 3 at 130000"});
}

TEST("a time comes before no edge that a sample still gives") {
  Sampled bench;
  bench.order(threshold(PRESSED, LEVER, 0, 1));
  bench.value_at(2500, LEVER_PIN, 1);
  bench.at(3000 * US, [&] {
    hal::SchedulerLock lock;  // as if the scheduler could not run
    stub::clock += 40 * US;
    CHECK_EQUAL(inputs::horizon(hal::now()), 3000 * US - 1);
    stub::clock -= 40 * US;
  });
  bench.run(4 * MS);
  CHECK_EQUAL(bench.events("edge"), Words{"left 1 fired 0 at 3000"});
}

TEST("the answer to ALL_OFF comes behind the last values, and ends the sampling") {
  Sampled bench;
  bench.run(75 * MS);
  stub::send_capacity = 60;
  bench.send(wire::AllOff{wire::CODE_ALL_OFF, 9});
  bench.run(80 * MS);
  CHECK_EQUAL(bench.heard(wire::CODE_ALL_OFF_DONE).size(), size_t(0));
  stub::send_capacity = limits::SEND_RING - 1;
  bench.run(1000 * MS);
  CHECK_EQUAL(bench.messages.back().code(), wire::CODE_ALL_OFF_DONE);
  CHECK_EQUAL(blocks(bench, wire::CODE_SAMPLES), (Words{"0 lost 0 at 0 has 51", "1 lost 0 at 51000 has 25"}));
  CHECK_EQUAL(blocks(bench, wire::CODE_COUNTS), Words{"0 lost 0 at 0 has 8"});
}

TEST("ALL_OFF is answered although an event and a value wait") {
  Sampled bench;
  bench.order(output(VALVE, 12, wire::DANGEROUS, 100));
  bench.order(pulse(VALVE, 40 * MS));
  bench.run(bench.time() + 10 * MS);
  bench.acknowledge();
  bench.send(wire::AllOff{wire::CODE_ALL_OFF, 9});
  bench.run(bench.time() + 100 * MS);
  CHECK_EQUAL(bench.heard(wire::CODE_ALL_OFF_DONE).size(), size_t(1));
  CHECK(stub::to_board.empty());
}

TEST("a channel that is no threshold any more gives its place back") {
  Sampled bench;
  for (uint8_t turn = 0; turn < 2 * 8 * limits::THRESHOLD_PORTS; turn++) {
    CHECK_EQUAL(bench.order(threshold(PRESSED, LEVER, 400, 600)), Words{});
    CHECK_EQUAL(bench.order(input(PRESSED, 10, 0, 0, 0, 0)), Words{});
    bench.acknowledge();
  }
}

TEST("an expired lease ends no sampling") {
  Bench bench;
  bench.open(1, 50);
  bench.order(sample(LEVER, LEVER_PIN, 1000));
  bench.run(120 * MS);
  CHECK_EQUAL(bench.events("lease").size(), size_t(1));
  CHECK_EQUAL(blocks(bench, wire::CODE_SAMPLES).size(), size_t(2));
}

TEST("a new session counts its blocks and its steps from 0") {
  Sampled bench;
  bench.value_at(50000, WHEEL_PIN, 77);
  bench.run(250 * MS);
  bench.messages.clear();
  bench.open(2);
  bench.order(count(WHEEL, WHEEL_PIN, WHEEL_PIN + 1, 10000));
  bench.run(345 * MS);
  CHECK_EQUAL(blocks(bench, wire::CODE_COUNTS, true), Words{"0 lost 0 at 250000: 0 0 0 0 0 0 0 0 0 0"});
  CHECK_EQUAL(blocks(bench, wire::CODE_SAMPLES), Words{});
}

TEST("an order that names a source again replaces it and its thresholds, and goes on with its blocks") {
  Sampled bench;
  bench.order(threshold(PRESSED, LEVER, 0, 1));
  bench.run(60500 * US);
  bench.order(sample(LEVER, LEVER_PIN + 1, 2000));
  bench.value_at(70000, LEVER_PIN + 1, 5);
  bench.run(170 * MS);
  CHECK_EQUAL(blocks(bench, wire::CODE_SAMPLES), (Words{"0 lost 0 at 0 has 51", "1 lost 0 at 60500 has 50"}));
  CHECK_EQUAL(bench.events("edge"), Words{});
}

TEST("what the board cannot sample is refused") {
  Sampled bench;
  const uint32_t FAR_OFF = 0x80000000;
  CHECK_EQUAL(bench.order(sample(limits::SOURCES, LEVER_PIN, 1000)), Words{"0 no_room"});
  CHECK_EQUAL(bench.order(count(limits::SOURCES, 4, 5, 1000)), Words{"0 no_room"});
  CHECK_EQUAL(bench.order(sample(2, LEVER_PIN, 0)), Words{"0 unknown"});
  CHECK_EQUAL(bench.order(sample(2, LEVER_PIN, limits::SHORTEST_PERIOD_US - 1)), Words{"0 unknown"});
  CHECK_EQUAL(bench.order(sample(2, LEVER_PIN, FAR_OFF)), Words{"0 unknown"});
  CHECK_EQUAL(bench.order(sample(2, 25, 1000)), Words{"0 unknown"});
  CHECK_EQUAL(bench.order(count(2, 4, 6, 1000)), Words{"0 unknown"});
  CHECK_EQUAL(bench.order(threshold(1, 5, 0, 1)), Words{"0 unknown"});
  CHECK_EQUAL(bench.order(threshold(1, LEVER, 1, 1)), Words{"0 unknown"});
  CHECK_EQUAL(bench.order(threshold(limits::CHANNELS, LEVER, 0, 1)), Words{"0 no_room"});
  CHECK_EQUAL(bench.order(threshold(1, LEVER, 0, 1, 0, 8388608)), Words{"0 too_long"});
  const uint8_t MOST = 8 * limits::THRESHOLD_PORTS;
  for (uint8_t channel = 0; channel < MOST; channel++) {
    CHECK_EQUAL(bench.order(threshold(channel, LEVER, 0, 1)), Words{});
  }
  CHECK_EQUAL(bench.order(threshold(MOST, LEVER, 0, 1)), Words{"0 no_room"});
  CHECK_EQUAL(bench.order(threshold(0, WHEEL, 0, 1)), Words{});
}

TEST("a source is configured in a batch of one frame") {
  Bench bench;
  bench.open();
  bench.begin(sample(LEVER, LEVER_PIN, 1000));
  CHECK_EQUAL(bench.order(nothing()), Words{"255 unknown"});
  bench.run(200 * MS);
  CHECK_EQUAL(blocks(bench, wire::CODE_SAMPLES), Words{});
}

#endif
