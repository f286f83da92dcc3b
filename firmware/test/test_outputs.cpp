// SPDX-License-Identifier: BSD-3-Clause
//
// Tests of outputs.cpp: levels, pulses, trains, tones, ramps, limits and the interlock.

#include "bench.h"
#include "check.h"
#include "host.h"

namespace {

struct Wired : Bench {
  explicit Wired(uint32_t clock = 0) : Bench(clock) {
    open();
    wire();
  }
};

}  // namespace

TEST("a light is on until it is switched off, and on twice and off twice are harmless") {
  Wired bench;
  bench.order(set(LIGHT, true) + set(LIGHT, true), 2);
  bench.at(30 * S, [&] { bench.order(set(LIGHT, false) + set(LIGHT, false), 2); });
  bench.run(40 * S);
  CHECK_EQUAL(bench.pins(LIGHT), "0:1 30000000:0");
  CHECK_EQUAL(bench.events(), Words{});
}

TEST("a pulse lasts exactly as long as asked and says when it is done") {
  Wired bench;
  bench.run(1000 * US);
  bench.order(pulse(VALVE, 40001 * US));
  bench.run(200 * MS);
  CHECK_EQUAL(bench.pins(VALVE), "1000:1 41001:0");
  CHECK_EQUAL(bench.events(), (Words{"on valve by order 5 0 at 1000", "done valve finished at 41001"}));
}

TEST("a pulse may be longer than the clock") {
  for (uint64_t ticks : {0x3FFFFFFFu, 0x40000000u, 0x80000001u, 0xFFFFFFFFu}) {
    Wired bench(0xFFFFF000);
    bench.order(pulse(LIGHT, ticks));
    for (uint64_t when = S; when < ticks; when += 50 * S) {
      bench.at(when, [&] { bench.acknowledge(); });
    }
    bench.run(ticks + S);
    CHECK_EQUAL(bench.changes.size(), 2u);
    CHECK_EQUAL(bench.changes.back().at, ticks);
  }
}

TEST("a train gives its pulses one every period and does not drift") {
  Wired bench;
  bench.order(train(LIGHT, 333 * US, 1001 * US, 5000));
  bench.run(6 * S);
  CHECK_EQUAL(bench.changes.size(), 10000u);
  CHECK_EQUAL(bench.changes[9998].at, uint64_t(4999 * 1001 * US));
  CHECK_EQUAL(bench.changes[9999].at, uint64_t((4999 * 1001 + 333) * US));
  CHECK_EQUAL(bench.events("done"), Words{"light finished at 5004332"});
}

TEST("a train without gaps is one opening") {
  Wired bench;
  CHECK_EQUAL(bench.order(train(VALVE, 60 * MS, 60 * MS, 2)), Words{"0 too_long"});
  CHECK_EQUAL(bench.order(train(VALVE, 60 * MS, 1 * MS, 9)), Words{"0 too_long"});
  CHECK_EQUAL(bench.order(train(VALVE, 0x10000, 1, 0xFFFF)), Words{"0 too_long"});
  CHECK_EQUAL(bench.order(train(VALVE, 50 * MS, 50 * MS, 2)), Words{});
  bench.run(1 * S);
  CHECK_EQUAL(bench.pins(VALVE), "0:1 100000:0");
}

TEST("a train of no pulses is done at once") {
  Wired bench;
  CHECK_EQUAL(bench.order(train(LIGHT, 10, 20, 0) + ramp(SPEAKER, 440, 1, 1, 2, 0), 2), Words{});
  bench.run(1 * MS);
  CHECK_EQUAL(bench.events("done"), (Words{"light finished at 0", "speaker finished at 0"}));
  CHECK(!bench.anything_on());
}

TEST("a ramp of no tones leaves alone the pin that its voice had before") {
  Wired bench;
  bench.order(tone(SPEAKER, 4000, 50 * MS));
  bench.at(100 * MS, [&] { bench.order(ramp(LAMP, 440, 1, 1, 2, 0)); });
  bench.run(200 * MS);
  CHECK_EQUAL(bench.pins(SPEAKER), "0:4000 50000:0");
  CHECK(!bench.anything_on());
}

