// The EEPROM. ATmega328P datasheet, 8.4 and 8.6; ATmega2560, chapter 8.
//
// That of avr8js 0.21 is not used: a write to EECR ends a write of the memory that is in progress, and a read forgets a
// waiting interrupt.
'use strict';

const EECR = 0x3f;
const EEDR = 0x40;
const EEARL = 0x41;
const EEARH = 0x42;
const EERE = 0x01;
const EEPE = 0x02;
const EEMPE = 0x04;
const EERIE = 0x08;
const MODE = 0x30;
const ERASE_ONLY = 0x10;
const WRITE_ONLY = 0x20;
const ARMED_CYCLES = 4;
const WRITE_CYCLES = 54_400; // 3.4 ms
const HALF_CYCLES = 28_800; // 1.8 ms: erase or write alone

class Eeprom {
  /** `memory` outlives resets. */
  constructor(cpu, vector, memory) {
    this.cpu = cpu;
    this.memory = memory;
    this.armedUntil = -1;
    this.interrupt = {
      address: vector, flagRegister: EECR, flagMask: EEPE, enableRegister: EECR, enableMask: EERIE,
      inverseFlag: true, constant: true,
    };
    cpu.writeHooks[EECR] = (value) => this.write(value);
    cpu.readHooks[EECR] = () => {
      if (cpu.cycles > this.armedUntil) cpu.data[EECR] &= ~EEMPE;
      return cpu.data[EECR];
    };
  }

  get address() {
    const { data } = this.cpu;
    return ((data[EEARH] << 8) | data[EEARL]) % this.memory.length;
  }

  write(value) {
    const { cpu } = this;
    const { data } = cpu;
    const isBusy = data[EECR] & EEPE;
    const begins = value & EEPE && !isBusy && cpu.cycles <= this.armedUntil;
    if (value & EEMPE) this.armedUntil = cpu.cycles + ARMED_CYCLES;
    data[EECR] = isBusy | (value & (EEMPE | EERIE | MODE));
    if (value & EERE && !isBusy) {
      data[EEDR] = this.memory[this.address];
      cpu.cycles += 4;
    }
    if (begins) this.store(value & MODE);
    cpu.updateInterruptEnable(this.interrupt, data[EECR]);
    return true;
  }

  store(mode) {
    const { cpu, memory, address } = this;
    const value = cpu.data[EEDR];
    memory[address] = mode === ERASE_ONLY ? 0xff : mode === WRITE_ONLY ? memory[address] & value : value;
    cpu.data[EECR] = (cpu.data[EECR] & ~EEMPE) | EEPE;
    cpu.clearInterrupt(this.interrupt, false);
    cpu.addClockEvent(() => cpu.setInterruptFlag(this.interrupt), mode ? HALF_CYCLES : WRITE_CYCLES);
    cpu.cycles += 2;
  }
}

module.exports = { Eeprom };
