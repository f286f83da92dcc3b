// SPDX-License-Identifier: BSD-3-Clause
//
// Tests of the panic input.

#include "bench.h"
#include "check.h"
#include "host.h"
#include "limits.h"

namespace {

constexpr uint8_t BUTTON = 11;  // its pin is 21
constexpr uint8_t NO_INPUT = 69;

struct Wired : Bench {
  explicit Wired(uint16_t lease_ms = 60000, uint8_t flags = 0) {
    open(1, lease_ms);
    pin(BUTTON, flags);
    wire();
    CHECK_EQUAL(order(panic(BUTTON + 10, flags)), Words{});
  }
  void everything() {
    order(set(LIGHT, true) + set(LAMP, true) + tone(SPEAKER, 1000, 900 * MS), 3);
    order(load(1, {{0, train(VALVE, 50 * US, 100 * US, 1000)}, {1 * MS, set(OTHER, true)}}) + start(1), 2);
    order(arm(1, {{LEFT | UP, pulse(ONE, 1 * MS)}}));
  }
};

std::string executed(const Bench& bench) { return "executed " + std::to_string(bench.number) + " at "; }

}  // namespace

TEST("the panic input makes all outputs safe in the instant in which it changes, at either level") {
  for (uint8_t flags : {uint8_t(0), wire::INVERTED}) {
    Wired bench(60000, flags);
    bench.everything();
    bench.at(777 * US, [&] {
      bench.pin(BUTTON, !flags);
      CHECK(!bench.anything_on());
    });
    bench.run(777 * US);
    size_t before = bench.changes.size();
    bench.script(LEFT, {900 * US});
    bench.run(2 * S);
    CHECK_EQUAL(bench.changes.size(), before);
    CHECK_EQUAL(bench.events("panic"), Words{executed(bench) + "777"});
    CHECK_EQUAL(bench.events("edge"), Words{"left 1 fired 0 at 900"});
  }
}

TEST("what a panic has ended ends in its instant, also in the books") {
  Wired bench;
  bench.order(pulse(VALVE, 90 * MS) + tone(SPEAKER, 1000, 900 * MS), 2);
  bench.script(BUTTON, {500 * US});
  bench.run(1 * S);
  CHECK_EQUAL(bench.events("done"), (Words{"valve stopped at 500", "speaker stopped at 500"}));
  CHECK_EQUAL(bench.openings(), (Words{"1 valve at 0 for 500", "2 speaker at 0 for 500"}));
}

TEST("what a panic of the same instant forbids a sequence is reported neither as on nor as refused") {
  Wired bench;
  bench.order(load(1, {{1 * MS, set(VALVE, true)}}) + start(1), 2);
  bench.script(BUTTON, {1 * MS});
  bench.run(1 * S);
  CHECK_EQUAL(bench.events("on"), Words{});
  CHECK_EQUAL(bench.events("refused"), Words{});
}

TEST("a short press is enough, and bounces are one panic") {
  Wired bench;
  bench.order(set(LIGHT, true));
  bench.script(BUTTON, {500 * US, 501 * US, 503 * US, 504 * US, 10 * MS, 11 * MS});
  bench.run(1 * S);
  CHECK_EQUAL(bench.pins(LIGHT), "0:1 500:0");
  CHECK_EQUAL(bench.events("panic"), Words{executed(bench) + "500"});
}

TEST("an edge of the same instant fires nothing, nor does one before the books of the panic are kept") {
  Wired bench;
  bench.everything();
  bench.at(500 * US, [&] {
    bench.pin(BUTTON, true);
    bench.pin(LEFT, true);
  });
  bench.run(1 * S);
  CHECK_EQUAL(bench.pins(ONE), "");
  CHECK_EQUAL(bench.events("edge"), Words{"left 1 fired 0 at 500"});
}

TEST("after a panic batches of any epoch are ignored, until OPEN") {
  Wired bench;
  uint8_t before = bench.epoch;
  bench.script(BUTTON, {500 * US, 600 * US});
  bench.run(1 * MS);
  uint8_t epoch = bench.heard(wire::CODE_PANIC).back().as<wire::Panic>().epoch;
  CHECK_EQUAL(int(epoch), before % 255 + 1);
  size_t acks = bench.heard(wire::CODE_ACK).size();
  bench.batch(before, bench.number, set(LIGHT, true), 1, 0);
  bench.batch(before, bench.number + 1, set(LIGHT, true), 1, 0);
  bench.batch(epoch, 1, set(LIGHT, true), 1, 0);
  bench.run(1 * S);
  CHECK_EQUAL(bench.heard(wire::CODE_ACK).size(), acks);
  CHECK(!bench.anything_on());
  bench.open(2);
  bench.wire();
  bench.order(panic(BUTTON + 10, 0) + set(LIGHT, true), 2);
  CHECK(bench.is_on(LIGHT));
  bench.pin(BUTTON, true);
  bench.run(2 * S);
  CHECK(!bench.is_on(LIGHT));
  CHECK_EQUAL(bench.heard(wire::CODE_PANIC).back().payload.size(), sizeof(wire::Panic));
}