TEST("a tone sounds at its frequency, a ramp climbs or falls step by step") {
  Wired bench;
  bench.order(tone(SPEAKER, 4000, 50 * MS));
  bench.at(100 * MS, [&] { bench.order(ramp(SPEAKER, 1000, -100, 50, 200, 3)); });
  bench.run(1 * S);
  CHECK_EQUAL(bench.pins(SPEAKER), "0:4000 50000:0 100000:1000 150000:0 300000:900 350000:0 500000:800 550000:0");
  CHECK_EQUAL(bench.events("done"), (Words{"speaker finished at 50000", "speaker finished at 550000"}));
}

TEST("tones of a ramp may follow each other without a pause, and zero hertz is silence") {
  Wired bench;
  bench.order(ramp(SPEAKER, 200, -100, 100, 100, 4));
  bench.run(1 * S);
  CHECK_EQUAL(bench.pins(SPEAKER), "0:200 100000:100 200000:0");
  CHECK_EQUAL(bench.events("done"), Words{"speaker finished at 400000"});
}

TEST("more tones than there are voices, and tones that are too high, are refused") {
  Wired bench;
  CHECK_EQUAL(bench.order(tone(SPEAKER, 440, 900 * MS)), Words{});
  if (limits::VOICES > 1) CHECK_EQUAL(bench.order(tone(LIGHT, 440, 900 * MS)), Words{});
  CHECK_EQUAL(bench.order(tone(LAMP, 440, 900 * MS)), Words{"0 no_room"});
  bench.run(1 * S);
  CHECK_EQUAL(bench.order(tone(LAMP, 20001, 900 * MS)), Words{"0 unknown"});
  CHECK_EQUAL(bench.order(ramp(LAMP, 10000, 5000, 1, 2, 4)), Words{"0 unknown"});
  CHECK_EQUAL(bench.order(ramp(LAMP, 10000, 5000, 1, 2, 3)), Words{});
}

TEST("off stops whatever runs and says so") {
  const Bytes actions[] = {pulse(VALVE, 50 * MS), train(VALVE, 10 * MS, 20 * MS, 3), tone(VALVE, 440, 50 * MS),
                           ramp(VALVE, 440, 10, 10, 20, 3)};
  for (const Bytes& action : actions) {
    for (uint64_t ms : {5, 15}) {
      Wired bench;
      bench.order(action);
      bench.at(ms * MS, [&] { bench.order(set(VALVE, false)); });
      bench.run(1 * S);
      CHECK_EQUAL(bench.events("done"), Words{"valve stopped at " + std::to_string(1000 * ms)});
      CHECK(!bench.is_on(VALVE));
      CHECK(bench.changes.back().at <= ms * MS);
    }
  }
}

TEST("an overlapping action is refused and changes nothing") {
  const Bytes actions[] = {pulse(VALVE, 50 * MS), train(VALVE, 10 * MS, 20 * MS, 3), tone(VALVE, 440, 50 * MS),
                           ramp(VALVE, 440, 10, 10, 20, 3)};
  for (const Bytes& first : actions) {
    Wired alone;
    alone.order(first);
    alone.run(1 * S);
    for (const Bytes& second : {actions[0], actions[1], actions[2], actions[3], set(VALVE, true)}) {
      for (uint64_t ms : {0, 5, 15}) {
        Wired bench;
        Words refused;
        bench.order(first);
        bench.at(ms * MS, [&] { refused = bench.order(second); });
        bench.run(1 * S);
        CHECK_EQUAL(refused, Words{"0 busy"});
        CHECK_EQUAL(bench.pins(), alone.pins());
        CHECK_EQUAL(bench.events("done"), alone.events("done"));
      }
    }
  }
  Wired bench;
  CHECK_EQUAL(bench.order(set(LIGHT, true) + pulse(LIGHT, 10), 2), Words{"1 busy"});
}

TEST("a dangerous output goes off at its limit, which another on does not move") {
  Wired bench;
  for (uint64_t us : {0, 60000, 99999}) {
    bench.at(us * US, [&] { bench.order(set(VALVE, true)); });
  }
  bench.at(110 * MS, [&] { bench.order(set(VALVE, true)); });
  bench.run(1 * S);
  CHECK_EQUAL(bench.pins(VALVE), "0:1 100000:0 110000:1 210000:0");
  CHECK_EQUAL(bench.events("done"), (Words{"valve limit at 100000", "valve limit at 210000"}));
}

