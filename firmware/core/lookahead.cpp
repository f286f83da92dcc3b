// SPDX-License-Identifier: BSD-3-Clause

#include "lookahead.h"

#include "timer_queue.h"
#include "edge_isr.h"
#include "inputs.h"
#include "outputs.h"
#include "reflexes.h"
#include "sequences.h"
#include "ticks.h"

namespace aims {

volley::Aim edges[limits::CHANNELS];

namespace {

uint8_t first_unknown, beyond_unknown;  // of the edges: none is that lies outside

constexpr uint16_t SOON = 3 * ticks::PER_MS;        // nothing further ahead is aimed:
constexpr uint16_t IN_TIME = 2500 * ticks::PER_US;  // its turn comes so long before it is due
constexpr uint16_t SOON_AFTER = ticks::PER_MS;      // of a sequence that is aimed, what comes so soon after is, too

void forget_edge(uint8_t input) {
  eyes::shut(inputs::pin_of(input));
  edges[input].known = 0;
  if (input < first_unknown) first_unknown = input;
  if (input >= beyond_unknown) beyond_unknown = input + 1;
}

bool is_sequence(uint8_t who) { return who >= agenda::FIRST_SEQUENCE && who < agenda::SIZE; }

// Find out what the next edge of an input does. It is known from now on, if nothing has happened meanwhile.
volley::Aim find_out_edge(uint8_t channel) {
  const Input& input = channels[channel].input;
  uint8_t place = channel | (input.level ? 0 : wire::LEVEL);
  volley::Aim aim = volley::nothing(true);
  if (const Deed* deed = reflexes::aim(place, input.pending() ? input.changed : hal::now(), aim)) {
    outputs::aim(*deed, aim);
  }
  bool opens = aim.mask && !aim.opaque && inputs::is_resting(channel);
  hal::Pin pin = inputs::pin_of(channel);
  bool level = input.raw != input.inverted;
  hal::InterruptsOff off;
  if (hal::was_off(pin, level)) return aim;
  edges[channel] = aim;
  if (!opens) return aim;
  bool waits = input.locked || inputs::confirmation_of_next(input) || reflexes::is_bounded(aim.group);
  eyes::open(channel, pin, level, waits ? eyes::LATER : aim.port < volley::START ? eyes::IN_HAND : eyes::AT_ONCE);
  return aim;
}

// Tell whether the group that it ends lasts until then.
bool lasts(const volley::Aim& aim, uint32_t stamp) {
  return !aim.known || aim.group == volley::NO_GROUP || reflexes::lasts(aim.group, stamp);
}

// Aim a sequence at all that it does within so many ticks after its turn; false when there is no room for what comes
// later than that.
bool add_all(uint8_t who, uint16_t at, uint16_t within) {
  volley::drop(who);
  for (uint8_t nth = 0;; nth++) {
    volley::Aim aim;
    uint16_t after = sequences::aim(who - agenda::FIRST_SEQUENCE, nth, within, aim);
    if (after == sequences::NOTHING_MORE) return true;
    if (after && !volley::has_room()) return false;
    if (!volley::add(who, at + after, aim)) return true;
  }
}

// Aim a sequence whose time comes at all that it does then, as one, and at what it does soon after: the books of what
// was fired may not be kept by then. Also at what does nothing to a pin, for they are kept in turn.
void add_sequence(uint8_t who, uint16_t at) {
  volley::hold();
  if (!add_all(who, at, SOON_AFTER)) add_all(who, at, 0);
  volley::let_go();
}

void add(uint8_t who, uint32_t due) {
  if (is_sequence(who)) {
    add_sequence(who, due);
    return;
  }
  volley::Aim aim = of(who);
  if (!aim.matters()) {
    volley::drop(who);
    return;
  }
  if (volley::aim_again(who, aim)) return;
  if (!inputs::is_input(who)) {
    volley::add(who, due, aim);
    return;
  }
  hal::Pin pin = inputs::pin_of(who);
  bool level = channels[who].input.raw != channels[who].input.inverted;
  hal::InterruptsOff off;
  if (hal::was_off(pin, level) || volley::waits(who) != volley::NOT_AT_ALL) return;  // it has gone back, or was seen
  if (volley::add(who, due, aim)) eyes::open(who, pin, level, eyes::LATER);
}

// Tell whether it has a turn of which something can be known beforehand.
bool can_be_aimed(uint8_t who) {
  return agenda::is_final(who) && !concerns_nobody(who);
}

// Aim whoever has not been aimed.
void aim_at(uint8_t who, uint32_t due) {
  if (can_be_aimed(who) && volley::waits(who) != volley::AIMED) add(who, due);
}

}  // namespace

bool concerns_nobody(uint8_t who) {
  if (!inputs::is_input(who)) return false;
  if (!channels[who].input.pending() || (edges[who].known && !edges[who].matters())) return true;
  return !inputs::will_report(who, agenda::due(who));
}

volley::Aim of(uint8_t who) {
  volley::Aim aim = volley::nothing(true);
  if (!can_be_aimed(who)) return aim;
  if (inputs::is_input(who)) {
    bool is_known = edges[who].known && lasts(edges[who], channels[who].input.changed);
    return is_known ? edges[who] : find_out_edge(who);
  }
  if (is_sequence(who)) {
    sequences::aim(who - agenda::FIRST_SEQUENCE, 0, 0, aim);
  } else {
    outputs::aim(who, aim);
  }
  return aim;
}

void doubt(uint8_t input) {
  forget_edge(input);
  volley::doubt(input);
}

void forget(uint8_t input) {
  forget_edge(input);
  volley::drop(input);
}

void doubt_output(uint8_t channel) {
  bool exclusive = channels[channel].output.exclusive;
  volley::doubt_output(channel, exclusive);
  for (uint8_t input = 0; input < inputs::top; input++) {
    const volley::Aim& aim = edges[input];
    if (aim.channel == channel || (exclusive && aim.exclusive)) forget_edge(input);
  }
}

bool find_out() {
  for (; first_unknown < beyond_unknown; first_unknown++) {
    if (edges[first_unknown].known || !inputs::is_input(first_unknown)) continue;
    find_out_edge(first_unknown);
    return true;
  }
  beyond_unknown = 0;
  return false;
}

void look_at(uint8_t who) {
  if (!agenda::has(who) || !volley::has_room()) return;
  uint32_t due = agenda::due(who);
  if (ticks::before(due, hal::now() + SOON)) aim_at(who, due);
}

uint32_t look_ahead(uint8_t who) {
  uint32_t now = hal::now(), wake = now + ticks::HORIZON;
  for (; who != agenda::NOBODY; who = agenda::behind(who)) {
    uint32_t due = agenda::due(who);
    bool is_near = ticks::before(due, now + SOON);
    uint32_t turn = is_near ? due : due - IN_TIME;
    if (ticks::before(turn, wake)) wake = turn;
    if (!is_near) break;
    aim_at(who, due);
  }
  return wake;
}

}  // namespace aims

void reflexes::on_change(uint8_t channel) { aims::doubt(channel); }

void inputs::on_unlocked(uint8_t channel) { aims::doubt(channel); }

void outputs::on_change(uint8_t channel) {
  aims::doubt_output(channel);
  volley::close(channel);  // the end of its pulse may have been fired, and is nothing any more
}

void outputs::on_begun(uint8_t channel) { aims::look_at(channel); }

bool reflexes::aim_now(uint8_t channel) {
  if (channel >= inputs::top || !inputs::is_input(channel)) return true;
  if (!aims::edges[channel].known) aims::find_out_edge(channel);
  if (agenda::has(channel) && aims::can_be_aimed(channel)) {
    uint32_t due = agenda::due(channel);
    if (ticks::before(due, hal::now())) return false;
    aims::add(channel, due);
  }
  return aims::edges[channel].known;
}
