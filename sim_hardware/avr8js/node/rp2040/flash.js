// The flash chip beside an RP2040, and the serial interface between them. RP2040 datasheet, 4.10 (SSI) and 2.19 (the pin
// that selects the chip); W25Q16JV datasheet, 8.1 (Instructions).
//
// The SSI of rp2040js 1.4 exchanges nothing. The program reads the flash as memory all the same: that is not modelled.
'use strict';

const ENABLE = 0x08;
const STATUS = 0x28;
const DATA = 0x60;
const HAS_ROOM = 0x06;
const HAS_RECEIVED = 0x08;
const SELECT_PIN = 0x0c;
const FORCED_LOW = 2;
const SECTOR_BYTES = 4096;
const DUMMY_BYTES = 4;

/** One command lasts while the chip is selected. */
class FlashChip {
  constructor(memory, id) {
    this.memory = memory;
    this.id = id;
    this.mayWrite = false;
    this.said = [];
  }

  select(isSelected) {
    if (!isSelected && this.said.length) this.execute();
    this.said = [];
  }

  exchange(byte) {
    const place = this.said.push(byte) - 1;
    return this.said[0] === 0x4b && place > DUMMY_BYTES ? this.id[place - DUMMY_BYTES - 1] ?? 0 : 0;
  }

  /** Do what takes effect at the end of a command; it takes no time. */
  execute() {
    const [code, high, middle, low, ...bytes] = this.said;
    const at = (high << 16) | (middle << 8) | low;
    if (code === 0x06) this.mayWrite = true;
    if (code !== 0x02 && code !== 0x20) return;
    if (this.mayWrite && code === 0x02) bytes.forEach((byte, index) => (this.memory[at + index] &= byte));
    if (this.mayWrite && code === 0x20) this.memory.fill(0xff, at, at + SECTOR_BYTES);
    this.mayWrite = false;
  }
}

class Ssi {
  constructor(flash) {
    this.flash = flash;
    this.isOn = false;
    this.received = [];
  }

  readUint32(offset) {
    if (offset === STATUS) return HAS_ROOM | (this.received.length ? HAS_RECEIVED : 0);
    return offset === DATA ? this.received.shift() ?? 0 : 0;
  }

  writeUint32Atomic(offset, value) {
    if (offset === ENABLE) this.isOn = (value & 1) !== 0;
    if (offset === DATA && this.isOn) this.received.push(this.flash.exchange(value & 0xff));
  }
}

/** The pins of the flash, of which the program uses the one that selects the chip. */
class FlashPins {
  constructor(flash) {
    this.flash = flash;
  }

  readUint32() {
    return 0;
  }

  writeUint32Atomic(offset, value) {
    if (offset === SELECT_PIN) this.flash.select(((value >> 8) & 3) === FORCED_LOW);
  }
}

module.exports = { FlashChip, FlashPins, Ssi };