TEST("an action longer than the limit is refused") {
  const Bytes too_long[] = {pulse(VALVE, 100 * MS + 1),          train(VALVE, 100 * MS + 1, 200 * MS, 2),
                            tone(VALVE, 100, 100 * MS + 1),      ramp(VALVE, 100, 1, 101, 200, 1),
                            ramp(SPEAKER, 440, 10, 300, 300, 4), pulse(VALVE, 0xFFFFFFFF)};
  for (const Bytes& action : too_long) {
    Wired bench;
    CHECK_EQUAL(bench.order(action), Words{"0 too_long"});
    CHECK(bench.changes.empty());
  }
  for (const Bytes& action : {pulse(VALVE, 100 * MS), train(VALVE, 50 * MS, 50 * MS + 1, 100), pulse(LIGHT, 90 * S),
                              ramp(SPEAKER, 440, 10, 300, 300, 3)}) {
    Wired bench;
    CHECK_EQUAL(bench.order(action), Words{});
  }
}

TEST("a limit above a minute is not accepted, nor a pin that is not there") {
  Wired bench;
  CHECK_EQUAL(bench.order(output(VALVE, 12, wire::DANGEROUS, 60001)), Words{"0 too_long"});
  CHECK_EQUAL(bench.order(output(VALVE, 12, wire::DANGEROUS, 60000)), Words{});
  CHECK_EQUAL(bench.order(output(LIGHT, 12, 0, 60001)), Words{});
  CHECK_EQUAL(bench.order(output(LIGHT, 0, 0, 0)), Words{"0 unknown"});
  CHECK_EQUAL(bench.order(output(200, 12, 0, 0)), Words{"0 no_room"});
}

TEST("of outputs that lock each other out only one is on, also in the gap of a train") {
  for (const Bytes& second : {pulse(TWO, 1 * MS), set(TWO, true), train(TWO, 100, 1000, 3)}) {
    Wired bench;
    Words refused;
    bench.order(train(ONE, 1 * MS, 10 * MS, 2));
    bench.at(5 * MS, [&] { refused = bench.order(second + pulse(VALVE, 2 * MS), 2); });
    bench.run(50 * MS);
    CHECK_EQUAL(refused, Words{"0 interlock"});
    CHECK_EQUAL(bench.pins(TWO), "");
    CHECK_EQUAL(bench.pins(VALVE), "5000:1 7000:0");
    CHECK_EQUAL(bench.order(second), Words{});
  }
  Wired bench;
  const Bytes orders = set(ONE, true) + set(ONE, true) + set(TWO, false) + set(ONE, false) + set(TWO, true);
  CHECK_EQUAL(bench.order(orders, 5), Words{});
}

TEST("an output that was never wired is unknown") {
  Wired bench;
  for (uint8_t channel : {uint8_t(LEFT), uint8_t(11), uint8_t(99), uint8_t(127)}) {
    CHECK_EQUAL(bench.order(set(channel, true) + pulse(channel, 10) + train(channel, 1, 2, 3), 3),
                (Words{"0 unknown", "1 unknown", "2 unknown"}));
    CHECK_EQUAL(bench.order(tone(channel, 440, 10) + ramp(channel, 440, 1, 1, 2, 3), 2),
                (Words{"0 unknown", "1 unknown"}));
  }
  CHECK_EQUAL(bench.order(pulse(0xFF, 10)), Words{"0 unknown"});
}

TEST("an inverted output is low when it is on") {
  Wired bench;
  bench.order(set(LAMP, true));
  bench.at(7 * MS, [&] { bench.order(set(LAMP, false)); });
  bench.run(10 * MS);
  CHECK_EQUAL(bench.pins(LAMP), "0:0 7000:1");
}

TEST("wiring an output anew switches it off") {
  Wired bench;
  bench.order(set(LIGHT, true) + set(VALVE, true), 2);
  bench.order(output(LIGHT, 14, 0, 0) + output(VALVE, 12, wire::DANGEROUS, 100), 2);
  bench.run(1 * S);
  CHECK_EQUAL(bench.pins(LIGHT), "0:1 0:0");
  CHECK_EQUAL(bench.pins(VALVE), "0:1 0:0");
  CHECK_EQUAL(bench.events("done"), Words{});
}

