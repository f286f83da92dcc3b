// SPDX-License-Identifier: BSD-3-Clause
//
// Tests of floods: which pins are muted (snapshots.cpp), and what becomes of them (floods.cpp).

#include "bench.h"
#include "check.h"
#include "host.h"
#include "snapshots.h"

namespace {

// A port of eight pins: the last is that of the panic input, or of an input that does not change.
constexpr uint8_t FIRST = 6, LAST = 13, FIRST_PIN = 16, LAST_PIN = 23;
constexpr uint64_t EVERY_US = 100;

// Toggle each of these channels so often, one after the other. Return when the last has changed.
uint64_t toggle(Bench& bench, uint64_t us, std::vector<uint8_t> channels, int times) {
  std::map<uint8_t, std::vector<uint64_t>> toggles;
  for (; times--;) {
    for (uint8_t channel : channels) toggles[channel].push_back((us += EVERY_US) * US);
  }
  for (const auto& pin : toggles) bench.script(pin.first, pin.second);
  return us;
}

// Let the pin of the panic input change so often, each time so briefly that only its flag is set.
uint64_t spike(Bench& bench, uint64_t us, int times) {
  for (; times--;) bench.at((us += EVERY_US) * US, [] { stub::set_flag(LAST_PIN); });
  return us;
}

std::vector<uint8_t> from(uint8_t first, uint8_t last) {
  std::vector<uint8_t> channels;
  for (; first <= last; first++) channels.push_back(first);
  return channels;
}

void make_inputs(Bench& bench, const std::vector<uint8_t>& channels) {
  for (uint8_t channel : channels) bench.order(input(channel, channel + 10, 0, 0, 0, 0));
}

// Return the channels that the board names as muted, within some milliseconds.
std::vector<uint8_t> muted(Bench& bench, uint64_t until_ms) {
  bench.run(until_ms * MS);
  for (int count = 0; count < 3; count++) {  // without room a flood is named later
    bench.acknowledge();
    bench.run(bench.time() + 10 * MS);
  }
  std::vector<uint8_t> channels;
  for (const Message& message : bench.heard(wire::CODE_FLOOD)) {
    auto flood = message.as<wire::Flood>();
    if (flood.per_ms) channels.push_back(flood.channel);
  }
  std::sort(channels.begin(), channels.end());
  return channels;
}

}  // namespace

TEST("pulses that are too short to be seen mute their port, or with a flag for each pin only their input") {
  Bench bench;
  bench.open();
  bench.order(input(LEFT, 10, 0, 0, 100, 0) + input(RIGHT, 11, 0, 0, 100, 0), 2);
  std::vector<uint64_t> pulses;
  for (uint64_t us = 10000; us < 12500; us += 100) pulses.insert(pulses.end(), {us * US, us * US});
  bench.script(LEFT, pulses);
  CHECK_EQUAL(muted(bench, 14), limits::PIN_FLAGS ? from(LEFT, LEFT) : from(LEFT, RIGHT));
}

TEST("with a flag for each pin an input that does not change is not muted, although none of its port changes often") {
  Bench bench;
  bench.open();
  make_inputs(bench, from(FIRST, LAST));
  make_inputs(bench, {LEFT});
  toggle(bench, toggle(bench, 10000, from(FIRST, LAST - 1), 3), {LEFT}, 4);
  CHECK_EQUAL(muted(bench, 14), from(FIRST, limits::PIN_FLAGS ? LAST - 1 : LAST));
}

// A chip without a flag for each pin has not so many channels.
TEST("with a flag for each pin an input that does not change is not muted, although no other one changes twice") {
  if (!limits::PIN_FLAGS) return;
  Bench bench;
  bench.open();
  constexpr uint8_t FROM = 3;  // each channel has the pin of its number
  uint64_t us = 10000;
  for (uint8_t pin = FROM; pin < 32; pin++) bench.order(input(pin, pin, 0, 0, 0, 0));
  for (uint8_t pin = FROM; pin < 32; pin++) {
    if (pin % 8 != 7) bench.at((us += EVERY_US) * US, [pin] { stub::set_pin(pin, true); });
  }
  CHECK_EQUAL(muted(bench, 14), from(8, 14));  // the first of the ports with the most changes
}

TEST("of a full ring only the pins that change are muted") {
  Bench bench;
  bench.open();
  bench.order(input(FIRST, FIRST_PIN, 0, 0, 0, 0) + input(FIRST + 1, FIRST_PIN + 1, 0, 0, 100, 0), 2);
  bench.at(10 * MS, [] {
    constexpr int UNTIL_FULL = limits::SNAPSHOTS + 20, FLOOD = 30;
    for (int count = 0; count < UNTIL_FULL + FLOOD; count++) {
      stub::clock += (count < UNTIL_FULL ? 180 : 50) * US;  // the first are no flood
      stub::set_pin(FIRST_PIN, count % 2 == 0);
      stub::record();
    }
  });
  CHECK_EQUAL(muted(bench, 14), from(FIRST, FIRST));
}

TEST("spikes of the panic input beside other changes of its port mute those, and are no panic") {
  Bench bench;
  bench.open();
  bench.order(panic(LAST_PIN, 0));
  make_inputs(bench, from(FIRST, LAST - 1));
  spike(bench, toggle(bench, 10000, from(FIRST, LAST - 1), 3), 4);
  CHECK_EQUAL(muted(bench, 14), from(FIRST, LAST - 1));
  CHECK_EQUAL(bench.events("panic"), Words{});
}

TEST("spikes of the panic input beside as many changes of another port are no panic") {
  Bench bench;
  bench.open();
  bench.order(panic(LAST_PIN, 0));
  make_inputs(bench, {LEFT, FIRST});
  spike(bench, toggle(bench, 10000, {LEFT}, 12), 13);
  CHECK_EQUAL(muted(bench, 14), limits::PIN_FLAGS ? from(LEFT, LEFT) : from(FIRST, FIRST));
  CHECK_EQUAL(bench.events("panic"), Words{});
}

TEST("spikes of the panic input alone are a panic, and mute nothing") {
  Bench bench;
  bench.open();
  bench.order(panic(LAST_PIN, 0));
  // Without a flag for each pin the board would mute an input of the same port instead.
  make_inputs(bench, {limits::PIN_FLAGS ? FIRST : static_cast<uint8_t>(LEFT)});
  spike(bench, 10000, 25);
  CHECK_EQUAL(muted(bench, 14), std::vector<uint8_t>{});
  CHECK_EQUAL(bench.events("panic").size(), size_t(1));
}

// LEFT is muted with its 25th change, at 12.5 ms. The board probes it between 16.5 and 17.5 ms.
TEST("a change during a probe is no edge") {
  Bench bench;
  bench.open();
  make_inputs(bench, {LEFT});
  toggle(bench, 10000, {LEFT}, 25);
  bench.at(17000 * US, [&] { bench.pin(LEFT, false); });
  bench.at(17100 * US, [&] { bench.pin(LEFT, true); });
  CHECK_EQUAL(muted(bench, 19), from(LEFT, LEFT));
  bench.run(80 * MS);
  CHECK_EQUAL(bench.events("edge").back(), "left 1 fired 0 at 12500");
  std::vector<uint64_t> ended;
  for (const Message& message : bench.heard(wire::CODE_FLOOD)) {
    if (!message.as<wire::Flood>().per_ms) ended.push_back(message.as<wire::Flood>().stamp / US);
  }
  CHECK_EQUAL(ended, std::vector<uint64_t>{22500});
}
