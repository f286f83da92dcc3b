// SPDX-License-Identifier: BSD-3-Clause
//
// This file makes the board's id on its first boot, and keeps it in the EEPROM with a CRC. Beside it the EEPROM counts
// how often the RAM has lost its contents.
// ATmega328P datasheet, 8.4 (EEPROM); ATmega2560, 8.3.

#include <avr/eeprom.h>
#include <avr/io.h>

#include "avr.h"
#include "crc.h"
#include "hal.h"

namespace hal {

namespace {

struct Identity {
  uint32_t uid;
  uint16_t check;
};
Identity EEMEM stored;
uint16_t EEMEM stored_power_ons;

uint16_t check_of(const Identity& identity) {
  return crc::of(reinterpret_cast<const uint8_t*>(&identity.uid), sizeof(identity.uid));
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

}  // namespace

void begin_identity() {
  Identity identity;
  eeprom_read_block(&identity, &stored, sizeof(identity));
  if (!identity.uid || identity.check != check_of(identity)) {
    identity.uid = make_uid();
    identity.check = check_of(identity);
    eeprom_update_block(&identity, &stored, sizeof(identity));
  }
}

void count_power_on() { eeprom_update_word(&stored_power_ons, power_ons() + 1); }

uint16_t power_ons() { return eeprom_read_word(&stored_power_ons); }

uint32_t uid() { return eeprom_read_dword(&stored.uid); }

}  // namespace hal
