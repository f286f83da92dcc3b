// SPDX-License-Identifier: BSD-3-Clause
//
// Tests of sequences.cpp: loading, starting and stopping, and the times of entries.

#include "bench.h"
#include "check.h"
#include "limits.h"

namespace {

struct Wired : Bench {
  Wired() {
    open();
    wire();
  }
};

const std::vector<std::pair<uint32_t, Bytes>> STEPS = {
    {0, set(LIGHT, true)}, {1000 * US, pulse(VALVE, 500 * US)}, {2000 * US, set(LIGHT, false)}};

}  // namespace

TEST("actions come at their times after the start") {
  Wired bench;
  CHECK_EQUAL(bench.order(load(1, STEPS)), Words{});
  bench.at(5 * MS, [&] { bench.order(start(1)); });
  bench.run(100 * MS);
  CHECK_EQUAL(bench.pins(), "5000:light:1 6000:valve:1 6500:valve:0 7000:light:0");
  CHECK_EQUAL(bench.events("started"), Words{"1 at 5000"});
}

TEST("entries of one time are done in the order in which they were loaded, entries of several in that of time") {
  Wired bench;
  bench.order(load(1, {{10 * US, set(LIGHT, true)},
                       {10 * US, set(LIGHT, false)},
                       {10 * US, set(LIGHT, true)},
                       {0, set(VALVE, true)}}) +
                  start(1),
              2);
  bench.run(50 * US);
  CHECK_EQUAL(bench.pins(), "0:valve:1 10:light:1 10:light:0 10:light:1");
}

TEST("a start at a time is reported with that time; one in the past is refused and never run late") {
  Wired bench;
  bench.order(load(1, STEPS));
  bench.run(1 * MS);
  CHECK_EQUAL(bench.order(start_at(1, 999 * US)), Words{"0 past"});
  CHECK_EQUAL(bench.order(start_at(9, 999 * US)), Words{"0 unknown"});
  CHECK_EQUAL(bench.order(start_at(1, 40 * MS)), Words{});
  bench.run(40 * MS - 1);
  CHECK_EQUAL(bench.pins(), "");
  bench.run(100 * MS);
  CHECK_EQUAL(bench.events("started"), Words{"1 at 40000"});
  CHECK_EQUAL(bench.pins(LIGHT), "40000:1 42000:0");
}

TEST("a start in the past leaves a running sequence alone") {
  Wired bench;
  bench.order(load(1, STEPS) + start(1), 2);
  bench.at(500 * US, [&] { bench.order(start_at(1, 400 * US)); });
  bench.run(100 * MS);
  CHECK_EQUAL(bench.pins(), "0:light:1 1000:valve:1 1500:valve:0 2000:light:0");
}

TEST("a start may be as far ahead as the horizon") {
  Wired bench;
  bench.order(load(1, STEPS));
  bench.order(start_at(1, 1u << 30));
  for (uint64_t when = 0; when < (1u << 30); when += 50 * S) bench.at(when, [&] { bench.acknowledge(); });
  bench.run((1u << 30) + 100 * MS);
  CHECK_EQUAL(bench.changes.front().at, uint64_t(1u << 30));
}

TEST("an edge can start a sequence at once, and stop it") {
  Wired bench;
  bench.order(load(3, STEPS));
  bench.order(arm(1, {{LEFT | UP, start(3)}}) + arm(2, {{LEFT, stop(3)}}), 2);
  bench.script(LEFT, {7000 * US, 8200 * US});
  bench.run(100 * MS);
  CHECK_EQUAL(bench.pins(), "7000:light:1 8000:valve:1 8200:valve:0 8200:light:0");
  CHECK_EQUAL(bench.events(),
              (Words{"edge left 1 fired 1 at 7000", "started 3 at 7000", "on valve by sequence 3 1 at 8000",
                     "done valve stopped at 8200", "edge left 0 fired 2 at 8200"}));
}

TEST("stopping a sequence stops what of it is on and leaves alone what somebody else does") {
  Wired bench;
  bench.order(load(1, {{0, pulse(VALVE, 1 * MS)}, {20 * MS, set(LIGHT, true)}}) + start(1), 2);
  bench.at(5 * MS, [&] { bench.order(pulse(VALVE, 10 * MS) + set(LIGHT, true), 2); });
  bench.at(7 * MS, [&] { bench.order(stop(1)); });
  bench.run(100 * MS);
  CHECK_EQUAL(bench.pins(VALVE), "0:1 1000:0 5000:1 15000:0");
  CHECK_EQUAL(bench.pins(LIGHT), "5000:1");
}

