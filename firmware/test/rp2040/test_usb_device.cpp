// SPDX-License-Identifier: BSD-3-Clause
//
// Tests of targets/rp2040/usb_device.cpp: the descriptors, and the requests on endpoint 0. The host here makes whole
// requests, as USB 2.0, 8.5.3 (Control Transfers) has them; usb_host.js makes them on the simulated controller.

#include "../../targets/rp2040/usb_device.h"

#include <algorithm>
#include <random>
#include <string>

#include "../check.h"

namespace {

using usb::Setup;
using usb::Step;
typedef std::vector<uint8_t> Bytes;

const uint8_t NUMBER[] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF};
const Bytes CODING_1200 = {0xB0, 0x04, 0, 0, 0, 0, 8}, CODING_500K = {0x20, 0xA1, 0x07, 0, 0, 0, 8};

// What became of a request: refused, or the data for the host; and its packets.
struct Result {
  bool stalled;
  Bytes data;
  std::vector<size_t> packets;
};

// Make a whole request, and check each toggle and length. `data` goes to the device.
Result request(uint8_t type, uint8_t code, uint16_t value, uint16_t index, uint16_t length, const Bytes& data = {}) {
  Result result{false, {}, {}};
  Step step = usb::answer(Setup{type, code, value, index, length});
  bool toggle = true;
  size_t given = 0;
  while (step.kind != Step::WAIT) {
    const bool is_status = step.kind == Step::SEND ? !(type & 0x80) || !length : !!(type & 0x80);
    if (step.kind == Step::STALL) {
      result.stalled = true;
      return result;
    }
    CHECK_EQUAL(step.data_1, is_status || toggle);
    toggle = !toggle;
    if (is_status) {
      CHECK_EQUAL(int(step.length), 0);
      step = step.kind == Step::SEND ? usb::on_sent() : usb::on_received(nullptr, 0);
      CHECK(step.kind == Step::WAIT);
    } else if (step.kind == Step::SEND) {
      CHECK(step.length <= usb::PACKET_BYTES);
      result.data.insert(result.data.end(), step.bytes, step.bytes + step.length);
      result.packets.push_back(step.length);
      step = usb::on_sent();
    } else {
      const size_t size = std::min<size_t>(usb::PACKET_BYTES, data.size() - given);
      step = usb::on_received(data.data() + given, size);
      given += size;
    }
  }
  CHECK(result.data.size() <= length);
  return result;
}

Result descriptor(uint8_t kind, uint8_t index, uint16_t length) {
  return request(0x80, 6, kind << 8 | index, kind == 3 && index ? 0x0409 : 0, length);
}

std::string text(uint8_t index) {
  const Bytes found = descriptor(3, index, 255).data;
  CHECK_EQUAL(size_t(found[0]), found.size());
  std::string text;
  for (size_t place = 2; place < found.size(); place += 2) {
    text += char(found[place]);
    CHECK_EQUAL(int(found[place + 1]), 0);
  }
  return text;
}

void plug_in() {
  usb::begin(NUMBER);
  for (uint8_t endpoint : {usb::NOTIFICATIONS, usb::DATA_OUT, usb::DATA_IN}) usb::take_restart(endpoint);
}

bool configure() { return !request(0, 9, 1, 0, 0).stalled; }
bool set_line(bool on) { return !request(0x21, 0x22, on, 0, 0).stalled; }
bool set_coding(const Bytes& coding) { return !request(0x21, 0x20, 0, 0, 7, coding).stalled; }
Bytes status_of(uint8_t endpoint) { return request(0x82, 0, 0, endpoint, 2).data; }

}  // namespace

TEST("the device tells who it is") {
  plug_in();
  const Bytes device = descriptor(1, 0, 64).data;
  CHECK_EQUAL(device.size(), size_t(18));
  CHECK_EQUAL(Bytes(device.begin() + 8, device.begin() + 12), (Bytes{0x8A, 0x2E, 0x0A, 0x00}));
  CHECK_EQUAL(descriptor(3, 0, 255).data, (Bytes{4, 3, 9, 4}));
  CHECK_EQUAL(text(device[14]), std::string("rig"));
  CHECK_EQUAL(text(device[15]), std::string("rig board"));
  CHECK_EQUAL(text(device[16]), std::string("0123456789ABCDEF"));
}

