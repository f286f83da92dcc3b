// SPDX-License-Identifier: BSD-3-Clause

#include "hello.h"

#include "frame.h"
#include "hal.h"
#include "limits.h"
#include "messages.h"
#include "target.h"
#include "ticks.h"

namespace hello {

namespace {

const wire::Hello HELLO TARGET_IN_FLASH = {wire::CODE_HELLO,
                                           wire::VERSION,
                                           limits::FIRMWARE,
                                           0,  // uid
                                           ticks::TICK_NS,
                                           limits::CHANNELS,
                                           limits::GROUPS,
                                           limits::MEMBERS,
                                           limits::SEQUENCES,
                                           limits::ENTRIES,
                                           limits::OPENINGS,
                                           limits::EVENTS,
                                           wire::ROOM_BYTES,
                                           0,  // solicited
                                           0,  // reset
                                           {limits::NAME[0], limits::NAME[1], limits::NAME[2], limits::NAME[3]}};
static_assert(sizeof(limits::NAME) <= 5, "it is named whole");

}  // namespace

void send(uint8_t solicited) {
  wire::Hello hello;
  target::read_flash(&hello, &HELLO, sizeof(hello));
  hello.uid = hal::uid();
  hello.solicited = solicited;
  hello.reset = hal::reset_reason();
  frame::send(&hello, sizeof(hello));
}

}  // namespace hello
