// SPDX-License-Identifier: BSD-3-Clause
//
// Tests of inputs.cpp: stamps, filters and the order of edges.

#include "bench.h"
#include "check.h"
#include "host.h"
#include "snapshots.h"

namespace {

// Return the edges of an input with these filter times, whose pin is toggled at these times; all in microseconds.
Words edges(uint32_t debounce, uint32_t on, uint32_t off, std::vector<uint64_t> toggles, uint8_t flags = 0) {
  Bench bench;
  bench.open();
  bench.order(input(LEFT, 10, flags, debounce, on, off));
  for (uint64_t& when : toggles) when *= US;
  bench.script(LEFT, toggles);
  bench.run(100 * MS);
  return bench.events("edge left");
}

}  // namespace

TEST("without a filter every change is reported with its instant") {
  CHECK_EQUAL(edges(0, 0, 0, {10, 11, 500}), (Words{"1 fired 0 at 10", "0 fired 0 at 11", "1 fired 0 at 500"}));
}

TEST("a change that takes no time is not a change") { CHECK_EQUAL(edges(0, 0, 0, {10, 10}), Words{}); }

TEST("bounces within the lock-out are not reported when the level is the same at its end") {
  CHECK_EQUAL(edges(5000, 0, 0, {200, 300, 400, 450, 5199}), Words{"1 fired 0 at 200"});
}

TEST("a level that differs at the end of the lock-out is reported then, with the stamp of the last change") {
  Bench bench;
  bench.open();
  bench.order(input(LEFT, 10, 0, 5000, 0, 0));
  bench.script(LEFT, {200 * US, 300 * US, 400 * US, 700 * US});
  bench.run(5199 * US);
  CHECK_EQUAL(bench.events("edge left"), Words{"1 fired 0 at 200"});
  bench.run(5200 * US);
  CHECK_EQUAL(bench.events("edge left"), (Words{"1 fired 0 at 200", "0 fired 0 at 700"}));
}

TEST("a change after the lock-out is reported at once") {
  CHECK_EQUAL(edges(5000, 0, 0, {200, 5200}), (Words{"1 fired 0 at 200", "0 fired 0 at 5200"}));
}

TEST("the edge reported at the end of a lock-out begins its own at its stamp") {
  CHECK_EQUAL(edges(5000, 0, 0, {100, 4100, 5600, 9099, 9101}),
              (Words{"1 fired 0 at 100", "0 fired 0 at 4100", "1 fired 0 at 9101"}));
}

TEST("a change on is reported after it has lasted, and stamped when it began") {
  Bench bench;
  bench.open();
  bench.order(input(LEFT, 10, 0, 0, 100, 0));
  bench.script(LEFT, {1000 * US});
  bench.run(1100 * US - 1);
  CHECK_EQUAL(bench.events(), Words{});
  bench.run(1100 * US);
  CHECK_EQUAL(bench.events(), Words{"edge left 1 fired 0 at 1000"});
}

TEST("a glitch shorter than its confirmation never happened, and restarts it") {
  CHECK_EQUAL(edges(0, 100, 0, {1000, 1099}), Words{});
  CHECK_EQUAL(edges(0, 100, 0, {1000, 1050, 1060}), Words{"1 fired 0 at 1060"});
}

// LEFT and RIGHT are on one port.
TEST("a change of another pin begins a confirmation again, unless each pin has a flag") {
  Bench bench;
  bench.open();
  bench.order(input(LEFT, 10, 0, 0, 100, 0) + input(RIGHT, 11, 0, 0, 0, 0), 2);
  bench.script(LEFT, {1000 * US});
  bench.script(RIGHT, {1050 * US});
  uint64_t confirmed = (limits::PIN_FLAGS ? 1100 : 1150) * US;
  bench.run(confirmed - 1);
  CHECK_EQUAL(bench.events("edge left"), Words{});
  bench.run(confirmed);
  CHECK_EQUAL(bench.events("edge left"), Words{"1 fired 0 at 1000"});
}

TEST("a pulse that is too short to be seen begins the confirmation of its input again") {
  Bench bench;
  bench.open();
  bench.order(input(LEFT, 10, 0, 0, 100, 0));
  bench.script(LEFT, {1000 * US, 1050 * US, 1050 * US});
  bench.run(1150 * US - 1);
  CHECK_EQUAL(bench.events("edge left"), Words{});
  bench.run(1150 * US);
  // Without a flag of its own it is not known whether it was the pin that changed.
  CHECK_EQUAL(bench.events("edge left"), Words{limits::PIN_FLAGS ? "1 fired 0 at 1050" : "1 fired 0 at 1000"});
}

