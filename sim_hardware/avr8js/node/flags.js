// Registers of interrupt flags: a one that the program writes clears its flag, a zero leaves it.
'use strict';

/**
 * Make a register of flags of these interrupts. avr8js 0.21 stores what is written to TIFRn, which clears the flags
 * that were written zero, too. SBI writes its bit alone: ATmega328P datasheet, Register Summary, note 3.
 */
function clearFlagsByOnes(cpu, register, interrupts, settle = () => {}) {
  cpu.readHooks[register] = () => {
    settle();
    return cpu.data[register];
  };
  cpu.writeHooks[register] = (value, old, address, mask) => {
    settle();
    for (const interrupt of interrupts) {
      if (value & mask & interrupt.flagMask) cpu.clearInterrupt(interrupt);
    }
    return true;
  };
}

/** Make a register of enable bits of these interrupts: an interrupt whose flag waits is requested when it is enabled. */
function enableByBits(cpu, register, interrupts, settle = () => {}) {
  cpu.writeHooks[register] = (value) => {
    settle();
    cpu.data[register] = value;
    for (const interrupt of interrupts) cpu.updateInterruptEnable(interrupt, value);
    return true;
  };
}

module.exports = { clearFlagsByOnes, enableByBits };
