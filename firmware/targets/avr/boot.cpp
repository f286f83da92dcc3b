// SPDX-License-Identifier: BSD-3-Clause
//
// How the program starts, sleeps, hangs and starts again; the reason of the last reset, and the board's id.
// ATmega328P datasheet, 8.4 (EEPROM), 11 (System Control and Reset), 11.8 (Watchdog Timer); ATmega2560, 8.3 and 12.

#include <Arduino.h>
#include <avr/eeprom.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "avr.h"
#include "board.h"
#include "frame.h"
#include "kept_openings.h"

// Replace the init() of the Arduino core. It would start timers for millis() and analogWrite() and reconfigure timer 1.
void init() {}

namespace hal {

namespace {

// Either mark shows that the RAM kept its contents through the reset. Boot writes KEPT, the watchdog interrupt writes
// HUNG: a bootloader may clear MCUSR before the firmware reads it. RAM has random contents after power-on, and 32 bits
// make an accidental match unlikely.
// The version is a part of them: another firmware keeps other things.
constexpr uint32_t KEPT = 0x52494700 + 2 * wire::VERSION, HUNG = KEPT + 1;

// Its contents are valid if `mark` is one of the two.
struct Memory {
  uint32_t mark;
  uint8_t epoch;
};
Memory memory TARGET_RETAINED;

uint8_t reason;

struct Identity {
  uint32_t uid;
  uint16_t check;
};
Identity EEMEM stored;
uint16_t EEMEM stored_power_ons;

uint16_t check_of(const Identity& identity) {
  return frame::crc(reinterpret_cast<const uint8_t*>(&identity.uid), sizeof(identity.uid));
}

// Return an id other than 0. It is a hash of values that differ from chip to chip: the contents of the RAM after
// power-on, and the noise of an ADC channel. ATmega328P datasheet, chapter 24 (ADC); ATmega2560, chapter 26.
uint32_t make_uid() {
  uint16_t low = wire::CRC_START, high = 0;
  // Boot has cleared or written only a part of the last 512 bytes of the RAM.
  const uint8_t* end = reinterpret_cast<const uint8_t*>(RAMEND);
  for (const uint8_t* byte = end - 512; byte != end; byte++) {
    low = target::crc_add(low, *byte);
    high = target::crc_add(high, low);
  }
  // With the internal reference, MUX3 selects the temperature sensor of the ATmega328P. On the ATmega2560 it selects
  // the differential input ADC0 - ADC0 at gain 10. The clock is 125 kHz, within the range that the datasheets give.
  ADMUX = _BV(REFS1) | _BV(REFS0) | _BV(MUX3);
  ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
  for (uint8_t count = 0; count < 64; count++) {
    ADCSRA |= _BV(ADSC);
    // A conversion takes 0.1 to 0.2 ms. Do not wait for a broken one for more than 0.5 ms.
    for (uint16_t tries_left = 1000; (ADCSRA & _BV(ADSC)) && tries_left; tries_left--) {
    }
    low = target::crc_add(low, ADCL);
    high = target::crc_add(high, ADCH);
  }
  ADCSRA = 0;
  uint32_t uid = static_cast<uint32_t>(high) << 16 | low;
  return uid ? uid : 1;
}

// Make the id if the EEPROM has none, which is so on the first start.
void begin_identity() {
  Identity identity;
  eeprom_read_block(&identity, &stored, sizeof(identity));
  if (identity.uid && identity.check == check_of(identity)) return;
  identity.uid = make_uid();
  identity.check = check_of(identity);
  eeprom_update_block(&identity, &stored, sizeof(identity));
}

// It is the button if only the RAM shows that there was a reset.
uint8_t find_reason(bool kept) {
  uint8_t flags = GPIOR1;  // MCUSR at the start, saved by stop_watchdog
  if (memory.mark == HUNG || (flags & _BV(WDRF))) return wire::RESET_WATCHDOG;
  if (flags & _BV(PORF)) return wire::RESET_POWER;
  if (flags & _BV(BORF)) return wire::RESET_BROWN_OUT;
  return kept || (flags & _BV(EXTRF)) ? wire::RESET_BUTTON : wire::RESET_POWER;
}

void begin_memory() {
  bool kept = memory.mark == KEPT || memory.mark == HUNG;
  reason = find_reason(kept);
  if (!kept || (GPIOR1 & _BV(PORF))) {
    memory.epoch = 0;
    kept_openings::clear();
    eeprom_update_word(&stored_power_ons, power_ons() + 1);
  }
  memory.mark = KEPT;
}

// Interrupt and system reset mode: an interrupt after 125 ms, a reset after another 125 ms.
void begin_watchdog() {
  cli();  // the second write to WDTCSR must follow the first within four cycles
  wdt_reset();
  WDTCSR = _BV(WDCE) | _BV(WDE);
  WDTCSR = _BV(WDIE) | _BV(WDE) | _BV(WDP1) | _BV(WDP0);
  sei();
}

}  // namespace

void begin() {
  begin_identity();
  begin_pins();
  begin_clock();
  begin_serial();
  begin_memory();
  begin_watchdog();
  set_sleep_mode(SLEEP_MODE_IDLE);
}

void kick_watchdog() { wdt_reset(); }

uint32_t uid() { return eeprom_read_dword(&stored.uid); }

uint16_t power_ons() { return eeprom_read_word(&stored_power_ons); }

uint8_t reset_reason() { return reason; }

uint8_t& last_epoch() { return memory.epoch; }

void sleep() {
  bool may_sleep = board::may_sleep();
  cli();
  if (is_set(SCHEDULER_YIELDED)) {  // the main loop is idle, so the scheduler need not wait for the timer interrupt
    clear(SCHEDULER_YIELDED);
    run_scheduler();
  }
  while (may_sleep && !has_received() && !is_set(TIMER_WRAPPED) && board::is_idle()) {
    sleep_enable();
    sei();
    // No interrupt runs between SEI and SLEEP, so none can be missed: ATmega328P datasheet, 7.7; ATmega2560, chapter 7.
    sleep_cpu();
    sleep_disable();
    kick_watchdog();
    cli();
  }
  clear(TIMER_WRAPPED);
  sei();
}

}  // namespace hal

// Startup code runs this before it initializes variables, which is why the flags go to a register. After a watchdog
// reset the watchdog still runs with its shortest time, and WDRF must be cleared before it can be disabled. After a
// hang there was no reset, so the registers that this program expects to be 0 are not.
void stop_watchdog() __attribute__((naked, used, section(".init3")));
void stop_watchdog() {
  GPIOR1 = MCUSR;
  MCUSR = 0;
  wdt_disable();
  hal::clear(hal::SCHEDULER_BUSY);
  hal::clear(hal::SCHEDULER_REQUESTED);
  hal::clear(hal::SCHEDULER_YIELDED);
  hal::clear(hal::PANICKED);
  PCICR = EIMSK = 0;
}

// The main loop has not called kick_watchdog for 125 ms: set all outputs to their safe levels, leave the mark, and
// start the program again. Interrupts stay disabled until then. A reset by the watchdog would leave the watchdog
// running with its shortest time, and old bootloaders do not stop it: they would be reset for ever.
ISR(WDT_vect, ISR_NAKED) {
  asm volatile("clr __zero_reg__");  // the program may have been anywhere
  hal::stop_tones();
  hal::set_safe_levels();
  hal::memory.mark = hal::HUNG;
  asm volatile("jmp 0");
}
