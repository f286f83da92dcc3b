// SPDX-License-Identifier: BSD-3-Clause
//
// Tests of kept_openings.cpp: the kept openings of dangerous outputs.

#include "bench.h"
#include "check.h"
#include "kept_openings.h"
#include "limits.h"

namespace {

struct Wired : Bench {
  explicit Wired(uint16_t lease_ms = 60000) {
    open(1, lease_ms);
    wire();
  }
};

wire::Opening latest(Bench& bench) {
  bench.send(wire::GetOpening{wire::CODE_GET_OPENING, 0});
  return bench.heard(wire::CODE_OPENING).back().as<wire::Opening>();
}

// By whose orders the kept openings began, the oldest first.
Words causes(Bench& bench) {
  Words found;
  for (uint8_t place = latest(bench).kept; place--;) {
    bench.send(wire::GetOpening{wire::CODE_GET_OPENING, place});
    auto opening = bench.heard(wire::CODE_OPENING).back().as<wire::Opening>();
    found.push_back(text_of(opening.cause, opening.by, opening.part));
  }
  return found;
}

}  // namespace

TEST("a board says how many openings it keeps, and has none when it gets its power") {
  Bench bench;
  CHECK_EQUAL(int(bench.heard(wire::CODE_HELLO).front().as<wire::Hello>().openings), int(limits::OPENINGS));
  bench.send(wire::GetOpening{wire::CODE_GET_OPENING, 3});
  auto none = bench.heard(wire::CODE_OPENING).back().as<wire::Opening>();
  CHECK_EQUAL(int(none.place), 3);
  CHECK_EQUAL(none.kept + none.number + none.channel + none.epoch + none.flags + int(none.stamp + none.ticks), 0);
  CHECK_EQUAL(none.cause + none.by + none.part, 0);
}

TEST("openings of dangerous outputs are kept, each pulse of a train for itself, and no light") {
  Wired bench;
  bench.at(100 * US, [&] { bench.order(pulse(VALVE, 40 * US) + pulse(LIGHT, 40 * US), 2); });
  bench.at(200 * US, [&] { bench.order(train(OTHER, 10 * US, 30 * US, 2) + train(ONE, 10 * US, 10 * US, 3), 2); });
  bench.run(1 * MS);
  CHECK_EQUAL(bench.openings(), (Words{"1 valve at 100 for 40", "2 other at 200 for 10", "3 one at 200 for 30",
                                       "4 other at 230 for 10"}));
  CHECK_EQUAL(int(latest(bench).epoch), int(bench.epoch));
}

TEST("a tone is one opening, a ramp without gaps too, and a pause or a frequency of 0 ends one") {
  Wired bench;
  bench.order(tone(SPEAKER, 1000, 20 * MS));
  bench.at(100 * MS, [&] { bench.order(ramp(SPEAKER, 1000, 100, 20, 20, 3)); });
  bench.at(200 * MS, [&] { bench.order(ramp(SPEAKER, 1000, 100, 5, 10, 2)); });
  bench.at(300 * MS, [&] { bench.order(ramp(SPEAKER, 100, -100, 10, 10, 2)); });
  bench.run(400 * MS);
  CHECK_EQUAL(bench.openings(),
              (Words{"1 speaker at 0 for 20000", "2 speaker at 100000 for 60000", "3 speaker at 200000 for 5000",
                     "4 speaker at 210000 for 5000", "5 speaker at 300000 for 10000"}));
}

TEST("an opening that lasts says how long it does so far, and its limit ends it") {
  Wired bench;
  bench.order(set(VALVE, true) + set(VALVE, true), 2);
  bench.run(30 * MS);
  CHECK_EQUAL(bench.openings(), Words{"1 valve at 0 for 30000 so far"});
  bench.run(200 * MS);
  CHECK_EQUAL(bench.openings(), Words{"1 valve at 0 for 100000"});
}

TEST("what an edge opens begins with the edge, and what is refused is no opening") {
  Wired bench;
  bench.order(arm(1, {{LEFT | UP, pulse(VALVE, 1 * MS)}}));
  bench.script(LEFT, {500 * US});
  bench.at(700 * US, [&] { CHECK_EQUAL(bench.order(pulse(VALVE, 1 * MS)), Words{"0 busy"}); });
  bench.run(5 * MS);
  CHECK_EQUAL(bench.openings(), Words{"1 valve at 500 for 1000"});
}

TEST("the last openings are kept and their numbers run on") {
  Wired bench;
  for (int count = 0; count < 300; count++) {
    bench.order(pulse(VALVE, 10 * US));
    bench.acknowledge();
    bench.run(bench.time() + 1 * MS);
  }
  bench.order(set(OTHER, true));
  for (int count = 0; count < limits::OPENINGS; count++) {
    bench.order(pulse(VALVE, 10 * US));
    bench.run(bench.time() + 1 * MS);
  }
  bench.order(set(OTHER, false));
  Words kept = bench.openings();
  CHECK_EQUAL(int(kept.size()), int(limits::OPENINGS));
  CHECK_EQUAL(kept.front().substr(0, 9), "302 valve");
  CHECK_EQUAL(int(latest(bench).number), 301 + limits::OPENINGS);
}

TEST("openings outlive a lease, an all-off and an OPEN, which end them") {
  Wired bench(1000);
  bench.order(tone(SPEAKER, 1000, 2000 * MS / 2 - 1));
  bench.at(50 * MS, [&] { bench.send(wire::AllOff{wire::CODE_ALL_OFF, 1}); });
  bench.run(100 * MS);
  bench.open(2, 1000);
  bench.wire();
  uint8_t epoch = bench.epoch;
  bench.order(set(VALVE, true));
  bench.run(110 * MS);
  bench.open(3);
  CHECK_EQUAL(bench.openings(), (Words{"1 speaker at 0 for 50000", "2 valve at 100000 for 10000"}));
  CHECK_EQUAL(int(latest(bench).epoch), int(epoch));
}

TEST("a reset cuts what is open, and loses nothing; a loss of power loses everything") {
  Wired bench;
  bench.order(pulse(VALVE, 1 * MS) + tone(SPEAKER, 1000, 900 * MS), 2);
  bench.run(50 * MS);
  bench.reset();
  CHECK_EQUAL(bench.openings(), (Words{"1 valve at 0 for 1000", "2 speaker at 0 cut"}));
  bench.open(2);
  bench.wire();
  bench.order(pulse(VALVE, 1 * MS));
  bench.run(60 * MS);
  CHECK_EQUAL(bench.openings(), (Words{"1 valve at 0 for 1000", "2 speaker at 0 cut", "3 valve at 50000 for 1000"}));
  kept_openings::clear();
  bench.reset();
  CHECK_EQUAL(bench.openings(), Words{});
}

TEST("an opening keeps by whose order it began through a reset, and each pulse of a train has that of its order") {
  Wired bench;
  bench.order(nothing() + train(VALVE, 1 * MS, 3 * MS, 2), 2);
  bench.order(arm(7, {{LEFT | UP, pulse(OTHER, 1 * MS)}}));
  bench.order(load(9, {{0, nothing()}, {5 * MS, tone(SPEAKER, 1000, 900 * MS)}}) + start(9), 2);
  bench.script(LEFT, {1 * MS});
  bench.run(50 * MS);
  const Words expected{"order 5 1", "reflex 7 left 1", "order 5 1", "sequence 9 1"};
  CHECK_EQUAL(causes(bench), expected);
  bench.reset();
  CHECK_EQUAL(causes(bench), expected);
}
