// SPDX-License-Identifier: BSD-3-Clause
//
// Tests of the causes in ON and REFUSED: what went on or was refused, and by whose order.

#include "bench.h"
#include "check.h"
#include "limits.h"

namespace {

struct Wired : Bench {  // its next batch is the fifth
  Wired() {
    open();
    wire();
  }
};

}  // namespace

TEST("an order that switches a dangerous output on is reported once, at the moment its pin goes on") {
  const Bytes actions[] = {set(VALVE, true),
                           pulse(VALVE, 5 * MS),
                           pulse(VALVE, 0),
                           train(VALVE, 5 * MS, 20 * MS, 3),
                           train(VALVE, 5 * MS, 5 * MS, 3),
                           tone(VALVE, 440, 5 * MS),
                           ramp(VALVE, 440, 10, 5, 20, 3),
                           ramp(VALVE, 440, 10, 5, 5, 3)};
  for (const Bytes& action : actions) {
    Wired bench;
    bench.run(1 * MS);
    bench.order(nothing() + action, 2);
    bench.order(set(VALVE, false));
    bench.run(2 * MS);
    bench.order(action);
    bench.run(1 * S);
    CHECK_EQUAL(bench.events("on"), (Words{"valve by order 5 1 at 1000", "valve by order 7 0 at 2000"}));
  }
}

TEST("no other output is reported, and no order that is refused or empty or finds its output on") {
  Wired bench;
  bench.order(set(LIGHT, true) + pulse(LAMP, 1 * MS) + pulse(VALVE, 101 * MS) + train(VALVE, 1, 2, 0), 4);
  bench.run(1 * MS);
  CHECK_EQUAL(bench.events("on"), Words{});
  bench.order(set(VALVE, true) + set(VALVE, true) + pulse(VALVE, 1 * MS), 3);
  CHECK_EQUAL(bench.events("on"), Words{"valve by order 6 0 at 1000"});
}

TEST("a tone of 0 Hz is not reported, and a ramp that begins with it is when it first sounds") {
  Wired bench;
  bench.order(tone(VALVE, 0, 5 * MS));
  bench.run(10 * MS);
  bench.order(ramp(SPEAKER, 0, 100, 5, 10, 4));
  bench.run(100 * MS);
  CHECK_EQUAL(bench.events("on"), Words{"speaker by order 6 0 at 20000"});
}

TEST("what an edge switches on names the group and the edge, and comes before the edge") {
  Wired bench;
  bench.order(arm(7, {{RIGHT | UP, set(OTHER, true)}, {LEFT | UP, pulse(VALVE, 1 * MS)}}));
  bench.order(arm(8, {{LEFT, set(OTHER, true)}}));
  bench.script(LEFT, {500 * US, 700 * US});
  bench.run(10 * MS);
  CHECK_EQUAL(bench.events(), (Words{"on valve by reflex 7 left 1 at 500", "edge left 1 fired 7 at 500",
                                     "on other by reflex 8 left 0 at 700", "edge left 0 fired 8 at 700",
                                     "done valve finished at 1500"}));
}

TEST("what a sequence switches on names the sequence and the entry, counted in the order of time") {
  Wired bench;
  bench.order(load(3, {{2 * MS, set(LIGHT, true)}, {1 * MS, pulse(VALVE, 1)}, {2 * MS, pulse(OTHER, 1)}}));
  bench.order(load(4, {{0, set(SPEAKER, true)}, {1 * MS, start(3)}}));
  bench.order(arm(7, {{LEFT | UP, start(4)}}));
  bench.script(LEFT, {1 * MS});
  bench.run(10 * MS);
  CHECK_EQUAL(bench.events("on"), (Words{"speaker by sequence 4 0 at 1000", "valve by sequence 3 0 at 3000",
                                         "other by sequence 3 2 at 4000"}));
}