TEST("a pulse that is too short to be seen does not prolong a lock-out") {
  Bench bench;
  bench.open();
  bench.order(input(LEFT, 10, 0, 5000, 0, 0));
  bench.script(LEFT, {200 * US, 4000 * US, 4000 * US, 5300 * US});
  bench.run(5300 * US);
  CHECK_EQUAL(bench.events("edge left"), (Words{"1 fired 0 at 200", "0 fired 0 at 5300"}));
}

// The lock-out of ONE ends when the confirmation of LEFT does. Meanwhile a record of the port of LEFT is lost: the
// scheduler does not run while the ring fills, with as many records in a window as are no flood. Return the edge of
// LEFT, which it confirms only after the lost record, unless that is known to be of another pin.
static Words edge_over_a_lost_record(uint8_t changed_pin, uint32_t& lost_us) {
  constexpr uint8_t OTHER_PORT = 1, MOST = 24;
  constexpr uint32_t WINDOW_US = 5000, FILLING_US = (limits::SNAPSHOTS - 1) / MOST * WINDOW_US;
  constexpr uint32_t CONFIRM_US = 800 + FILLING_US;
  lost_us = 2001 + FILLING_US;
  Bench bench;
  bench.open();
  bench.order(input(LEFT, 10, 0, 0, CONFIRM_US, 0) + input(RIGHT, 11, 0, 0, 0, 0), 2);
  bench.order(input(ONE, 16, 0, 1000 + FILLING_US, 0, 0));
  bench.script(ONE, {1000 * US, 1300 * US});
  bench.script(LEFT, {1200 * US});
  bench.at(1999 * US, [=] {
    for (uint8_t count = 1; count < limits::SNAPSHOTS; count++) {
      if (count % MOST == 0) stub::clock += WINDOW_US * US;
      snapshots::record(stub::clock, OTHER_PORT);
    }
    stub::clock += 2 * US;
    stub::set_flag(changed_pin);
    stub::record();
  });
  bench.run((1999 + CONFIRM_US) * US - 1);
  if (!limits::PIN_FLAGS || changed_pin == 10) CHECK_EQUAL(bench.events("edge left"), Words{});
  bench.run((1999 + CONFIRM_US) * US);
  return bench.events("edge left");
}

TEST("a confirmation that ends with another input's lock-out begins again after a lost record") {
  uint32_t lost_us;
  Words edge = edge_over_a_lost_record(10, lost_us);
  CHECK_EQUAL(edge, Words{"1 fired 0 at " + std::to_string(limits::PIN_FLAGS ? lost_us : 1200)});
}

TEST("a lost record of another pin leaves the stamp of an edge as it was") {
  uint32_t lost_us;
  CHECK_EQUAL(edge_over_a_lost_record(11, lost_us), Words{"1 fired 0 at 1200"});
}

// What is left of the lock-out would be taken for an output: that of LEFT, in ticks, is port 2 and the mask of pin 16.
TEST("a pin that another channel takes while it is locked out switches nothing when that would have ended") {
  Bench bench;
  bench.open();
  bench.order(output(VALVE, 16, wire::DANGEROUS, 100));
  bench.order(input(LEFT, 11, 0, 163969, 0, 0));
  bench.script(LEFT, {5 * MS, 300 * MS, 310 * MS});
  bench.run(320 * MS);
  bench.order(input(RIGHT, 11, 0, 0, 0, 0));
  bench.run(700 * MS);
  CHECK_EQUAL(bench.pins(), "");
}

TEST("on and off are confirmed each for its own time") {
  CHECK_EQUAL(edges(0, 100, 2000, {1000, 3000, 4999, 6000, 8001}),
              (Words{"1 fired 0 at 1000", "0 fired 0 at 6000", "1 fired 0 at 8001"}));
}

TEST("a change late in the lock-out is still confirmed") {
  CHECK_EQUAL(edges(5000, 0, 100, {100, 5050}), (Words{"1 fired 0 at 100", "0 fired 0 at 5050"}));
  CHECK_EQUAL(edges(5000, 0, 100, {100, 5050, 5140}), Words{"1 fired 0 at 100"});
}

TEST("the lock-out runs from the stamp and not from the confirmation") {
  Bench bench;
  bench.open();
  bench.order(input(LEFT, 10, 0, 5000, 100, 0));
  bench.script(LEFT, {1000 * US, 2000 * US});
  bench.run(6000 * US - 1);
  CHECK_EQUAL(bench.events("edge").size(), 1u);
  bench.run(6000 * US);
  CHECK_EQUAL(bench.events("edge left"), (Words{"1 fired 0 at 1000", "0 fired 0 at 2000"}));
}

TEST("an inverted input is on when its pin is low, and a level that is on at the start is an edge") {
  CHECK_EQUAL(edges(0, 0, 0, {100, 200}, wire::INVERTED),
              (Words{"1 fired 0 at 0", "0 fired 0 at 100", "1 fired 0 at 200"}));
}

