// SPDX-License-Identifier: BSD-3-Clause
//
// Tests of board.cpp and events.cpp: the protocol with the host.

#include "bench.h"
#include "check.h"
#include "host.h"
#include "limits.h"

namespace {

struct Wired : Bench {
  explicit Wired(uint16_t lease_ms = 60000) {
    open(1, lease_ms);
    wire();
  }
};

std::vector<int> codes(const Bench& bench, size_t from) {
  std::vector<int> found;
  for (size_t place = from; place < bench.messages.size(); place++) found.push_back(bench.messages[place].code());
  return found;
}

}  // namespace

TEST("a board says who it is and what it holds, unasked when it boots") {
  Bench bench;
  auto hello = bench.heard(wire::CODE_HELLO).front().as<wire::Hello>();
  CHECK_EQUAL(int(hello.solicited), 0);
  bench.send(wire::GetHello{wire::CODE_GET_HELLO});
  hello = bench.heard(wire::CODE_HELLO).back().as<wire::Hello>();
  CHECK_EQUAL(int(hello.solicited), 1);
  CHECK_EQUAL(int(hello.wire), int(wire::VERSION));
  CHECK_EQUAL(int(hello.tick_ns), 500);
  CHECK_EQUAL(int(hello.events), int(limits::EVENTS));
  CHECK_EQUAL(int(hello.channels), int(limits::CHANNELS));
}

TEST("a board that was not opened obeys nothing and says that it knows nobody") {
  Bench bench;
  bench.batch(0, 1, set(LIGHT, true), 1, 0);
  bench.send(wire::EventAck{wire::CODE_EVENT_ACK, 0, 1});
  bench.send(wire::GetTime{wire::CODE_GET_TIME, 0});
  CHECK_EQUAL(codes(bench, 0), (std::vector<int>(4, wire::CODE_HELLO)));
  CHECK(bench.changes.empty());
}

TEST("opening again with the same nonce changes nothing, with another it forgets the old session") {
  Wired bench;
  auto first = bench.heard(wire::CODE_OPENED).back().as<wire::Opened>();
  bench.order(set(LIGHT, true) + arm(1, {{LEFT | UP, set(SPEAKER, true)}}), 2);
  bench.run(1 * MS);
  bench.send(wire::Open{wire::CODE_OPEN, 1, 60000, 20});
  auto again = bench.heard(wire::CODE_OPENED).back().as<wire::Opened>();
  CHECK_EQUAL(int(again.epoch), int(first.epoch));
  CHECK_EQUAL(uint32_t(again.stamp), uint32_t(first.stamp));
  CHECK(bench.is_on(LIGHT));
  size_t before = bench.messages.size();
  bench.open(2);
  CHECK(!bench.anything_on());
  bench.pin(LEFT, true);
  bench.run(1 * S);
  CHECK(!bench.anything_on());
  CHECK_EQUAL(codes(bench, before), std::vector<int>{wire::CODE_OPENED});
}

TEST("a repeated batch is answered again and not executed again, one that is ahead is ignored") {
  Wired bench;
  bench.order(pulse(LIGHT, 10 * US));
  uint32_t stamp = bench.heard(wire::CODE_ACK).back().as<wire::Ack>().stamp;
  bench.run(1 * MS);
  bench.batch(bench.epoch, bench.number, pulse(LIGHT, 10 * US), 1, 0);
  CHECK_EQUAL(uint32_t(bench.heard(wire::CODE_ACK).back().as<wire::Ack>().stamp), stamp);
  size_t acks = bench.heard(wire::CODE_ACK).size();
  bench.batch(bench.epoch, bench.number + 2, pulse(LIGHT, 10 * US), 1, 0);
  bench.batch(bench.epoch, bench.number - 4, pulse(LIGHT, 10 * US), 1, 0);
  bench.batch(bench.epoch + 1, bench.number + 1, pulse(LIGHT, 10 * US), 1, 0);
  CHECK_EQUAL(bench.heard(wire::CODE_ACK).size(), acks);
  CHECK_EQUAL(bench.pins(LIGHT), "0:1 10:0");
  for (uint8_t back = 0; back < 4; back++) {
    bench.batch(bench.epoch, bench.number - back, nothing(), 1, 0);
    CHECK_EQUAL(int(bench.heard(wire::CODE_ACK).back().as<wire::Ack>().number), bench.number - back);
  }
}

