// SPDX-License-Identifier: BSD-3-Clause
//
// Tests of frame.cpp and of the parsing of orders.

#include <fstream>
#include <sstream>

#include "bench.h"
#include "check.h"
#include "frame.h"
#include "host.h"
#include "orders.h"

namespace {

Bytes of_hex(const std::string& text) {
  Bytes bytes;
  for (size_t place = 0; place + 1 < text.size(); place += 2) {
    bytes.push_back(std::stoi(text.substr(place, 2), nullptr, 16));
  }
  return bytes;
}

struct Vector {
  std::string name;
  Bytes payload, frame;
};

// Read the examples of vectors.txt. The Python codec is tested with the same file.
std::vector<Vector> vectors() {
  std::ifstream file(VECTORS);
  std::vector<Vector> found;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    Vector vector;
    std::string fields, payload, frame;
    words >> vector.name >> fields >> payload >> frame;
    vector.payload = of_hex(payload);
    vector.frame = of_hex(frame);
    found.push_back(vector);
  }
  return found;
}

bool fits(const Vector& vector) { return vector.payload.size() + 2 <= limits::FRAME_BYTES; }

Bytes fed(frame::Deframer& deframer, const Bytes& bytes) {
  Bytes found;
  for (uint8_t byte : bytes) {
    stub::to_board.push_back(byte);
    if (uint8_t length = deframer.read()) found.assign(deframer.payload(), deframer.payload() + length);
  }
  return found;
}

}  // namespace

TEST("every example is framed as the host frames it") {
  CHECK(vectors().size() > 80);
  for (const Vector& vector : vectors()) {
    stub::reset(0);
    frame::send(vector.payload.data(), vector.payload.size());
    CHECK(Bytes(stub::to_host.begin(), stub::to_host.end()) == vector.frame);
    CHECK_EQUAL(int(frame::framed_size(vector.payload.size())), int(vector.frame.size()));
  }
}

TEST("every example is understood") {
  frame::Deframer deframer = {};
  for (const Vector& vector : vectors()) {
    if (fits(vector)) CHECK(fed(deframer, vector.frame) == vector.payload);
  }
  CHECK_EQUAL(deframer.damaged, 0);
}

TEST("every batch of the examples can be read, and none that is longer or shorter") {
  for (const Vector& vector : vectors()) {
    if (vector.name.compare(0, 6, "BATCH/")) continue;
    const uint8_t* orders = vector.payload.data() + sizeof(wire::Batch);
    uint8_t length = vector.payload.size() - sizeof(wire::Batch), count = vector.payload[7] & ~wire::MORE_FRAMES;
    CHECK(orders::check(orders, length, count));
    CHECK(!orders::check(orders, length, count + 1));
    CHECK(!orders::check(orders, length, count - 1));
    CHECK(!orders::check(orders, length - 1, count));
  }
}

TEST("a flipped bit, a lost byte and a doubled byte are damage, and the next frame is understood") {
  for (const Vector& vector : vectors()) {
    if (!fits(vector)) continue;
    for (size_t place = 0; place + 1 < vector.frame.size(); place++) {
      for (int how = 0; how < 10; how++) {
        Bytes bad = vector.frame;
        if (how < 8) bad[place] ^= 1 << how;
        if (how == 8) bad.erase(bad.begin() + place);
        if (how == 9) bad.insert(bad.begin() + place, bad[place]);
        frame::Deframer deframer = {};
        Bytes found = fed(deframer, bad);
        CHECK(found.empty());
        CHECK(deframer.damaged >= 1);
        CHECK(fed(deframer, vector.frame) == vector.payload);
      }
    }
  }
}

TEST("a run of rubbish is one damaged frame, zeros are none") {
  frame::Deframer deframer = {};
  fed(deframer, Bytes(5000, 0xFF));
  fed(deframer, Bytes(20, 0));
  CHECK_EQUAL(deframer.damaged, 1);
  fed(deframer, {1, 1, 1, 0});
  CHECK_EQUAL(deframer.damaged, 2);
}