TEST("simultaneous edges come in the order of the channels, whatever their pins") {
  Bench bench;
  bench.open();
  for (uint8_t channel = 0; channel < 6; channel++) bench.order(input(channel, 22 - 4 * channel, 0, 0, 0, 0));
  bench.at(100 * US, [&] {
    for (uint8_t channel : {3, 0, 5, 1, 4, 2}) bench.pin(12 - 4 * channel, true);
  });
  bench.run(1 * MS);
  Words names;
  for (const std::string& text : bench.events("edge")) names.push_back(text.substr(0, text.find(' ')));
  CHECK_EQUAL(names, (Words{"left", "right", "valve", "other", "light", "speaker"}));
}

TEST("of edges that are ready together the one with the earlier stamp comes first, whoever began to wait first") {
  Bench bench;
  bench.open();
  constexpr uint8_t ANOTHER_PORT = 16;
  bench.order(input(LEFT, 10, 0, 0, 100, 0) + input(RIGHT, ANOTHER_PORT, 0, 0, 200, 0), 2);
  bench.script(ANOTHER_PORT - 10, {900 * US});
  bench.script(LEFT, {1000 * US});
  bench.run(2 * MS);
  CHECK_EQUAL(bench.events("edge"), (Words{"right 1 fired 0 at 900", "left 1 fired 0 at 1000"}));
}

TEST("of edges with one stamp that are ready together the channel that comes first in the rig file comes first") {
  Bench bench;
  bench.open();
  bench.order(input(LEFT, 10, 0, 0, 100, 0) + input(RIGHT, 11, 0, 1000, 0, 0), 2);
  bench.script(RIGHT, {100 * US, 1000 * US});  // the lock-out lasts until 1100 us
  bench.script(LEFT, {1000 * US});
  bench.run(2 * MS);
  CHECK_EQUAL(bench.events("edge"),
              (Words{"right 1 fired 0 at 100", "left 1 fired 0 at 1000", "right 0 fired 0 at 1000"}));
}

TEST("time waits for a change that may still be reported") {
  Bench bench;
  bench.open();
  bench.order(input(LEFT, 10, 0, 5000, 100, 0));
  bench.script(LEFT, {1000 * US, 1200 * US, 1300 * US, 3000 * US});
  for (uint64_t us : {999, 1099, 1101, 1250, 1350, 4000, 7000}) {
    bench.at(us * US, [&] { bench.send(wire::GetTime{wire::CODE_GET_TIME, 0}); });
  }
  bench.run(8 * MS);
  std::vector<int> stamps;
  for (const Message& message : bench.heard(wire::CODE_TIME)) stamps.push_back(message.as<wire::Time>().stamp + 1);
  for (int& stamp : stamps) stamp /= US;
  std::vector<int> expected{999, 1000, 1101, 1200, 1350, 3000, 7000};
  stamps.resize(expected.size());
  CHECK_EQUAL(stamps, expected);
}

TEST("an input on a pin without an interrupt is unknown, and times beyond eight seconds are too long") {
  Bench bench;
  bench.open();
  CHECK_EQUAL(bench.order(input(LEFT, 60, 0, 0, 0, 0)), Words{"0 unknown"});
  CHECK_EQUAL(bench.order(input(LEFT, 1, 0, 0, 0, 0)), Words{"0 unknown"});
  CHECK_EQUAL(bench.order(input(LEFT, 10, 0, 8388608, 0, 0)), Words{"0 too_long"});
  CHECK_EQUAL(bench.order(input(LEFT, 10, 0, 0, 0, 0xFFFFFFFF)), Words{"0 too_long"});
  CHECK_EQUAL(bench.order(input(200, 10, 0, 0, 0, 0)), Words{"0 no_room"});
  CHECK_EQUAL(bench.order(input(LEFT, 10, 0, 8388607, 8388607, 8388607)), Words{});
}

TEST("stamps, confirmations and lock-outs cross the wrap of the clock") {
  for (uint32_t back : {50u, 1500u, 2100u, 12000u}) {
    Bench bench(0u - back * US);
    bench.open();
    bench.order(input(LEFT, 10, 0, 5000, 100, 0));
    bench.script(LEFT, {1000 * US, 2000 * US, 3000 * US, 3050 * US, 8000 * US});
    bench.run(20 * MS);
    std::vector<int> at;
    for (const Message& message : bench.heard(wire::CODE_EDGE)) {
      at.push_back((message.as<wire::Edge>().stamp + back * US) / US);
    }
    at.resize(3);
    CHECK_EQUAL(at, (std::vector<int>{1000, 3050, 8000}));
  }
}