TEST("a sync code does not belong to the sequence that drove its output before") {
  Wired bench;
  bench.order(load(1, {{0, pulse(LIGHT, 1 * MS)}}) + start(1), 2);
  bench.at(5 * MS, [&] { bench.order(code(LIGHT, 1, 100, 10, 0)); });
  bench.at(7 * MS, [&] { bench.order(stop(1)); });
  bench.run(100 * MS);
  CHECK_EQUAL(bench.pins(LIGHT), "0:1 1000:0 15000:1 25000:0");
}

TEST("a refused step does not become the sequence's own") {
  Wired bench;
  bench.order(pulse(VALVE, 30 * MS) + set(LIGHT, true), 2);
  bench.order(load(1, {{1 * MS, pulse(VALVE, 5 * MS)}, {2 * MS, set(LIGHT, true)}}) + start(1), 2);
  bench.at(10 * MS, [&] { bench.order(stop(1)); });
  bench.run(100 * MS);
  CHECK_EQUAL(bench.pins(VALVE), "0:1 30000:0");
  CHECK_EQUAL(bench.pins(LIGHT), "0:1");
}

TEST("a stopped sequence can be started again, and starting it anew stops it first") {
  Wired bench;
  bench.order(load(1, STEPS));
  for (uint64_t us : {0, 10000, 10500, 20000}) bench.at(us * US, [&] { bench.order(start(1)); });
  bench.at(20100 * US, [&] { bench.order(stop(1)); });
  bench.run(100 * MS);
  CHECK_EQUAL(bench.events("started"), (Words{"1 at 0", "1 at 10000", "1 at 10500", "1 at 20000"}));
  CHECK_EQUAL(bench.pins(LIGHT), "0:1 2000:0 10000:1 10500:0 10500:1 12500:0 20000:1 20100:0");
}

TEST("loading over a running sequence stops it, and one for which there is no room leaves it in place") {
  Wired bench;
  bench.order(load(1, STEPS) + start(1), 2);
  bench.at(500 * US, [&] { bench.order(load(1, {{0, pulse(OTHER, 100 * US)}})); });
  bench.at(5 * MS, [&] { bench.order(start(1)); });
  bench.run(100 * MS);
  CHECK_EQUAL(bench.pins(), "0:light:1 500:light:0 5000:other:1 5100:other:0");
}

TEST("a sequence may end with another or with itself, until all is made safe") {
  Wired bench;
  bench.order(load(1, {{0, pulse(VALVE, 100 * US)}, {1 * MS, start(2)}}));
  bench.order(load(2, {{0, pulse(VALVE, 200 * US)}, {1 * MS, start(1)}}));
  bench.order(start(1));
  bench.run(3500 * US);
  CHECK_EQUAL(bench.events("started"), (Words{"1 at 0", "2 at 1000", "1 at 2000", "2 at 3000"}));
  bench.send(wire::AllOff{wire::CODE_ALL_OFF, 1});
  bench.run(100 * MS);
  CHECK_EQUAL(bench.events("started").size(), 4u);
}

TEST("a sequence that starts itself at once keeps nobody from stopping it") {
  Wired bench;
  bench.order(load(1, {{0, start(1)}}) + start(1), 2);
  bench.order(stop(1));
  size_t starts = bench.events("started").size();
  bench.run(bench.time() + 10 * MS);
  CHECK_EQUAL(bench.events("started").size(), starts);
}

TEST("the board holds as many sequences and entries as it says") {
  Wired bench;
  const std::vector<std::pair<uint32_t, Bytes>> five(5, {0, nothing()});
  for (uint8_t number = 1; number <= limits::SEQUENCES; number++) {
    CHECK_EQUAL(bench.order(load(number, {{0, nothing()}})), Words{});
  }
  CHECK_EQUAL(bench.order(load(99, {{0, nothing()}})), Words{"0 no_room"});
  int entries = limits::SEQUENCES;
  uint8_t number = 1;
  while (entries - 1 + 5 <= limits::ENTRIES) {
    CHECK_EQUAL(bench.order(load(number++, five)), Words{});
    entries += 4;
    bench.acknowledge();
    if (number > limits::SEQUENCES) break;
  }
  if (number <= limits::SEQUENCES) {
    CHECK_EQUAL(bench.order(load(number, five)), Words{"0 no_room"});
  }
  CHECK_EQUAL(bench.order(start(1)), Words{});
}

TEST("entries of one instant do not hurry the later ones") {
  Bench bench;
  bench.open();
  bench.wire();
  bench.order(set(ONE, true));
  bench.order(load(1, {{1 * MS, set(ONE, false)},
                       {1 * MS, set(LIGHT, false)},
                       {1 * MS, pulse(TWO, 1 * MS)},
                       {50 * MS, pulse(VALVE, 1 * MS)}}));
  bench.order(start(1));
  bench.run(80 * MS);
  CHECK_EQUAL(bench.pins(), "0:one:1 1000:one:0 1000:two:1 2000:two:0 50000:valve:1 51000:valve:0");
}
