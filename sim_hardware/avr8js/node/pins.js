// I/O ports, and the interrupts of their pins. ATmega328P datasheet, chapters 14 (I/O-Ports) and 13 (External
// Interrupts); ATmega2560, chapters 13 and 15.
//
// The ports of avr8js 0.21 are not used: they have no pull-ups, no register of flags of their own for each pin-change
// interrupt, and no output latch of a compare unit (docs/decisions/second-simulator.md).
'use strict';

const { clearFlagsByOnes, enableByBits } = require('./flags');

const PCICR = 0x68;
const PCIFR = 0x3b;
const EIFR = 0x3c;
const EIMSK = 0x3d;
const LOW_LEVEL = 0;
const ANY_CHANGE = 1;
const FALLING = 2;

// What a timer of avr8js asks of a pin; the numbers are avr8js's PinOverrideMode.
const RELEASE = 0;
const CONNECT = 1;
const SET = 2;
const CLEAR = 3;

/** What is outside the chip at the pins of one port. It outlives resets. */
class Leads {
  constructor() {
    this.held = 0;
    this.levels = 0;
    this.watched = [];
  }
}

class Port {
  /** `onChange(port, changed, levels)` is called when levels of its pins change. */
  constructor(cpu, registers, leads, onChange) {
    this.cpu = cpu;
    this.registers = registers;
    this.leads = leads;
    this.onChange = onChange;
    this.connected = 0;
    this.latch = 0;
    this.levels = 0;
    this.externalClockListeners = [];
    const { PIN, DDR, PORT } = registers;
    cpu.gpioByPort[PORT] = this;
    const store = (register) => (value) => {
      cpu.data[register] = value;
      this.update();
      return true;
    };
    cpu.writeHooks[DDR] = store(DDR);
    cpu.writeHooks[PORT] = store(PORT);
    // A one toggles the output; SBI toggles its bit alone.
    cpu.writeHooks[PIN] = (value, old, address, mask) => {
      cpu.data[PORT] ^= value & mask;
      this.update();
      return true;
    };
  }

  /** Handle what a compare unit does to its output, a bit of `latch`. The pin shows it while the unit is connected. */
  timerOverridePin(bit, mode) {
    const pin = 1 << bit;
    if (mode === RELEASE) this.connected &= ~pin;
    else this.connected |= pin;
    // Connecting leaves the latch as it is: ATmega328P datasheet, Compare Match Output Unit. avr8js 0.21 copies PORTx.
    if (mode === SET) this.latch |= pin;
    else if (mode === CLEAR) this.latch &= ~pin;
    else if (mode !== RELEASE && mode !== CONNECT) this.latch ^= pin;
    this.update();
  }

  /** Compute the levels of the pins, and pass on what has changed. */
  update() {
    const { data } = this.cpu;
    const { PIN, DDR, PORT } = this.registers;
    const { held, levels, watched } = this.leads;
    const direction = data[DDR];
    const out = (data[PORT] & ~this.connected) | (this.latch & this.connected);
    const pulledUp = data[PORT] & ~held;
    const now = (out & direction) | (((levels & held) | pulledUp) & ~direction & 0xff);
    const changed = now ^ this.levels;
    data[PIN] = this.levels = now;
    for (const lead of watched) {
      lead.show((direction >> lead.bit) & 1 ? (out >> lead.bit) & 1 : lead.rest);
    }
    if (changed) this.onChange(this.registers, changed, now);
  }
}

/** The pin-change interrupts and the external interrupts. */
class PinInterrupts {
  constructor(cpu, kind) {
    this.cpu = cpu;
    this.changes = new Map();
    const groups = kind.pinChanges.map((group) => {
      const flagMask = 1 << group.number;
      const interrupt = { address: group.vector, flagRegister: PCIFR, flagMask, enableRegister: PCICR, enableMask: flagMask };
      for (const part of group.parts) this.changes.set(kind.ports[part.port], { ...part, PCMSK: group.PCMSK, interrupt });
      return interrupt;
    });
    clearFlagsByOnes(cpu, PCIFR, groups);
    enableByBits(cpu, PCICR, groups);
    this.externals = kind.externals.map((lead) => {
      const flagMask = 1 << lead.number;
      const interrupt = { address: lead.vector, flagRegister: EIFR, flagMask, enableRegister: EIMSK, enableMask: flagMask };
      return { ...lead, registers: kind.ports[lead.port], interrupt };
    });
    const externals = this.externals.map((lead) => lead.interrupt);
    clearFlagsByOnes(cpu, EIFR, externals);
    enableByBits(cpu, EIMSK, externals, () => this.checkLowLevels());
    for (const EICR of new Set(kind.externals.map((lead) => lead.EICR))) {
      cpu.writeHooks[EICR] = (value) => {
        cpu.data[EICR] = value;
        this.checkLowLevels();
        return true;
      };
    }
  }

  pinsChanged(registers, changed, levels) {
    const { cpu } = this;
    const change = this.changes.get(registers);
    // The flag is set also while PCICR is off: it needs the bit in PCMSKn alone. ATmega328P datasheet, PCIFR.
    if (change && ((changed & change.pins) << change.shift) & cpu.data[change.PCMSK]) cpu.setInterruptFlag(change.interrupt);
    for (const lead of this.externals) {
      if (lead.registers !== registers || !((changed >> lead.bit) & 1)) continue;
      const mode = this.modeOf(lead);
      const level = (levels >> lead.bit) & 1;
      if (mode === LOW_LEVEL) this.checkLowLevels();
      // So is INTFn, whatever EIMSK says. avr8js 0.21 sets it only if EIMSK allows the interrupt.
      else if (mode === ANY_CHANGE || level === (mode === FALLING ? 0 : 1)) cpu.setInterruptFlag(lead.interrupt);
    }
  }

  modeOf(lead) {
    return (this.cpu.data[lead.EICR] >> lead.isc) & 3;
  }

  /** A low level asks for its interrupt for as long as it lasts, and has no flag. */
  checkLowLevels() {
    const { cpu } = this;
    for (const lead of this.externals) {
      const { interrupt } = lead;
      const isLevel = this.modeOf(lead) === LOW_LEVEL;
      if (isLevel === !!interrupt.constant && !isLevel) continue;
      interrupt.constant = isLevel;
      const isLow = !((cpu.data[lead.registers.PIN] >> lead.bit) & 1);
      if (isLevel && isLow && cpu.data[EIMSK] & interrupt.enableMask) cpu.queueInterrupt(interrupt);
      else if (isLevel || !(cpu.data[EIFR] & interrupt.flagMask)) cpu.clearInterrupt(interrupt, false);
    }
  }
}

module.exports = { Leads, Port, PinInterrupts };
