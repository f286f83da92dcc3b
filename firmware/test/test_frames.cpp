// SPDX-License-Identifier: BSD-3-Clause
//
// Tests of orders.cpp: batches of several frames.

#include "bench.h"
#include "check.h"
#include "limits.h"

namespace {

struct Wired : Bench {
  explicit Wired(uint16_t lease_ms = 60000) {
    open(1, lease_ms);
    wire();
  }

  // How many batches the board says to have executed.
  int executed() {
    send(wire::GetTime{wire::CODE_GET_TIME, journalled});
    return heard(wire::CODE_TIME).back().as<wire::Time>().executed;
  }
};

const Bytes DROP = pulse(VALVE, 1 * MS), OTHER_DROP = pulse(OTHER, 1 * MS);
typedef std::vector<std::pair<uint8_t, Bytes>> Members;
typedef std::vector<std::pair<uint32_t, Bytes>> Entries;

}  // namespace

TEST("orders of an early frame wait for the last one, and all are executed in their order in one pass") {
  Wired bench;
  int before = bench.executed();
  bench.begin(set(LIGHT, true) + pulse(VALVE, 5 * MS), 2);
  bench.run(3 * MS);
  CHECK_EQUAL(bench.pins(), "");
  CHECK_EQUAL(bench.executed(), before);
  CHECK_EQUAL(bench.order(set(LIGHT, false) + set(SPEAKER, true) + set(LIGHT, true), 3), Words{});
  CHECK_EQUAL(bench.executed(), before + 1);
  CHECK_EQUAL(bench.pins(), "3000:light:1 3000:valve:1 3000:light:0 3000:speaker:1 3000:light:1");
}

TEST("every frame is acknowledged, and what goes on has the batch and its place over all frames") {
  Wired bench;
  size_t acks = bench.heard(wire::CODE_ACK).size();
  int batch = bench.executed() + 1;
  bench.begin(set(LIGHT, true) + set(LIGHT, false), 2);
  bench.begin(members(1, {{LEFT | UP, DROP}}) + pulse(OTHER, 1 * MS), 2);
  bench.order(arm(1, {}) + pulse(SPEAKER, 1 * MS), 2);
  CHECK_EQUAL(bench.heard(wire::CODE_ACK).size(), acks + 3);
  const std::string number = std::to_string(batch);
  CHECK_EQUAL(bench.events("on"),
              (Words{"other by order " + number + " 2 at 0", "speaker by order " + number + " 4 at 0"}));
}

TEST("a group fires nothing before its batch is complete, and then what its frames have brought") {
  Wired bench;
  bench.begin(members(7, {{LEFT | UP, DROP}}));
  bench.pin(LEFT, true);
  bench.run(1 * MS);
  CHECK_EQUAL(bench.pins(), "");
  bench.acknowledge();
  CHECK_EQUAL(bench.order(arm(7, {{RIGHT | UP, OTHER_DROP}})), Words{});
  bench.script(LEFT, {2 * MS});
  bench.script(RIGHT, {3 * MS});
  bench.run(2500 * US);
  bench.acknowledge();
  bench.run(5 * MS);
  CHECK_EQUAL(bench.pins(), "3000:other:1 4000:other:0");
  CHECK_EQUAL(bench.events("edge").back(), "right 1 fired 7 at 3000");
}

TEST("an edge that the task has not read refuses a group whose members came before the edge") {
  Wired bench;
  bench.begin(members(7, {{LEFT | UP, DROP}}));
  bench.pin(LEFT, true);
  bench.run(1 * MS);
  CHECK_EQUAL(bench.order(arm(7, {{RIGHT | UP, OTHER_DROP}}), 1, 0), Words{"0 newer_edge"});
  bench.script(RIGHT, {2 * MS});
  bench.run(5 * MS);
  CHECK_EQUAL(bench.pins(), "");
}