TEST("batches are counted across the wrap of their number") {
  Wired bench;
  for (int count = 0; count < 300; count++) {
    CHECK_EQUAL(bench.order(set(LIGHT, true)), Words{});
    CHECK_EQUAL(bench.order(set(LIGHT, false)), Words{});
  }
  CHECK_EQUAL(bench.changes.size(), 600u);
}

TEST("short frames that come together are heard before what there is to report has gone") {
  Wired bench;
  size_t before = bench.messages.size();
  bench.pin(LEFT, true);
  bench.pin(RIGHT, true);
  Bytes frames;
  for (uint8_t ask = 1; ask <= 3; ask++) frames = frames + framed({wire::CODE_EVENT_ACK, 0, 0, ask});
  bench.say(frames);
  CHECK_EQUAL(codes(bench, before),
              (std::vector<int>{wire::CODE_KEEPALIVE_ACK, wire::CODE_KEEPALIVE_ACK, wire::CODE_KEEPALIVE_ACK,  //
                                wire::CODE_EDGE, wire::CODE_EDGE}));
}

TEST("a batch is answered behind what was refused of it, and the next one waits for that answer") {
  Wired bench;
  size_t before = bench.messages.size();
  Bytes batches;
  for (uint8_t number : {1, 2}) {
    Bytes head{wire::CODE_BATCH, bench.epoch, uint8_t(bench.number + number), 0, 0, 0, 0, 1};
    batches = batches + framed(head + set(LEFT, true));  // refused: LEFT is an input
  }
  bench.say(batches);
  CHECK_EQUAL(codes(bench, before),
              (std::vector<int>{wire::CODE_REFUSED, wire::CODE_ACK, wire::CODE_REFUSED, wire::CODE_ACK}));
}

TEST("batches of which nothing is refused, and an all off behind them, wait for no event of before") {
  Wired bench;
  size_t before = bench.messages.size();
  bench.pin(LEFT, true);
  bench.pin(RIGHT, true);
  Bytes frames;
  for (uint8_t number : {1, 2}) {
    Bytes head{wire::CODE_BATCH, bench.epoch, uint8_t(bench.number + number), 0, 0, 0, 0, 1};
    frames = frames + framed(head + set(LIGHT, true));
  }
  bench.say(frames + framed({wire::CODE_ALL_OFF, 9}));
  CHECK_EQUAL(codes(bench, before),  // ALL_OFF_DONE also acknowledges the second batch
              (std::vector<int>{wire::CODE_ACK, wire::CODE_ALL_OFF_DONE, wire::CODE_EDGE, wire::CODE_EDGE}));
}

TEST("a batch that cannot be read is refused whole and does not block the next") {
  const Bytes light = set(LIGHT, true);
  for (const Bytes& orders : {light, light + light + nothing(), light + Bytes{0x77}, light + Bytes{0x13}, Bytes{},
                              arm(1, {{LEFT, input(1, 2, 0, 0, 0, 0)}}) + light}) {
    Wired bench;
    bench.batch(bench.epoch, ++bench.number, orders, 2, 0);
    auto refused = bench.heard(wire::CODE_REFUSED).back().as<wire::Refused>();
    CHECK_EQUAL(int(refused.cause), int(wire::CAUSE_ORDER));
    CHECK_EQUAL(int(refused.part), 0xFF);
    CHECK_EQUAL(int(refused.by), int(bench.number));
    CHECK(bench.changes.empty());
    CHECK_EQUAL(bench.order(light), Words{});
    CHECK(bench.is_on(LIGHT));
  }
}

