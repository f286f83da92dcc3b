// SPDX-License-Identifier: BSD-3-Clause
//
// the board's own id, made on the first boot and kept in EEPROM.

#include <avr/eeprom.h>
#include <avr/io.h>

#include "crc.h"
#include "hal.h"

namespace hal {

namespace {

struct Identity {
  uint32_t uid;
  uint16_t check;
};
Identity EEMEM stored;

uint16_t check_of(const Identity& identity) {
  return crc::of(reinterpret_cast<const uint8_t*>(&identity.uid), sizeof(identity.uid));
}

// What stands in memory when the power comes on, and the noise of the chip's thermometer, differ from chip to chip.
uint32_t make_uid() {
  uint16_t low = wire::CRC_START, high = 0;
  const uint8_t* end = reinterpret_cast<const uint8_t*>(RAMEND);
  for (const uint8_t* byte = end - 512; byte != end; byte++) {
    low = target::crc_add(low, *byte);
    high = target::crc_add(high, low);
  }
  ADMUX = _BV(REFS1) | _BV(REFS0) | _BV(MUX3);
  ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
  for (uint8_t count = 0; count < 64; count++) {
    ADCSRA |= _BV(ADSC);
    for (uint16_t patience = 0xFFFF; (ADCSRA & _BV(ADSC)) && patience; patience--) {
    }
    low = target::crc_add(low, ADCL);
    high = target::crc_add(high, ADCH);
  }
  ADCSRA = 0;
  uint32_t uid = static_cast<uint32_t>(high) << 16 | low;
  return uid ? uid : 1;
}

}  // namespace

uint32_t uid() {
  Identity identity;
  eeprom_read_block(&identity, &stored, sizeof(identity));
  if (!identity.uid || identity.check != check_of(identity)) {
    identity.uid = make_uid();
    identity.check = check_of(identity);
    eeprom_update_block(&identity, &stored, sizeof(identity));
  }
  return identity.uid;
}

}  // namespace hal
