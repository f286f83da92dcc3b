// SPDX-License-Identifier: BSD-3-Clause
//
// Tests of events.cpp: a full ring, and what is reported of the events that it lost.

#include "bench.h"
#include "check.h"
#include "limits.h"

namespace {

struct Wired : Bench {
  explicit Wired(uint16_t lease_ms = 60000) {
    open(1, lease_ms);
    wire();
  }
  // Toggle an input, as often as one that is not yet muted.
  void chatter(int changes) {
    uint64_t begin = time() + 200 * US;
    for (int place = 0; place < changes; place++) at(begin + place * 200 * US, [=] { pin(LEFT, place % 2 == 0); });
    run(begin + changes * 200 * US);
  }
};

// What an OVERFLOW says besides the number of lost events.
std::string effects(const std::string& overflow) { return overflow.substr(overflow.find(" effects") + 1); }

}  // namespace

TEST("what finds no room is counted and reported in its place") {
  const int events = limits::EVENTS;
  for (int changes : {events - 6, events - 1, events, events + 1, events + 200}) {
    Wired bench;
    bench.chatter(changes);
    int kept = bench.events().size();
    CHECK(kept <= events);
    bench.acknowledge();
    bench.pin(RIGHT, true);
    bench.run(bench.time() + 1 * MS);
    int lost = 0;
    for (const Message& message : bench.heard(wire::CODE_OVERFLOW)) lost = message.as<wire::Overflow>().lost;
    CHECK_EQUAL(lost, changes - kept);
    bench.send(wire::GetHealth{wire::CODE_GET_HEALTH});
    CHECK_EQUAL(int(bench.heard(wire::CODE_HEALTH).back().as<wire::Health>().lost), lost);
    if (lost) CHECK_EQUAL(bench.events()[kept], "overflow " + std::to_string(lost) + " effects 0");
  }
}

TEST("lost events say how many of them were effects, and what had been executed at the last one") {
  Wired bench;
  bench.order(arm(1, {{RIGHT | UP, pulse(VALVE, 1 * MS)}}) + load(1, {{0, pulse(OTHER, 1 * MS)}}), 2);
  bench.chatter(limits::EVENTS + 20);
  bench.pin(RIGHT, true);
  bench.run(bench.time() + 10 * MS);
  bench.order(start(1) + pulse(OTHER + 90, 1 * MS), 2);
  const int executed = bench.number;
  bench.order(set(LIGHT, true));
  bench.run(bench.time() + 10 * MS);
  bench.acknowledge();
  bench.pin(RIGHT, false);
  bench.run(bench.time() + 10 * MS);
  Words overflows = bench.events("overflow");
  CHECK_EQUAL(int(overflows.size()), 1);
  // Of the reflex ON and EDGE, of the sequence STARTED and ON, of the last order REFUSED.
  CHECK_EQUAL(effects(overflows[0]), "effects 5 executed " + std::to_string(executed));
}

TEST("a lost ON is an effect, and a lost DONE is none") {
  Wired bench;
  bench.chatter(limits::EVENTS);
  bench.order(pulse(VALVE, 1 * MS));
  const int executed = bench.number;
  bench.order(set(LIGHT, true));
  bench.run(bench.time() + 10 * MS);
  bench.acknowledge();
  bench.pin(RIGHT, true);
  bench.run(bench.time() + 1 * MS);
  CHECK_EQUAL(effects(bench.events("overflow")[0]), "effects 1 executed " + std::to_string(executed));
}

TEST("lost events and effects are counted up to a bound") {
  Wired bench;
  bench.chatter(limits::EVENTS);
  for (int count = 0; count < 300; count++) bench.order(set(LIGHT + 90, true));
  bench.acknowledge();
  bench.pin(RIGHT, true);
  bench.run(bench.time() + 1 * MS);
  CHECK_EQUAL(bench.events("overflow"), Words{"255 effects 15 executed " + std::to_string(int(bench.number))});
}

