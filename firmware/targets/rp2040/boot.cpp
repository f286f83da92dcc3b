// SPDX-License-Identifier: BSD-3-Clause
//
// How the program starts, hangs and starts again; the reason of the last reset, and the board's id.

#include "flash.h"
#include "kept_openings.h"
#include "rp2040.h"

namespace hal {

using registers::at;

namespace {

// Either mark shows that the RAM kept its contents through the reset. Boot writes KEPT, restart() writes HUNG. RAM has
// random contents after power-on. The version is a part of them: another firmware keeps other things.
constexpr uint32_t KEPT = 0x52494700 + 2 * wire::VERSION, HUNG = KEPT + 1;

struct Memory {
  uint32_t mark;
  uint8_t epoch;
};
Memory memory TARGET_RETAINED;

uint8_t reason;

constexpr uint32_t WATCHDOG_US = 125000;

// The watchdog counts each tick twice (erratum RP2040-E1).
constexpr uint32_t WATCHDOG_COUNT = 2 * WATCHDOG_US;

// The boot ROM starts a program that it has written by the watchdog, too: the mark is there if ours was running.
uint8_t find_reason(bool kept) {
  bool is_ours = at(registers::WATCHDOG_REASON) && at(registers::WATCHDOG_MARK) == KEPT;
  if (memory.mark == HUNG || is_ours) return wire::RESET_WATCHDOG;
  return kept ? wire::RESET_BUTTON : wire::RESET_POWER;
}

void begin_memory() {
  bool kept = memory.mark == KEPT || memory.mark == HUNG;
  reason = find_reason(kept);
  if (!kept) {
    memory.epoch = 0;
    kept_openings::clear();
    flash::count_power_on();
  }
  memory.mark = KEPT;
}

void begin_watchdog() {
  at(registers::WATCHDOG_RESETS) = registers::ALL_BUT_OSCILLATORS;
  kick_watchdog();
  at(registers::WATCHDOG_MARK) = KEPT;
  at(registers::WATCHDOG_CONTROL) = registers::WATCHDOG_ENABLE;
}

void start_peripherals(uint32_t which) {
  at(registers::RESET + registers::CLEAR) = which;
  while (~at(registers::RESET_DONE) & which) {
  }
}

// The regulator calls its output steady at nine tenths of what it shall be, so that says nothing: wait a millisecond.
// The processor has the crystal's 12 MHz, and a turn takes at least 6 cycles.
void raise_core_voltage() {
  constexpr uint32_t TURNS = 2000;
  at(registers::REGULATOR) = registers::REGULATOR_1_15_V;
  for (volatile uint32_t left = TURNS; left;) left = left - 1;
}

// Let a PLL make a frequency from the crystal's 12 MHz (2.18.2).
void begin_pll(uint32_t pll, uint32_t feedback, uint32_t dividers) {
  at(pll + registers::PLL_FEEDBACK) = feedback;
  at(pll + registers::PLL_POWER + registers::CLEAR) = registers::PLL_OFF | registers::PLL_OSCILLATOR_OFF;
  while (!(at(pll + registers::PLL_STATUS) & registers::PLL_LOCKED)) {
  }
  at(pll + registers::PLL_DIVIDERS) = dividers;
  at(pll + registers::PLL_POWER + registers::CLEAR) = registers::PLL_DIVIDERS_OFF;
}

}  // namespace

// The crystal has 12 MHz. The processor gets 12 MHz * 100 / 6 = 200 MHz, USB and the ADC 12 MHz * 100 / 5 / 5 = 48 MHz,
// the timer a tick of a microsecond. The chip is allowed 200 MHz if its core has 1.15 V instead of 1.10 V (2.15.3,
// 2.10.6).
void begin_clocks() {
  constexpr uint32_t STARTUP = 47;  // times 256 cycles: 1 ms (2.16.3)
  constexpr uint32_t FROM_CRYSTAL = 2, FROM_PLL = 1, ENABLED = 1 << 11;
  at(registers::XOSC_STARTUP) = STARTUP;
  at(registers::XOSC_CONTROL) = registers::XOSC_ENABLE;
  while (!(at(registers::XOSC_STATUS) & registers::XOSC_STABLE)) {
  }
  at(registers::REFERENCE_CONTROL) = FROM_CRYSTAL;
  while (!(at(registers::REFERENCE_SELECTED) & 1 << FROM_CRYSTAL)) {
  }
  start_peripherals(registers::RESET_PLL_SYS | registers::RESET_PLL_USB | registers::RESET_IO_BANK |
                    registers::RESET_PADS | registers::RESET_TIMER);
  raise_core_voltage();
  begin_pll(registers::PLL_SYS, 100, 6 << 16 | 1 << 12);
  begin_pll(registers::PLL_USB, 100, 5 << 16 | 5 << 12);
  at(registers::SYSTEM_CONTROL) = FROM_PLL;
  while (!(at(registers::SYSTEM_SELECTED) & 1 << FROM_PLL)) {
  }
  at(registers::PERIPHERAL_CONTROL) = ENABLED;
  at(registers::WATCHDOG_TICK) = registers::TICK_ENABLE | 12;
  at(registers::USB_CLOCK_CONTROL) = ENABLED;
  at(registers::ADC_CLOCK_CONTROL) = ENABLED;
  start_peripherals(registers::RESET_UART | registers::RESET_USB | registers::RESET_ADC | registers::RESET_PIO);
}

void begin() {
  flash::begin();
  begin_clocks();
  begin_memory();
  begin_pins();
  begin_timer();
  begin_port();
  begin_analog();
  begin_encoders();
  begin_watchdog();
}

void kick_watchdog() { at(registers::WATCHDOG_LOAD) = WATCHDOG_COUNT; }

void restart() {
  interrupts_off();
  set_safe_levels();
  memory.mark = HUNG;
  at(registers::WATCHDOG_CONTROL + registers::SET) = registers::WATCHDOG_TRIGGER;
  for (;;) {
  }
}

// The boot ROM finds its functions by two letters (2.8.3). This one resets the chip by the watchdog after 10 ms.
void start_bootloader() {
  interrupts_off();
  set_safe_levels();
  at(registers::WATCHDOG_MARK) = 0;
  using Find = uint32_t (*)(uint32_t table, uint32_t code);
  using Boot = void (*)(uint32_t activity_pins, uint32_t disabled_interfaces);
  const Find find = reinterpret_cast<Find>(at(registers::ROM_FIND) & 0xFFFF);
  const Boot boot = reinterpret_cast<Boot>(find(at(registers::ROM_FUNCTIONS) & 0xFFFF, 'U' | 'B' << 8));
  boot(0, 0);
  for (;;) {
  }
}

void enable(registers::Interrupt interrupt) { at(registers::INTERRUPT_ENABLE) = 1 << interrupt; }

uint32_t uid() { return flash::unique_id(); }

uint16_t power_ons() { return flash::power_ons(); }

uint8_t reset_reason() { return reason; }

uint8_t& last_epoch() { return memory.epoch; }

}  // namespace hal