TEST("a start names the order, the reflex or the sequence that it follows") {
  Wired bench;
  bench.order(load(1, {{1 * MS, start(2)}}));
  bench.order(load(2, {{0, nothing()}}) + arm(7, {{LEFT | UP, start(2)}}), 2);
  bench.order(nothing() + start(1), 2);
  const uint8_t batch = bench.heard(wire::CODE_ACK).back().as<wire::Ack>().number;
  bench.script(LEFT, {5 * MS});
  bench.run(10 * MS);
  std::vector<std::vector<int>> starts;
  for (const Message& message : bench.heard(wire::CODE_STARTED)) {
    auto started = message.as<wire::Started>();
    starts.push_back({started.sequence, started.cause, started.by});
  }
  CHECK(starts == (std::vector<std::vector<int>>{
                      {1, wire::CAUSE_ORDER, batch}, {2, wire::CAUSE_SEQUENCE, 1}, {2, wire::CAUSE_REFLEX, 7}}));
}

TEST("the last channel and the last order of a batch are named") {
  constexpr uint8_t INPUT = limits::CHANNELS - 1, OUTPUT = limits::CHANNELS - 2;
  Wired bench;
  bench.order(input(INPUT, 20, 0, 0, 0, 0) + output(OUTPUT, 21, wire::DANGEROUS, 100), 2);
  Bytes orders;
  while (orders.size() + 2 < wire::ROOM_BYTES) orders = orders + nothing();
  const uint8_t last = orders.size();
  bench.order(orders + set(OUTPUT, true), last + 1);
  bench.order(set(OUTPUT, false) + arm(255, {{INPUT | UP, set(OUTPUT, true)}}), 2);
  bench.script(10, {1 * MS});
  bench.run(2 * MS);
  const std::string name = std::to_string(OUTPUT), edge = std::to_string(INPUT) + " 1";
  CHECK_EQUAL(bench.events("on"), (Words{name + " by order 6 " + std::to_string(last) + " at 0",
                                         name + " by reflex 255 " + edge + " at 1000"}));
}

TEST("of a batch that is longer than a batch may be nothing is executed") {
  Wired bench;
  Bytes orders;
  while (orders.size() <= wire::ROOM_BYTES) orders = orders + nothing();
  const uint8_t count = orders.size() + 1;
  bench.order(orders + set(VALVE, true), count);
  CHECK_EQUAL(bench.events("on"), Words{});
}

TEST("an entry of a sequence that is refused is reported with its reason, and counts") {
  Wired bench;
  bench.order(set(VALVE, true) + set(ONE, true) + set(VALVE + 90, true), 3);
  bench.order(load(1, {{1 * MS, pulse(OTHER, 101 * MS)}, {0, pulse(VALVE, 1)}, {0, set(TWO, true)}}));
  bench.order(load(2, {{2 * MS, start(9)}, {2 * MS, start_at(1, 0)}, {3 * MS, tone(LAMP, 20001, 1)}}));
  bench.order(start(1) + start(2), 2);
  bench.run(10 * MS);
  CHECK_EQUAL(bench.events("refused"), (Words{"2 unknown", "sequence 1 0 busy at 0", "sequence 1 1 interlock at 0",
                                              "sequence 1 2 too_long at 1000", "sequence 2 0 unknown at 2000",
                                              "sequence 2 1 past at 2000", "sequence 2 2 unknown at 3000"}));
  bench.send(wire::GetHealth{wire::CODE_GET_HEALTH});
  CHECK_EQUAL(int(bench.heard(wire::CODE_HEALTH).back().as<wire::Health>().refused), 7);
}

TEST("a refused reflex is told by its edge alone") {
  Wired bench;
  bench.order(pulse(VALVE, 50 * MS) + arm(1, {{LEFT | UP, pulse(VALVE, 1 * MS)}}), 2);
  bench.script(LEFT, {1 * MS});
  bench.run(2 * MS);
  CHECK_EQUAL(bench.events(), (Words{"on valve by order 5 0 at 0", "edge left 1 fired 0 at 1000"}));
}