TEST("the answer to all-off names the report of lost events, which needs no event behind it") {
  for (bool expires : {false, true}) {
    Wired bench(1000);
    bench.order(arm(1, {{RIGHT | UP, pulse(VALVE, 1 * MS)}}));
    const int executed = bench.number;
    bench.chatter(limits::EVENTS + 20);
    bench.pin(RIGHT, true);
    bench.run(bench.time() + (expires ? 2 * S : 10 * MS));
    bench.send(wire::AllOff{wire::CODE_ALL_OFF, 5});
    uint16_t last = bench.heard(wire::CODE_ALL_OFF_DONE).back().as<wire::AllOffDone>().event;
    for (int count = 0; count < 40; count++) {
      bench.acknowledge();
      bench.run(bench.time() + 30 * MS);
    }
    Words events = bench.events();
    CHECK_EQUAL(int(last), int(events.size()));
    Words overflows = bench.events("overflow");
    CHECK_EQUAL(int(overflows.size()), 1);
    CHECK_EQUAL(effects(overflows[0]), "effects 2 executed " + std::to_string(executed));
    if (expires) CHECK_EQUAL(events.back(), "lease executed " + std::to_string(executed));
  }
}

TEST("the answer to all-off names a lease that waits for room, also if events are lost behind it") {
  Wired bench(1000);
  bench.order(set(LIGHT, true));
  const int executed = bench.number;
  bench.chatter(limits::EVENTS + 20);
  // Room for one event: the OVERFLOW goes before it, and the LEASE then has no room.
  bench.send(wire::EventAck{wire::CODE_EVENT_ACK, ++bench.journalled, 0});
  bench.pin(RIGHT, true);
  bench.run(bench.time() + 2 * S);
  bench.send(wire::AllOff{wire::CODE_ALL_OFF, 5});
  const uint16_t last = bench.heard(wire::CODE_ALL_OFF_DONE).back().as<wire::AllOffDone>().event;
  bench.pin(RIGHT, false);
  for (int count = 0; count < 40; count++) {
    bench.run(bench.time() + 30 * MS);
    bench.acknowledge();
  }
  CHECK_EQUAL(bench.events()[last - 1], "lease executed " + std::to_string(executed));
}

TEST("a board without room for edges still fires its reflexes, and refuses to arm over an edge that it lost") {
  Wired bench;
  bench.order(arm(1, {{RIGHT | UP, pulse(VALVE, 1 * MS)}}));
  bench.chatter(limits::EVENTS + 20);
  bench.pin(RIGHT, true);
  bench.run(bench.time() + 10 * US);
  CHECK(bench.is_on(VALVE));
  bench.acknowledge();
  const uint16_t last = bench.journalled;
  bench.order(arm(1, {{RIGHT | UP, pulse(VALVE, 1 * MS)}}), 1, last);
  bench.run(bench.time() + 1 * MS);
  CHECK_EQUAL(bench.events("refused"), Words{"0 newer_edge"});
}

TEST("an expired lease is reported although there is no room, and again however often it expires") {
  Wired bench(1000);
  bench.chatter(2 * limits::EVENTS);
  for (int count = 0; count < 4; count++) {
    bench.send(wire::GetHello{wire::CODE_GET_HELLO});
    bench.run(bench.time() + 2 * S);
  }
  for (int count = 0; count < 40; count++) {
    bench.acknowledge();
    bench.run(bench.time() + 30 * MS);
  }
  Words events = bench.events();
  CHECK_EQUAL(events[limits::EVENTS - 1].substr(0, 8), "overflow");
  CHECK_EQUAL(events[limits::EVENTS].substr(0, 5), "lease");
  bench.epoch = bench.heard(wire::CODE_LEASE).back().as<wire::Lease>().epoch;
  bench.number = 0;
  bench.order(set(LIGHT, true));
  CHECK(bench.is_on(LIGHT));
  bench.send(wire::GetHealth{wire::CODE_GET_HEALTH});
  CHECK_EQUAL(int(bench.heard(wire::CODE_HEALTH).back().as<wire::Health>().leases), 4);
}