TEST("the configuration is a chain of descriptors with both interfaces and all endpoints") {
  plug_in();
  const Bytes all = descriptor(2, 0, 0xFFFF).data;
  CHECK_EQUAL(all.size(), size_t(all[2] | all[3] << 8));
  std::vector<int> interfaces, endpoints;
  size_t place = 0;
  for (; place < all.size(); place += all[place]) {
    CHECK(all[place] >= 2);
    if (all[place] < 2) return;
    if (all[place + 1] == 4) interfaces.push_back(all[place + 5]);
    if (all[place + 1] == 5) endpoints.push_back(all[place + 2]);
  }
  CHECK_EQUAL(place, all.size());
  CHECK_EQUAL(int(all[4]), 2);
  CHECK_EQUAL(interfaces, (std::vector<int>{2, 10}));
  CHECK_EQUAL(endpoints, (std::vector<int>{usb::NOTIFICATIONS, usb::DATA_OUT, usb::DATA_IN}));
}

TEST("data are cut at the length that was asked for, and otherwise end with a short packet") {
  plug_in();
  const Bytes all = descriptor(2, 0, 255).data;
  typedef std::vector<size_t> Sizes;
  CHECK_EQUAL(descriptor(2, 0, 255).packets, (Sizes{64, 3}));
  CHECK_EQUAL(descriptor(2, 0, 67).packets, (Sizes{64, 3}));
  CHECK_EQUAL(descriptor(2, 0, 66).packets, (Sizes{64, 2}));
  CHECK_EQUAL(descriptor(2, 0, 64).packets, (Sizes{64}));
  CHECK_EQUAL(descriptor(2, 0, 9).data, Bytes(all.begin(), all.begin() + 9));
  CHECK_EQUAL(descriptor(2, 0, 0).packets, Sizes{});
}

TEST("an address counts when its request has ended, and not if that is broken off") {
  plug_in();
  usb::answer(Setup{0, 5, 9, 0, 0});
  CHECK_EQUAL(int(usb::address()), 0);
  CHECK_EQUAL(request(0x80, 8, 0, 0, 1).data, Bytes{0});
  CHECK_EQUAL(int(usb::address()), 0);
  request(0, 5, 9, 0, 0);
  CHECK_EQUAL(int(usb::address()), 9);
  CHECK(request(0, 5, 128, 0, 0).stalled);
  usb::reset();
  CHECK_EQUAL(int(usb::address()), 0);
}

TEST("a configuration starts all endpoints, and another one is refused") {
  plug_in();
  CHECK(request(0, 9, 2, 0, 0).stalled);
  CHECK(!usb::is_configured() && !usb::take_restart(usb::DATA_IN));
  CHECK(configure() && usb::is_configured());
  CHECK_EQUAL(request(0x80, 8, 0, 0, 1).data, Bytes{1});
  CHECK(usb::take_restart(usb::DATA_IN) && usb::take_restart(usb::DATA_OUT) && usb::take_restart(usb::NOTIFICATIONS));
  CHECK(!usb::take_restart(usb::DATA_IN));
  CHECK(!request(0, 9, 0, 0, 0).stalled && !usb::is_configured());
  CHECK_EQUAL(request(0x80, 8, 0, 0, 1).data, Bytes{0});
}

TEST("a halt stays until it is cleared, and both restart the endpoint") {
  plug_in();
  CHECK(request(2, 3, 0, usb::DATA_IN, 0).stalled);
  configure();
  usb::take_restart(usb::DATA_IN);
  CHECK(!request(2, 3, 0, usb::DATA_IN, 0).stalled);
  CHECK(usb::is_halted(usb::DATA_IN) && !usb::is_halted(usb::DATA_OUT) && usb::take_restart(usb::DATA_IN));
  CHECK_EQUAL(status_of(usb::DATA_IN), (Bytes{1, 0}));
  CHECK_EQUAL(status_of(usb::DATA_OUT), (Bytes{0, 0}));
  CHECK(!request(2, 1, 0, usb::DATA_IN, 0).stalled);
  CHECK(!usb::is_halted(usb::DATA_IN) && usb::take_restart(usb::DATA_IN));
  CHECK(request(2, 3, 0, 0x03, 0).stalled);
  CHECK(request(2, 3, 1, usb::DATA_IN, 0).stalled);
  request(2, 3, 0, usb::DATA_OUT, 0);
  configure();
  CHECK(!usb::is_halted(usb::DATA_OUT));
}

TEST("a status is that of the device, of an interface or of an endpoint") {
  plug_in();
  CHECK_EQUAL(request(0x80, 0, 0, 0, 2).data, (Bytes{0, 0}));
  CHECK_EQUAL(status_of(0x80), (Bytes{0, 0}));
  CHECK(request(0x81, 0, 0, 0, 2).stalled);
  CHECK(request(0x82, 0, 0, usb::DATA_IN, 2).stalled);
  configure();
  CHECK_EQUAL(request(0x81, 0, 0, 1, 2).data, (Bytes{0, 0}));
  CHECK(request(0x81, 0, 0, 2, 2).stalled);
  CHECK(request(0x82, 0, 0, 0x84, 2).stalled);
}