TEST("the lease expires exactly after the last good frame, and is reported with what had been executed") {
  Wired bench(2000);
  bench.order(set(LIGHT, true) + set(SPEAKER, true) + train(VALVE, 10 * MS, 20 * MS, 1000), 3);
  bench.order(arm(1, {{LEFT | UP, set(OTHER, true)}}) + load(1, {{3 * S, set(OTHER, true)}}) + start(1), 3);
  bench.at(1500 * MS, [&] { bench.send(wire::GetHello{wire::CODE_GET_HELLO}); });
  bench.at(1600 * MS, [&] { bench.say({5, 3, 1, 1, 0}); });
  bench.run(3500 * MS - 1);
  CHECK(bench.is_on(LIGHT));
  bench.run(3500 * MS);
  CHECK(!bench.anything_on());
  size_t driven = bench.changes.size();
  bench.script(LEFT, {4000 * MS});
  bench.run(10 * S);
  CHECK_EQUAL(bench.changes.size(), driven);
  CHECK_EQUAL(bench.events("lease"), Words{"executed " + std::to_string(bench.number)});
  bench.order(set(LIGHT, true));
  CHECK(!bench.anything_on());
  bench.epoch = bench.heard(wire::CODE_LEASE).back().as<wire::Lease>().epoch;
  bench.number = 0;
  CHECK_EQUAL(bench.order(set(LIGHT, true)), Words{});
  CHECK(bench.is_on(LIGHT));
}

TEST("all off is idempotent, is last, and names the last event and batch") {
  Wired bench;
  bench.order(set(LIGHT, true) + pulse(VALVE, 90 * MS), 2);
  bench.run(10 * MS);
  for (uint64_t ms : {10, 20, 900}) bench.at(ms * MS, [&] { bench.send(wire::AllOff{wire::CODE_ALL_OFF, 5}); });
  bench.run(1 * S);
  auto answers = bench.heard(wire::CODE_ALL_OFF_DONE);
  CHECK_EQUAL(answers.size(), 3u);
  CHECK(answers[0].payload == answers[1].payload && answers[1].payload == answers[2].payload);
  auto safe = answers[0].as<wire::AllOffDone>();
  CHECK_EQUAL(int(safe.event), 2);
  CHECK_EQUAL(int(safe.executed), int(bench.number));
  CHECK_EQUAL(bench.events(), (Words{"on valve by order 5 1 at 0", "done valve stopped at 10000"}));
  for (uint8_t epoch : {bench.epoch, safe.epoch}) {
    for (uint8_t number : {uint8_t(bench.number + 1), uint8_t(1)}) bench.batch(epoch, number, set(LIGHT, true), 1, 0);
  }
  CHECK(!bench.anything_on());
  bench.pin(LEFT, true);
  bench.run(bench.time() + 100 * S);
  CHECK_EQUAL(bench.events().size(), 3u);
  CHECK(bench.heard(wire::CODE_LEASE).empty());
  bench.open(2);
  bench.wire();
  bench.order(set(LIGHT, true));
  CHECK(bench.is_on(LIGHT));
}

TEST("all off is obeyed although orders stand before it in the same bytes") {
  Wired bench;
  Bytes bytes;
  for (uint8_t count = 1; count <= 3; count++) {
    const Bytes head{wire::CODE_BATCH, bench.epoch, uint8_t(bench.number + count), 0, 0, 0, 0, 1};
    bytes = bytes + framed(head + set(LIGHT, true));
  }
  bench.say(bytes + framed({wire::CODE_ALL_OFF, 9}));
  CHECK(!bench.anything_on());
  CHECK_EQUAL(int(bench.heard(wire::CODE_ALL_OFF_DONE).back().as<wire::AllOffDone>().executed), bench.number + 3);
}