TEST("one group may have all members of the board, and one sequence all entries") {
  Wired bench;
  for (uint8_t count = 0; count < limits::REFLEXES - 1; count++) {
    bench.begin(members(1, {{static_cast<uint8_t>(count < 2 ? count | UP : count), nothing()}}));
  }
  CHECK_EQUAL(bench.order(arm(1, {{LEFT | UP, DROP}})), Words{});
  for (uint8_t count = 0; count < limits::ENTRIES - 1; count++) {
    bench.begin(entries(1, {{count * MS, set(LIGHT, count % 2 == 0)}}));
  }
  CHECK_EQUAL(bench.order(load(1, {{limits::ENTRIES * MS, OTHER_DROP}}) + start(1), 2), Words{});
  bench.run(1000 * MS);
  CHECK(bench.pins(OTHER) ==
        std::to_string(1000 * limits::ENTRIES) + ":1 " + std::to_string(1000 * limits::ENTRIES + 1000) + ":0");
  CHECK_EQUAL(bench.order(load(2, {{0, nothing()}})), Words{"0 no_room"});
}

TEST("a batch whose parts find no room is refused as a whole, and leaves nothing") {
  Wired bench;
  const Entries more(5, {0, set(LIGHT, true)});
  for (int frame = 0; frame * 5 < limits::ENTRIES; frame++) bench.begin(entries(1, more));
  bench.begin(members(1, {{LEFT | UP, DROP}}) + pulse(VALVE, 1 * MS), 2);
  CHECK_EQUAL(bench.order(load(1, {}) + arm(1, {}) + start(1), 3), Words{"255 no_room"});
  bench.script(LEFT, {1 * MS});
  bench.run(5 * MS);
  CHECK_EQUAL(bench.pins(), "");
  CHECK_EQUAL(bench.order(start(1)), Words{"0 unknown"});
  for (int frame = 0; frame * 5 < limits::ENTRIES - 5; frame++) bench.begin(entries(1, more));
  CHECK_EQUAL(bench.order(load(1, {{0, OTHER_DROP}}) + start(1), 2), Words{});
  bench.run(10 * MS);
  CHECK(!bench.pins(OTHER).empty());
}

#ifndef TARGET_SAMPLES
TEST("an order of a board that samples is unknown, and the others of its batch are executed") {
  Wired bench;
  const Bytes sample{wire::MORE, wire::ORDER_SAMPLE >> 8, 0, 14, 0xE8, 3, 0, 0};
  const Bytes count{wire::MORE, wire::ORDER_COUNT >> 8, 0, 2, 3, 0xE8, 3, 0, 0};
  Bytes threshold(sizeof(wire::OrderThreshold), 0);
  threshold[0] = wire::MORE;
  threshold[1] = wire::ORDER_THRESHOLD >> 8;
  for (const Bytes& order : {sample, count, threshold}) {
    CHECK_EQUAL(bench.order(order + set(LIGHT, true), 2), Words{"0 unknown"});
    CHECK_EQUAL(bench.order(set(LIGHT, false)), Words{});
  }
  CHECK_EQUAL(bench.pins(), "0:light:1 0:light:0 0:light:1 0:light:0 0:light:1 0:light:0");
}
#endif

TEST("a frame that cannot be read, or has what must not wait, refuses its whole batch") {
  for (const Bytes& wrong : {Bytes{0xFF}, Bytes{wire::MORE}, Bytes{wire::MORE, 0}, input(9, 9, 0, 0, 0, 0),
                             output(LIGHT, 9, 0, 0), panic(3, 0), code(LIGHT, 1, 100, 1, 0)}) {
    for (bool is_last : {false, true}) {
      Wired bench;
      bench.begin(pulse(VALVE, 1 * MS));
      if (!is_last) bench.begin(wrong);
      CHECK_EQUAL(bench.order(is_last ? wrong : set(LIGHT, true)), Words{"255 unknown"});
      CHECK_EQUAL(bench.pins(), "");
      CHECK_EQUAL(bench.order(set(LIGHT, true)), Words{});
      CHECK_EQUAL(bench.pins(), "0:light:1");
    }
  }
}

TEST("what only switches off or stops needs no room, unless an order before it waits") {
  Wired bench;
  for (uint8_t count = 0; count < limits::ENTRIES - 1; count++) {
    bench.begin(entries(1, {{count * MS, pulse(VALVE, 1 * MS)}}));
  }
  bench.order(load(1, {{50 * MS, nothing()}}) + set(LIGHT, true) + set(SPEAKER, true) + start(1), 4);
  bench.run(100 * US);
  bench.begin(set(LIGHT, false) + stop(1) + nothing(), 3);
  bench.begin(set(SPEAKER, false));
  CHECK_EQUAL(bench.order(set(LAMP, false)), Words{});
  CHECK_EQUAL(bench.pins(LIGHT) + " " + bench.pins(SPEAKER), "0:1 100:0 0:1 100:0");
  bench.begin(set(LIGHT, true) + set(LIGHT, false), 2);
  CHECK_EQUAL(bench.order(set(LAMP, false)), Words{"255 no_room"});
  CHECK_EQUAL(bench.pins(LIGHT), "0:1 100:0");
}

