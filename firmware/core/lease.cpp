// SPDX-License-Identifier: BSD-3-Clause

#include "lease.h"

#include "ticks.h"

namespace lease {

uint8_t expiries;

namespace {

uint16_t length_ms;
uint32_t renewed_at;
bool is_running;

}  // namespace

void begin(uint16_t ms) {
  length_ms = ms;
  expiries = 0;
  is_running = false;
}

void renew(uint32_t now) {
  renewed_at = now;
  is_running = true;
}

bool expired(uint32_t now) {
  if (!is_running || ticks::before(now, due())) return false;
  is_running = false;
  if (expiries != 0xFF) expiries++;
  return true;
}

void end() { is_running = false; }

bool runs() { return is_running; }

uint32_t due() { return renewed_at + ticks::of_ms(length_ms); }

}  // namespace lease
