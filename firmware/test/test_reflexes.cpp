// SPDX-License-Identifier: BSD-3-Clause
//
// Tests of reflexes.cpp: arming, executing and ending groups.

#include "bench.h"
#include "check.h"
#include "limits.h"

namespace {

struct Wired : Bench {
  explicit Wired(uint32_t clock = 0) : Bench(clock) {
    open();
    wire();
  }
};

const Bytes DROP = pulse(VALVE, 1 * MS), OTHER_DROP = pulse(OTHER, 1 * MS);

}  // namespace

TEST("a change at the end of a lock-out fires when it is confirmed, and not at all when it is not") {
  for (uint64_t off_again : {10620, 11000}) {
    Bench bench;
    bench.open();
    bench.wire();
    bench.order(input(LEFT, 10, 0, 5000, 100, 0));
    bench.script(LEFT, {100 * US, 5600 * US, 10550 * US, off_again * US});
    bench.run(8 * MS);
    bench.acknowledge();
    bench.order(arm(1, {{LEFT | UP, pulse(VALVE, 1 * MS)}}));
    bench.run(13 * MS);
    CHECK_EQUAL(bench.pins(VALVE), off_again < 10650 ? "" : "10650:1 11650:0");
  }
}

TEST("the first edge of a member does its deed in the same instant and ends the group") {
  Wired bench;
  bench.order(arm(7, {{LEFT | UP, DROP}, {RIGHT | UP, OTHER_DROP}}));
  bench.script(RIGHT, {500 * US});
  bench.script(LEFT, {600 * US, 700 * US, 5000 * US});
  bench.run(10 * MS);
  CHECK_EQUAL(bench.events("edge"), (Words{"right 1 fired 7 at 500", "left 1 fired 0 at 600", "left 0 fired 0 at 700",
                                           "left 1 fired 0 at 5000"}));
  CHECK_EQUAL(bench.pins(), "500:other:1 1500:other:0");
}

TEST("an edge in the instant at which a pulse ends comes after that end, and fires a pulse of the same output") {
  Wired bench;
  bench.order(arm(1, {{LEFT | UP, DROP}}));
  bench.script(LEFT, {1000 * US});
  bench.order(DROP);
  bench.run(10 * MS);
  CHECK_EQUAL(bench.events("edge"), Words{"left 1 fired 1 at 1000"});
  CHECK_EQUAL(bench.pins(), "0:valve:1 1000:valve:0 1000:valve:1 2000:valve:0");
}

TEST("a beam that is broken at arming must be freed and broken again") {
  Wired bench;
  bench.pin(LEFT, true);
  bench.run(200 * US);
  CHECK_EQUAL(bench.order(arm(1, {{LEFT | UP, DROP}})), Words{});
  bench.at(2 * MS, [&] { bench.pin(LEFT, false); });
  bench.at(3 * MS, [&] { bench.pin(LEFT, true); });
  bench.run(10 * MS);
  CHECK_EQUAL(bench.pins(), "3000:valve:1 4000:valve:0");
}

TEST("an empty member ends the group without a deed, and is named") {
  Wired bench;
  bench.order(arm(9, {{LEFT | UP, nothing()}, {RIGHT | UP, DROP}}));
  bench.script(LEFT, {100 * US});
  bench.script(RIGHT, {200 * US});
  bench.run(10 * MS);
  CHECK_EQUAL(bench.events("edge"), (Words{"left 1 fired 9 at 100", "right 1 fired 0 at 200"}));
  CHECK_EQUAL(bench.pins(), "");
}

TEST("of two members at one instant the channel that comes first in the rig file wins") {
  Wired bench;
  bench.order(arm(1, {{RIGHT | UP, OTHER_DROP}, {LEFT | UP, DROP}}));
  bench.script(RIGHT, {100 * US});
  bench.script(LEFT, {100 * US});
  bench.run(10 * MS);
  CHECK_EQUAL(bench.events("edge"), (Words{"left 1 fired 1 at 100", "right 1 fired 0 at 100"}));
  CHECK_EQUAL(bench.pins(), "100:valve:1 1100:valve:0");
}

TEST("a reflex fires when its edge is confirmed, and a glitch fires nothing") {
  Wired bench;
  bench.order(input(LEFT, 10, 0, 5000, 100, 0));
  bench.order(arm(1, {{LEFT | UP, DROP}}));
  bench.script(LEFT, {100 * US, 150 * US, 1000 * US});
  bench.run(10 * MS);
  CHECK_EQUAL(bench.events("edge"), Words{"left 1 fired 1 at 1000"});
  CHECK_EQUAL(bench.pins(), "1100:valve:1 2100:valve:0");
}