TEST("a train of the shortest pulses keeps nobody from switching it off") {
  Wired bench;
  bench.order(train(LIGHT, 0, 0, 0xFFFF) + train(VALVE, 0, 1, 0xFFFF), 2);
  CHECK_EQUAL(bench.order(set(VALVE, false) + set(LIGHT, false), 2), Words{});
  CHECK(!bench.anything_on());
}

TEST("a sync code begins one bit after its batch, and every edge is on its tick") {
  Wired bench(0xFFFF0000);
  bench.run(1000 * US);
  // The words end in 0xBC and 0xEA, says rig/core/model/sync_code.py.
  bench.order(code(LIGHT, 0x12345678, 200, 10, 8));
  bench.run(400 * MS);
  CHECK_EQUAL(bench.pins(LIGHT),
              "11000:1 21000:0 31000:1 41000:0 51000:1 91000:0 "
              "211000:1 221000:0 231000:1 261000:0 271000:1 281000:0 291000:1 301000:0");
  CHECK_EQUAL(bench.events(), Words{});
}

TEST("a sync code of no bits is a square, and does not drift") {
  Wired bench;
  bench.order(code(LAMP, 0, 20, 10, 0));
  for (uint64_t when = S; when < 100 * S; when += 50 * S) {
    bench.at(when, [&] { bench.acknowledge(); });
  }
  bench.run(100 * S + 15 * MS);
  CHECK_EQUAL(bench.changes.size(), 10001u);
  CHECK_EQUAL(bench.changes.back().at, uint64_t(100 * S + 10 * MS));
}

TEST("a sync code goes on until its output is switched off, and says that it was stopped") {
  Wired bench;
  bench.order(code(LIGHT, 1, 100, 10, 0));
  CHECK_EQUAL(bench.order(code(LIGHT, 1, 100, 10, 0)), Words{"0 busy"});
  CHECK_EQUAL(bench.order(pulse(LIGHT, 10)), Words{"0 busy"});
  bench.at(15 * MS, [&] { bench.order(set(LIGHT, false)); });
  bench.run(1 * S);
  CHECK_EQUAL(bench.pins(LIGHT), "10000:1 15000:0");
  CHECK_EQUAL(bench.events("done"), Words{"light stopped at 15000"});
}

TEST("an expired lease and all-off stop a sync code") {
  Wired bench;
  bench.order(code(LIGHT, 1, 20000, 10000, 0));
  bench.run(100 * S);
  CHECK_EQUAL(bench.pins(LIGHT), "10000000:1 20000000:0 30000000:1 40000000:0 50000000:1 60000000:0");
}

TEST("a sync code that a board cannot send is refused") {
  Wired bench;
  CHECK_EQUAL(bench.order(code(VALVE, 1, 100, 10, 0)), Words{"0 too_long"});  // a dangerous output
  CHECK_EQUAL(bench.order(code(ONE, 1, 100, 10, 0)), Words{"0 too_long"});    // an interlocked one
  CHECK_EQUAL(bench.order(code(LIGHT, 1, 99, 10, 8)), Words{"0 too_long"});   // longer than its period
  CHECK_EQUAL(bench.order(code(LIGHT, 1, 100, 0, 8)), Words{"0 too_long"});
  CHECK_EQUAL(bench.order(code(LIGHT, 1, 1000, 10, 33)), Words{"0 too_long"});
  CHECK_EQUAL(bench.order(code(limits::CHANNELS, 1, 1000, 10, 8)), Words{"0 unknown"});
  CHECK_EQUAL(bench.order(code(LIGHT, 1, 100, 10, 8)), Words{});
}

TEST("a sync code is neither in a group nor in a sequence") {
  Wired bench;
  for (const Bytes& order :
       {arm(1, {{LEFT | UP, code(LIGHT, 1, 1000, 10, 8)}}), load(1, {{0, code(LIGHT, 1, 1000, 10, 8)}})}) {
    CHECK_EQUAL(bench.order(order), Words{"255 unknown"});
  }
}

TEST("no edge of a sync code waits for an edge that the scheduler has not handled") {
  Wired bench;
  bench.order(load(1, {{0, pulse(LAMP, 1 * MS)}}));
  bench.order(arm(1, {{LEFT | UP, stop(1)}}));
  bench.order(code(LIGHT, 1, 100, 10, 0));
  bench.script(LEFT, {10 * MS - 2, 20 * MS - 2});
  bench.run(50 * MS);
  CHECK_EQUAL(bench.pins(LIGHT), "10000:1 20000:0");
}