TEST("an event is repeated with growing pauses until it is acknowledged") {
  Wired bench;
  bench.script(LEFT, {1 * MS});
  bench.run(3 * S);
  std::vector<int> pauses;
  auto edges = bench.heard(wire::CODE_EDGE);
  for (size_t place = 1; place < edges.size(); place++) pauses.push_back((edges[place].at - edges[place - 1].at) / MS);
  CHECK_EQUAL(pauses, (std::vector<int>{20, 40, 80, 160, 320, 500, 500, 500, 500}));
  bench.acknowledge();
  size_t said = bench.messages.size();
  bench.run(5 * S);
  CHECK_EQUAL(bench.messages.size(), said);
  bench.at(5 * S, [&] { bench.pin(LEFT, false); });
  bench.run(5 * S + 25 * MS);
  CHECK_EQUAL(bench.heard(wire::CODE_EDGE).size(), edges.size() + 2);
  bench.send(wire::GetHealth{wire::CODE_GET_HEALTH});
  CHECK_EQUAL(int(bench.heard(wire::CODE_HEALTH).back().as<wire::Health>().resent), int(edges.size()));
}

TEST("acknowledging some keeps the others, what was never sent nothing") {
  Wired bench;
  bench.script(LEFT, {100 * US, 200 * US, 300 * US, 400 * US});
  bench.run(500 * US);
  for (uint16_t wrong : {5, 300, 0x8000, 0xFFFF}) bench.send(wire::EventAck{wire::CODE_EVENT_ACK, wrong, 0});
  bench.send(wire::EventAck{wire::CODE_EVENT_ACK, 2, 0});
  size_t before = bench.messages.size();
  bench.run(25 * MS);
  std::vector<int> again;
  for (size_t place = before; place < bench.messages.size(); place++) again.push_back(bench.messages[place].payload[1]);
  CHECK_EQUAL(again, (std::vector<int>{3, 4}));
}

TEST("a keep-alive is answered with the time") {
  Wired bench;
  bench.run(7 * MS);
  bench.send(wire::EventAck{wire::CODE_EVENT_ACK, 0, 3});
  auto alive = bench.heard(wire::CODE_KEEPALIVE_ACK).back().as<wire::KeepaliveAck>();
  CHECK_EQUAL(int(alive.keepalive_id), 3);
  CHECK_EQUAL(uint32_t(alive.stamp), 7 * MS);
}

TEST("events are numbered and acknowledged across the wrap") {
  Wired bench;
  for (uint32_t count = 0; count < 0x10010; count++) {
    bench.send(wire::GetTime{wire::CODE_GET_TIME, bench.journalled});
    auto time = bench.messages.back().as<wire::Time>();
    CHECK_EQUAL(uint16_t(time.number), uint16_t(bench.journalled + 1));
    bench.journalled++;
    bench.messages.clear();
  }
}

TEST("a frame of no known shape counts as damaged, and renews nothing") {
  for (const Bytes& payload : {Bytes{4, 1}, Bytes{5, 1, 2, 3}, Bytes{0x7F, 1, 2}, Bytes(10, 0x91), Bytes{3, 1, 2, 3}}) {
    Wired bench(1000);
    bench.order(set(LIGHT, true));
    bench.at(900 * MS, [&] { bench.say(framed(payload)); });
    bench.run(1000 * MS);
    CHECK(!bench.anything_on());
    bench.send(wire::GetHealth{wire::CODE_GET_HEALTH});
    CHECK_EQUAL(int(bench.heard(wire::CODE_HEALTH).back().as<wire::Health>().damaged), 1);
  }
}

TEST("the counters begin anew with a session") {
  Wired bench;
  bench.order(set(VALVE, true) + pulse(VALVE, 1), 2);
  bench.say({3, 1, 7, 0});
  bench.run(1 * S);
  bench.send(wire::GetHealth{wire::CODE_GET_HEALTH});
  auto health = bench.heard(wire::CODE_HEALTH).back().as<wire::Health>();
  CHECK_EQUAL(int(health.limits), 1);
  CHECK_EQUAL(int(health.refused), 1);
  CHECK_EQUAL(int(health.damaged), 1);
  bench.open(2);
  bench.send(wire::GetHealth{wire::CODE_GET_HEALTH});
  health = bench.heard(wire::CODE_HEALTH).back().as<wire::Health>();
  CHECK_EQUAL(health.limits + health.refused + health.damaged + health.resent + health.lost + health.leases, 0);
}