TEST("after a panic questions are answered, and no lease expires") {
  Wired bench(1000);
  bench.script(BUTTON, {500 * US});
  bench.run(10 * MS);
  bench.send(wire::GetTime{wire::CODE_GET_TIME, 0});
  CHECK_EQUAL(bench.events("time").size(), 1u);
  bench.send(wire::EventAck{wire::CODE_EVENT_ACK, 0, 7});
  CHECK_EQUAL(bench.heard(wire::CODE_KEEPALIVE_ACK).size(), 1u);
  bench.send(wire::GetHealth{wire::CODE_GET_HEALTH});
  bench.run(10 * S);
  CHECK_EQUAL(bench.events("lease"), Words{});
  bench.send(wire::AllOff{wire::CODE_ALL_OFF, 5});
  auto safe = bench.heard(wire::CODE_ALL_OFF_DONE).back().as<wire::AllOffDone>();
  CHECK_EQUAL(int(safe.executed), 0);
  CHECK_EQUAL(int(safe.epoch), bench.heard(wire::CODE_PANIC).back().as<wire::Panic>().epoch % 255 + 1);
}

TEST("after an all-off a press is no event, and the answer stays as it was") {
  Wired bench;
  bench.everything();
  bench.send(wire::AllOff{wire::CODE_ALL_OFF, 5});
  bench.run(10 * MS);
  bench.script(BUTTON, {20 * MS});
  bench.run(100 * MS);
  bench.send(wire::AllOff{wire::CODE_ALL_OFF, 5});
  CHECK_EQUAL(bench.events("panic"), Words{});
  auto answers = bench.heard(wire::CODE_ALL_OFF_DONE);
  CHECK(answers.size() == 2 && answers[0].payload == answers[1].payload);
}

TEST("a button that is pressed already panics with its order: nothing else of the batch is executed") {
  Wired bench;
  bench.run(1 * MS);
  bench.open(2);
  bench.pin(BUTTON, true);
  size_t acks = bench.heard(wire::CODE_ACK).size(), changes = bench.changes.size();
  Bytes before = output(LIGHT, 14, wire::INVERTED, 0) + load(1, {{0, set(LIGHT, true)}});
  CHECK_EQUAL(bench.order(before + panic(BUTTON + 10, 0) + pulse(NO_INPUT, 1), 4), Words{});
  bench.run(100 * MS);
  CHECK_EQUAL(bench.events("panic"), Words{"executed 1 at 1000"});
  CHECK_EQUAL(bench.changes.size(), changes);
  CHECK_EQUAL(bench.heard(wire::CODE_ACK).size(), acks);
}

TEST("a pin that can be no input is refused, and a later order takes another one") {
  Wired bench;
  CHECK_EQUAL(bench.order(panic(NO_INPUT, 0) + panic(0, 0) + set(LIGHT, true), 3), (Words{"0 unknown", "1 unknown"}));
  bench.order(panic(BUTTON + 11, 0));
  bench.script(BUTTON, {1 * MS});
  bench.run(2 * MS);
  CHECK(bench.is_on(LIGHT));
  bench.script(BUTTON + 1, {3 * MS});
  bench.run(4 * MS);
  CHECK(!bench.is_on(LIGHT));
}

TEST("a lease and a panic are reported although there is no room") {
  Wired bench(1000);
  for (int place = 0; place < 2 * limits::EVENTS; place++) {
    bench.at(bench.time() + (place + 1) * 200 * US, [&bench, place] { bench.pin(LEFT, place % 2 == 0); });
  }
  bench.run(3 * S);
  bench.pin(BUTTON, true);
  bench.run(4 * S);
  for (int count = 0; count < 40; count++) {
    bench.acknowledge();
    bench.run(bench.time() + 30 * MS);
  }
  Words events = bench.events();
  CHECK_EQUAL(events[limits::EVENTS - 1].substr(0, 8), "overflow");
  CHECK_EQUAL(events[limits::EVENTS], "lease " + executed(bench).substr(0, executed(bench).size() - 4));
  CHECK_EQUAL(events[limits::EVENTS + 1], "panic executed 0 at 3000000");
  uint8_t lease = bench.heard(wire::CODE_LEASE).back().as<wire::Lease>().epoch;
  CHECK_EQUAL(int(bench.heard(wire::CODE_PANIC).back().as<wire::Panic>().epoch), lease % 255 + 1);
}

TEST("a reset ends a panic") {
  Wired bench;
  bench.script(BUTTON, {1 * MS});
  bench.run(2 * MS);
  bench.reset();
  bench.open(2);
  bench.wire();
  bench.order(set(LIGHT, true));
  CHECK(bench.is_on(LIGHT));
}
