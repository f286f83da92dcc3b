// SPDX-License-Identifier: BSD-3-Clause
//
// What the board has sent and done on a bench, as text.

#include <algorithm>

#include "bench.h"

namespace {

const char* const NAMES[] = {"left", "right", "valve", "other", "light", "speaker", "one", "two", "lamp"};
const char* const REASONS[] = {"", "newer_edge", "busy", "no_room", "unknown", "too_long", "past", "interlock"};
const char* const WHYS[] = {"finished", "stopped", "limit"};

std::string name_of(uint8_t channel) { return channel < 9 ? NAMES[channel] : std::to_string(channel); }

}  // namespace

std::string text_of(uint8_t cause, uint8_t by, uint8_t part) {
  std::string number = std::to_string(by) + " ";
  if (cause == wire::CAUSE_REFLEX) return "reflex " + number + name_of(part & 0x7F) + (part & 0x80 ? " 1" : " 0");
  return (cause == wire::CAUSE_SEQUENCE ? "sequence " : "order ") + number + std::to_string(part);
}

std::string text_of(const wire::Refused& message) {
  std::string reason = std::string(" ") + REASONS[message.reason];
  if (message.cause == wire::CAUSE_ORDER) return std::to_string(message.part) + reason;
  return text_of(message.cause, message.by, message.part) + reason + " at " + std::to_string(message.stamp / US);
}

Words Bench::events() const {
  std::map<uint16_t, std::string> all;
  auto us = [](uint32_t stamp) { return " at " + std::to_string(stamp / US); };
  for (const Message& message : messages) {
    if (message.code() < wire::FIRST_EVENT) continue;
    uint16_t event = message.payload[1] | message.payload[2] << 8;
    std::string text;
    if (message.code() == wire::CODE_EDGE) {
      auto edge = message.as<wire::Edge>();
      text = "edge " + name_of(edge.channel & 0x7F) + (edge.channel & 0x80 ? " 1" : " 0") + " fired " +
             std::to_string(edge.fired) + us(edge.stamp);
    } else if (message.code() == wire::CODE_TIME) {
      text = "time" + us(message.as<wire::Time>().stamp);
    } else if (message.code() == wire::CODE_STARTED) {
      auto started = message.as<wire::Started>();
      text = "started " + std::to_string(started.sequence) + us(started.stamp);
    } else if (message.code() == wire::CODE_DONE) {
      auto done = message.as<wire::Done>();
      text = "done " + name_of(done.channel) + " " + WHYS[done.why] + us(done.stamp);
    } else if (message.code() == wire::CODE_ON) {
      auto on = message.as<wire::On>();
      text = "on " + name_of(on.channel) + " by " + text_of(on.cause, on.by, on.part) + us(on.stamp);
    } else if (message.code() == wire::CODE_REFUSED) {
      text = "refused " + text_of(message.as<wire::Refused>());
    } else if (message.code() == wire::CODE_LEASE) {
      text = "lease executed " + std::to_string(message.as<wire::Lease>().executed);
    } else if (message.code() == wire::CODE_PANIC) {
      auto panic = message.as<wire::Panic>();
      text = "panic executed " + std::to_string(panic.executed) + us(panic.stamp);
    } else if (message.code() == wire::CODE_OVERFLOW) {
      auto overflow = message.as<wire::Overflow>();
      text = "overflow " + std::to_string(overflow.lost) + " effects " + std::to_string(overflow.effects);
      if (overflow.effects) text += " executed " + std::to_string(overflow.executed);
    }
    all[event] = text;
  }
  Words found;
  for (const auto& one : all) found.push_back(one.second);
  return found;
}

Words Bench::events(const std::string& kind) const {
  Words found;
  for (const std::string& text : events()) {
    if (text.compare(0, kind.size(), kind) == 0) found.push_back(text.substr(std::min(text.size(), kind.size() + 1)));
  }
  return found;
}

Words Bench::openings() {
  Words found;
  for (uint8_t place = 0, kept = 1; place < kept; place++) {
    send(wire::GetOpening{wire::CODE_GET_OPENING, place});
    auto one = heard(wire::CODE_OPENING).back().as<wire::Opening>();
    kept = one.kept;
    if (!kept) break;
    std::string text =
        std::to_string(one.number) + " " + name_of(one.channel) + " at " + std::to_string(one.stamp / US);
    text += one.flags == wire::OPENING_CUT ? " cut" : " for " + std::to_string(one.ticks / US);
    found.insert(found.begin(), text + (one.flags == wire::OPENING_OPEN ? " so far" : ""));
  }
  return found;
}

std::string Bench::pins(uint8_t channel) const {
  std::string text;
  for (const Change& change : changes) {
    if (change.pin != channel + 10) continue;
    text += (text.empty() ? "" : " ") + std::to_string(change.at / US) + ":" + std::to_string(change.value);
  }
  return text;
}

std::string Bench::pins() const {
  std::string text;
  for (const Change& change : changes) {
    text += (text.empty() ? "" : " ") + std::to_string(change.at / US) + ":" + name_of(change.pin - 10) + ":" +
            std::to_string(change.value);
  }
  return text;
}

bool Bench::is_on(uint8_t channel) const {
  int value = channel == LAMP;
  for (const Change& change : changes) {
    if (change.pin == channel + 10) value = change.value;
  }
  return channel == LAMP ? !value : value;
}

bool Bench::anything_on() const {
  for (uint8_t channel = VALVE; channel <= LAMP; channel++) {
    if (is_on(channel)) return true;
  }
  return false;
}