TEST("the port is open while it is configured and its line is on") {
  plug_in();
  CHECK(!set_line(true) && !usb::is_open());
  configure();
  CHECK(!usb::is_open());
  CHECK(set_line(true) && usb::is_open());
  CHECK(set_line(false) && !usb::is_open());
  set_line(true);
  usb::reset();
  CHECK(!usb::is_open());
  configure();
  CHECK(!usb::is_open());
}

TEST("the line coding is kept as the host sets it") {
  plug_in();
  configure();
  CHECK_EQUAL(request(0xA1, 0x21, 0, 0, 7).data, (Bytes{0x00, 0xC2, 0x01, 0x00, 0, 0, 8}));
  CHECK(set_coding(CODING_500K));
  CHECK_EQUAL(request(0xA1, 0x21, 0, 0, 7).data, CODING_500K);
  CHECK(request(0x21, 0x20, 0, 0, 7, {1, 2, 3}).stalled);
  CHECK(request(0x21, 0x20, 0, 0, 8, Bytes(8, 1)).stalled);
  CHECK_EQUAL(request(0xA1, 0x21, 0, 0, 7).data, CODING_500K);
}

TEST("1200 baud and a line that is off ask for the bootloader, when the request has ended") {
  plug_in();
  configure();
  set_line(true);
  set_coding(CODING_1200);
  CHECK(!usb::is_bootloader_requested());
  const Step step = usb::answer(Setup{0x21, 0x22, 0, 0, 0});
  CHECK(step.kind == Step::SEND && !usb::is_bootloader_requested());
  usb::on_sent();
  CHECK(usb::is_bootloader_requested());
  usb::reset();
  CHECK(!usb::is_bootloader_requested());
  configure();
  set_coding(CODING_500K);
  set_line(false);
  CHECK(!usb::is_bootloader_requested());
}

TEST("other requests are refused") {
  plug_in();
  configure();
  const Setup others[] = {{0x80, 6, 0x0600, 0, 10}, {0x80, 6, 0x0201, 0, 9}, {0x80, 6, 0x0304, 0, 255},
                          {0x00, 7, 0x0100, 0, 18}, {0x81, 10, 0, 0, 1},     {0x01, 11, 1, 0, 0},
                          {0x82, 12, 0, 0x82, 2},   {0x21, 0x23, 0, 0, 0},   {0xC0, 1, 0, 0, 8},
                          {0x40, 1, 0, 0, 8},       {0x00, 3, 1, 0, 0}};
  for (const Setup& setup : others) CHECK(usb::answer(setup).kind == Step::STALL);
  CHECK(usb::is_configured());
}

// A host of any kind: random requests, at random stages of others, with completions that no buffer asked for.
TEST("no sequence of packets makes the device send more than is asked for, or leave its memory") {
  std::mt19937 random(1);
  auto any = [&](uint32_t below) { return random() % below; };
  plug_in();
  const uint8_t types[] = {0x00, 0x01, 0x02, 0x20, 0x21, 0x80, 0x81, 0x82, 0xA0, 0xA1};
  const uint8_t codes[] = {0, 1, 3, 5, 6, 8, 9, 0x20, 0x21, 0x22};
  uint32_t asked = 0, sent = 0, checksum = 0;
  for (uint32_t count = 0; count < 100000; count++) {
    Setup setup = {uint8_t(any(3) ? types[any(10)] : any(256)), uint8_t(any(3) ? codes[any(10)] : any(256)),
                   uint16_t(any(2) ? any(4) << 8 | any(4) : random()), uint16_t(any(2) ? any(4) : random()),
                   uint16_t(any(2) ? any(140) : random())};
    asked = setup.length;
    sent = 0;
    Step step = usb::answer(setup);
    for (uint32_t left = any(6); left; left--) {
      CHECK(step.length <= usb::PACKET_BYTES);
      if (step.kind == Step::SEND) {
        for (uint8_t place = 0; place < step.length; place++) checksum += step.bytes[place];
        sent += step.length;
        CHECK(sent <= asked);
      }
      const Bytes bytes(any(usb::PACKET_BYTES + 1), random());
      step = any(2) ? usb::on_sent() : usb::on_received(bytes.data(), bytes.size());
    }
    CHECK(usb::address() < 128);
    if (!any(50)) usb::reset();
  }
  CHECK(checksum);
}