TEST("a batch with more orders than a cause can name is refused as a whole") {
  static_assert(wire::MAX_ORDERS == 48, "the frames below have 48 orders");
  for (uint8_t last : {8, 9}) {
    Wired bench;
    Bytes ten, rest;
    for (int count = 0; count < 10; count++) ten = ten + disarm(9);
    for (int count = 0; count < last; count++) rest = rest + set(LIGHT, count % 2 == 0);
    for (int frame = 0; frame < 4; frame++) bench.begin(ten, 10);
    CHECK_EQUAL(bench.order(rest, last), last == 8 ? Words{} : Words{"255 no_room"});
    CHECK(bench.pins(LIGHT).empty() == (last == 9));
  }
}

TEST("parts without the order that they belong to are removed with their batch") {
  Wired bench;
  bench.begin(members(1, Members(4, {LEFT | UP, DROP})));
  CHECK_EQUAL(bench.order(entries(1, {{0, DROP}})), Words{});
  CHECK_EQUAL(bench.order(start(1)), Words{"0 unknown"});
  bench.script(LEFT, {1 * MS});
  bench.run(5 * MS);
  CHECK_EQUAL(bench.pins(), "");
}

TEST("the first entries of a sequence stop the one that they replace, and it cannot start before it is loaded") {
  Wired bench;
  bench.order(load(1, {{0, pulse(VALVE, 50 * MS)}, {5 * MS, OTHER_DROP}}) + start(1), 2);
  bench.run(1 * MS);
  bench.begin(entries(1, {{0, set(LIGHT, true)}}));
  CHECK_EQUAL(bench.pins(VALVE), "0:1 1000:0");
  bench.run(10 * MS);
  CHECK_EQUAL(bench.pins(OTHER), "");
  CHECK_EQUAL(bench.order(load(1, {{1 * MS, set(LIGHT, false)}}) + start(1), 2), Words{});
  bench.run(20 * MS);
  CHECK_EQUAL(bench.pins(LIGHT), "10000:1 11000:0");
}

TEST("a repeated frame is acknowledged with its stamp and handled once; a later one is not taken") {
  Wired bench;
  uint8_t first = bench.number + 1;
  bench.begin(members(1, {{LEFT | UP, DROP}}));
  bench.run(1 * MS);
  bench.batch(bench.epoch, first, members(1, {{LEFT | UP, DROP}}), 1 | wire::MORE_FRAMES, 0);
  auto acks = bench.heard(wire::CODE_ACK);
  CHECK_EQUAL(int(acks.back().as<wire::Ack>().number), int(first));
  CHECK_EQUAL(acks.back().as<wire::Ack>().stamp, acks[acks.size() - 2].as<wire::Ack>().stamp);
  bench.batch(bench.epoch, first + 2, arm(1, {}), 1, 0);
  CHECK_EQUAL(bench.heard(wire::CODE_ACK).size(), acks.size());
  CHECK_EQUAL(bench.order(arm(1, {})), Words{});
  bench.script(LEFT, {2 * MS});
  bench.run(5 * MS);
  CHECK_EQUAL(bench.pins(), "2000:valve:1 3000:valve:0");
}

TEST("what frames have brought ends with their epoch") {
  for (bool all_off : {false, true}) {
    Wired bench(50);
    bench.begin(members(1, {{LEFT | UP, DROP}}) + pulse(VALVE, 1 * MS), 2);
    if (all_off) bench.send(wire::AllOff{wire::CODE_ALL_OFF, 1});
    bench.run(100 * MS);
    if (!all_off) {
      bench.epoch = bench.heard(wire::CODE_LEASE).back().as<wire::Lease>().epoch;
      bench.number = 0;
      CHECK_EQUAL(bench.order(arm(1, {}) + set(LIGHT, true), 2), Words{});
    }
    bench.script(LEFT, {120 * MS});
    bench.run(130 * MS);
    CHECK_EQUAL(bench.pins(VALVE), "");
  }
}
