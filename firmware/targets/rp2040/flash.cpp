// SPDX-License-Identifier: BSD-3-Clause
//
// The commands are those that all chips of this kind share: W25Q16JV datasheet, 8.1 (Instructions).

#include "flash.h"

#include "frame.h"
#include "registers.h"
#include "target.h"

namespace flash {

using registers::at;

namespace {

constexpr uint8_t WRITE = 0x02, READ_STATUS = 0x05, ALLOW_WRITE = 0x06, ERASE_SECTOR = 0x20, READ_UNIQUE_ID = 0x4B;
constexpr uint8_t IS_BUSY = 0x01;
constexpr uint8_t DUMMY_BYTES = 4, ID_BYTES = 8;

// The last sector of a Pico's 2 MB. A power-on clears one bit more of it: only an erase sets bits.
constexpr uint32_t SECTOR_BYTES = 4096, COUNTER = 0x200000 - SECTOR_BYTES;
static_assert(COUNTS == 8 * SECTOR_BYTES, "each bit is one power-on");

// Let single bytes be exchanged, at an eighth of the system clock: 25 MHz of 200 (4.10.3, 4.10.13).
void begin_exchange() {
  constexpr uint32_t BYTES_BOTH_WAYS = 7 << 16;
  at(registers::SSI_ENABLE) = 0;
  at(registers::SSI_CONTROL) = BYTES_BOTH_WAYS;
  at(registers::SSI_DIVISOR) = 8;
  at(registers::SSI_SELECT) = 1;
  at(registers::SSI_ENABLE) = 1;
}

uint8_t exchange(uint8_t byte) {
  at(registers::SSI_DATA) = byte;
  while (!(at(registers::SSI_STATUS) & registers::SSI_HAS_RECEIVED)) {
  }
  return at(registers::SSI_DATA);
}

// Selects the chip for its lifetime, which is one command. The SSI would let it go between two bytes.
class Command {
 public:
  explicit Command(uint8_t code) {
    at(registers::FLASH_SELECT_PIN) = registers::FORCE_LOW;
    exchange(code);
  }
  ~Command() { at(registers::FLASH_SELECT_PIN) = registers::FORCE_HIGH; }
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  void address(uint32_t place) {
    for (int8_t shift = 16; shift >= 0; shift -= 8) exchange(place >> shift);
  }
};

void allow_write() { Command command(ALLOW_WRITE); }

void wait() {
  Command command(READ_STATUS);
  while (exchange(0) & IS_BUSY) {
  }
}

void write(uint32_t place, uint8_t byte) {
  allow_write();
  {
    Command command(WRITE);
    command.address(place);
    exchange(byte);
  }
  wait();
}

void erase(uint32_t place) {
  allow_write();
  {
    Command command(ERASE_SECTOR);
    command.address(place);
  }
  wait();
}

// The processor reads the flash as memory until the first exchange (2.6.3).
const uint8_t* counter() { return reinterpret_cast<const uint8_t*>(registers::FLASH + COUNTER); }

uint16_t counted;
uint8_t chip_number[ID_BYTES];
uint32_t id;

// Each power-on clears the next bit, from the lowest one of the first byte on. A sector with other bits was used by
// another program, or its erase was cut short: it counts as full, so that the next power-on erases it.
void read_power_ons() {
  const uint8_t* const bytes = counter();
  counted = 0;
  while (counted < COUNTS && !(bytes[counted / 8] >> counted % 8 & 1)) counted++;
  for (uint16_t bit = counted; bit < COUNTS; bit++) {
    if (!(bytes[bit / 8] >> bit % 8 & 1)) counted = COUNTS;
  }
}

void read_unique_id() {
  uint16_t low = wire::CRC_START, high = 0;
  Command command(READ_UNIQUE_ID);
  for (uint8_t left = DUMMY_BYTES; left; left--) exchange(0);
  for (uint8_t& byte : chip_number) {
    byte = exchange(0);
    low = target::crc_add(low, byte);
    high = target::crc_add(high, low);
  }
  id = static_cast<uint32_t>(high) << 16 | low;
  if (!id) id = 1;
}

}  // namespace

void begin() {
  read_power_ons();
  begin_exchange();  // from here on the flash is no memory
  read_unique_id();
}

uint32_t unique_id() { return id; }

const uint8_t* number() { return chip_number; }

uint16_t power_ons() { return counted % COUNTS; }

void count_power_on() {
  if (counted >= COUNTS - 1) {
    erase(COUNTER);
    counted = 0;
  }
  write(COUNTER + counted / 8, 0xFE << counted % 8);
  counted++;
}

}  // namespace flash