TEST("a deed that is refused or locked out is not reported as done") {
  Wired bench;
  bench.order(arm(1, {{LEFT | UP, DROP}}) + train(VALVE, 10 * MS, 20 * MS, 4), 2);
  bench.order(pulse(ONE, 10 * MS) + arm(2, {{RIGHT | UP, pulse(TWO, 1 * MS)}}), 2);
  bench.script(LEFT, {15 * MS});
  bench.script(RIGHT, {1 * MS});
  bench.run(100 * MS);
  CHECK_EQUAL(bench.events("edge"), (Words{"right 1 fired 0 at 1000", "left 1 fired 0 at 15000"}));
  CHECK_EQUAL(bench.pins(TWO), "");
}

TEST("a group counts edges until its end inclusive, also across the wrap of the clock") {
  for (uint32_t clock : {0u, 0xFFFFF000u}) {
    for (uint32_t us : {4999, 5000, 5001, 50000}) {
      Wired bench(clock);
      bench.order(arm_until(1, clock + 5000 * US, {{LEFT | UP, DROP}}));
      bench.script(LEFT, {us * US});
      bench.run(100 * MS);
      CHECK_EQUAL(bench.heard(wire::CODE_EDGE).front().as<wire::Edge>().fired, us <= 5000 ? 1 : 0);
      CHECK_EQUAL(bench.changes.empty(), us > 5000);
    }
  }
}

TEST("an end stays passed however long nothing happens") {
  Wired bench;
  bench.order(arm_until(1, 5000 * US, {{LEFT | UP, DROP}}));
  const uint64_t long_after = 0x9FFFFFFFull + 5000 * US;
  for (uint64_t when = S; when < long_after; when += 50 * S) bench.at(when, [&] { bench.acknowledge(); });
  bench.script(LEFT, {long_after});
  bench.run(long_after + 1 * MS);
  CHECK_EQUAL(bench.pins(), "");
}

TEST("an edge of the last moment counts although it is reported later") {
  Wired bench;
  bench.order(input(LEFT, 10, 0, 0, 100, 0));
  bench.order(arm_until(1, 1000 * US, {{LEFT | UP, DROP}}));
  bench.script(LEFT, {1000 * US});
  bench.run(10 * MS);
  CHECK_EQUAL(bench.pins(), "1100:valve:1 2100:valve:0");
}

TEST("a disarmed group fires nothing; arming a number again replaces the group") {
  Wired bench;
  bench.order(arm(4, {{LEFT | UP, DROP}}) + disarm(4) + disarm(5), 3);
  bench.order(disarm(4));
  bench.order(arm(1, {{LEFT | UP, DROP}}));
  bench.order(arm(1, {{RIGHT | UP, OTHER_DROP}}));
  bench.script(LEFT, {100 * US});
  bench.script(RIGHT, {200 * US});
  bench.run(10 * MS);
  CHECK_EQUAL(bench.events("edge"), (Words{"left 1 fired 0 at 100", "right 1 fired 1 at 200"}));
}

TEST("a batch disarms, then loads, then arms, then drives, whatever its order") {
  Wired bench;
  bench.order(arm(1, {{LEFT | UP, OTHER_DROP}}));
  bench.order(start(5) + arm(1, {{LEFT | UP, DROP}}) + load(5, {{0, set(LIGHT, true)}}) + disarm(1), 4);
  bench.script(LEFT, {100 * US});
  bench.run(10 * MS);
  CHECK_EQUAL(bench.events("edge"), Words{"left 1 fired 1 at 100"});
  CHECK_EQUAL(bench.pins(), "0:light:1 100:valve:1 1100:valve:0");
}

TEST("refusals name the place in the batch as it was sent, and come before its answer") {
  Wired bench;
  bench.order(pulse(VALVE, 5 * MS));
  CHECK_EQUAL(bench.order(set(LIGHT, true) + pulse(VALVE, 1) + disarm(3) + pulse(VALVE, 2) + set(LIGHT, false), 5),
              (Words{"1 busy", "3 busy"}));
  CHECK_EQUAL(int(bench.messages.back().code()), int(wire::CODE_ACK));
}

