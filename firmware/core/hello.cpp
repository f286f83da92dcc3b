// SPDX-License-Identifier: BSD-3-Clause

#include "hello.h"

#include "hal.h"
#include "ticks.h"

namespace hello {

namespace {

// The constant fields; send_locked() fills in the others. They lie in flash, because RAM is short.
const wire::Hello HELLO TARGET_IN_FLASH = {wire::CODE_HELLO,
                                           wire::VERSION,
                                           limits::FIRMWARE,
                                           0,  // uid
                                           0,  // power_ons
                                           ticks::TICK_NS,
                                           limits::CHANNELS,
                                           limits::SOURCES,
                                           limits::GROUPS,
                                           limits::REFLEXES,
                                           limits::SEQUENCES,
                                           limits::ENTRIES,
                                           limits::OPENINGS,
                                           limits::EVENTS,
                                           0,  // solicited
                                           0,  // reset
                                           {limits::NAME[0], limits::NAME[1], limits::NAME[2], limits::NAME[3]}};
static_assert(sizeof(limits::NAME) <= 5, "the initializer above copies four characters, and fills up with zeros");

// This is not inlined, so that its message is off the stack when the lock is released and the scheduler may run.
__attribute__((noinline)) void send_locked(bool is_solicited) {
  wire::Hello hello;
  target::read_flash(&hello, &HELLO, sizeof(hello));
  hello.uid = hal::uid();
  hello.power_ons = hal::power_ons();
  hello.solicited = is_solicited;
  hello.reset = hal::reset_reason();
  frame::send(&hello, sizeof(hello));
}

}  // namespace

void send(bool is_solicited) {
  hal::SchedulerLock lock;
  send_locked(is_solicited);
}

}  // namespace hello
