// SPDX-License-Identifier: BSD-3-Clause

#include "lease.h"

#include "ticks.h"

namespace lease {

uint8_t expiries;

namespace {

uint16_t length_ms;
uint32_t renewed_at;
bool running;

}  // namespace

void begin(uint16_t ms) {
  length_ms = ms;
  expiries = 0;
  running = false;
}

void renew(uint32_t now) {
  renewed_at = now;
  running = true;
}

bool check_expired(uint32_t now) {
  if (!running || ticks::before(now, due())) return false;
  running = false;
  if (expiries != 0xFF) expiries++;
  return true;
}

void stop() { running = false; }

bool is_running() { return running; }

uint32_t due() { return renewed_at + ticks::of_ms(length_ms); }

}  // namespace lease