TEST("arming over a newer edge of a member is refused, over one that was read or a stranger's it is not") {
  Wired bench;
  bench.script(LEFT, {100 * US, 200 * US});
  bench.run(1 * MS);
  CHECK_EQUAL(bench.order(arm(1, {{LEFT | UP, DROP}}), 1, 0), Words{"0 newer_edge"});
  CHECK_EQUAL(bench.order(arm(1, {{LEFT, DROP}}), 1, 1), Words{"0 newer_edge"});
  CHECK_EQUAL(bench.order(arm(1, {{LEFT | UP, DROP}}), 1, 1), Words{});
  CHECK_EQUAL(bench.order(arm(1, {{LEFT, DROP}, {LEFT | UP, DROP}}), 1, 2), Words{});
  CHECK_EQUAL(bench.order(arm(2, {{RIGHT | UP, DROP}}), 1, 0), Words{});
}

TEST("an edge of long ago is not newer although its number is near in 16 bits") {
  Wired bench;
  bench.script(LEFT, {100 * US, 200 * US});
  bench.run(1 * MS);
  bench.acknowledge();
  const Bytes group = arm(1, {{LEFT | UP, DROP}, {LEFT, DROP}});
  for (uint32_t events = 2; events < 0x20000; events++) {
    bench.send(wire::GetTime{wire::CODE_GET_TIME, bench.journalled});
    bench.messages.clear();
    bench.journalled++;
    if (events % 0x400 == 0) bench.run(bench.time() + 1 * MS);
    if (events % 0x1FFF == 0) CHECK_EQUAL(bench.order(group, 1, bench.journalled), Words{});
  }
  bench.pin(LEFT, true);
  bench.run(bench.time() + 1 * MS);
  CHECK_EQUAL(bench.order(group, 1, bench.journalled), Words{"0 newer_edge"});
}

TEST("an edge in two groups ends both and names the one that pays") {
  for (uint8_t payer : {1, 2}) {
    Wired bench;
    for (uint8_t group : {1, 2}) {
      bench.order(arm(group, {{LEFT | UP, group == payer ? DROP : nothing()}, {RIGHT | UP, DROP}}));
    }
    bench.script(LEFT, {100 * US});
    bench.script(RIGHT, {5 * MS});
    bench.run(10 * MS);
    CHECK_EQUAL(bench.events("edge"),
                (Words{"left 1 fired " + std::to_string(payer) + " at 100", "right 1 fired 0 at 5000"}));
    CHECK_EQUAL(bench.pins(), "100:valve:1 1100:valve:0");
  }
}

TEST("an edge that pays in two groups does the deed of the one that was armed first") {
  Wired bench;
  bench.order(arm(6, {{RIGHT | UP, DROP}}));
  bench.order(arm(5, {{LEFT | UP, DROP}}));
  bench.order(arm(6, {{LEFT | UP, OTHER_DROP}}));  // a group that is armed again keeps its rank
  bench.script(LEFT, {100 * US, 5 * MS, 6 * MS});
  bench.run(10 * MS);
  CHECK_EQUAL(bench.events("edge")[0], "left 1 fired 6 at 100");
  CHECK_EQUAL(bench.events("edge")[2], "left 1 fired 0 at 6000");
  CHECK_EQUAL(bench.pins(), "100:other:1 1100:other:0");
}

TEST("when the first group's deed is refused the second may do its own") {
  Wired bench;
  bench.order(pulse(VALVE, 50 * MS) + arm(5, {{LEFT | UP, DROP}}), 2);
  bench.order(arm(6, {{LEFT | UP, OTHER_DROP}}));
  bench.script(LEFT, {100 * US});
  bench.run(100 * MS);
  CHECK_EQUAL(bench.events("edge"), Words{"left 1 fired 6 at 100"});
}

TEST("the board holds as many groups and members as it says") {
  Wired bench;
  const std::vector<std::pair<uint8_t, Bytes>> three = {
      {LEFT | UP, nothing()}, {LEFT, nothing()}, {RIGHT | UP, nothing()}};
  for (uint8_t group = 1; group <= limits::GROUPS; group++) {
    CHECK_EQUAL(bench.order(arm(group, {{LEFT | UP, nothing()}})), Words{});
  }
  CHECK_EQUAL(bench.order(arm(99, {{LEFT | UP, nothing()}})), Words{"0 no_room"});
  for (uint8_t group = 1; group <= limits::GROUPS; group++) bench.order(disarm(group));
  uint8_t members = 0, group = 1;
  for (; members + 3 <= limits::REFLEXES && group <= limits::GROUPS; members += 3) {
    CHECK_EQUAL(bench.order(arm(group++, three)), Words{});
  }
  CHECK_EQUAL(bench.order(arm(group, three)), Words{"0 no_room"});
  CHECK_EQUAL(bench.order(arm(1, three)), Words{});
  std::vector<std::pair<uint8_t, Bytes>> nine(9, {LEFT, nothing()});
  CHECK_EQUAL(bench.order(arm(1, nine)), Words{"0 no_room"});
}
