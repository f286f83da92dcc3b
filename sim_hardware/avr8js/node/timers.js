// The timers of avr8js, mended from outside. ATmega328P datasheet, chapter 16 (16-bit Timer/Counter1); ATmega2560,
// chapter 17.
//
// avr8js 0.21 has an event for every count, which makes sleep as slow as work; stores what is written to TIFRn; knows no
// interrupt of compare unit C; and connects a pin whose compare unit is off when its output is forced.
'use strict';

const { AVRTimer } = require('./avr8js');
const { clearFlagsByOnes, enableByBits } = require('./flags');

class Timer extends AVRTimer {
  constructor(cpu, config) {
    super(cpu, config);
    this.countAtOnce = this.count;
    this.count = (reschedule = true) => {
      this.settle();
      if (reschedule) this.schedule();
    };
    const settle = () => this.settle();
    const interrupts = [this.OVF, this.OCFA, this.OCFB];
    if (this.hasOCRC) interrupts.push(this.OCFC);
    clearFlagsByOnes(cpu, config.TIFR, interrupts, settle);
    enableByBits(cpu, config.TIMSK, interrupts, settle);
    // Counts up to now must be compared with the values up to now.
    for (const register of [config.OCRA, config.OCRB, config.OCRC, config.ICR, config.TCNT, config.TCCRA, config.TCCRB]) {
      if (register) this.settleBefore(register);
    }
    if (config.TCCRC) {
      cpu.writeHooks[config.TCCRC] = (value) => {
        settle();
        this.checkForceCompare(value);
        return true; // the strobes read as zero
      };
    }
  }

  settleBefore(register) {
    const { cpu } = this;
    const hook = cpu.writeHooks[register];
    cpu.writeHooks[register] = (value, old, address, mask) => {
      this.settle();
      const isStored = hook(value, old, address, mask);
      this.schedule();
      return isStored;
    };
  }

  /**
   * Count up to now. An instruction may end behind a match and an overflow: avr8js, which counts them at once, would
   * take a whole round for none.
   */
  settle() {
    const { cpu } = this;
    const now = cpu.cycles;
    while (this.divider && !this.updateDivider && !this.tcntUpdated) {
      const next = this.lastCycle + this.countsToNext() * this.divider;
      if (next > now) break;
      cpu.cycles = next;
      this.countAtOnce(false);
    }
    cpu.cycles = now;
    this.countAtOnce(false);
  }

  /** Ask for an event at the next count that changes more than the counter. */
  schedule() {
    const { cpu, divider } = this;
    if (this.updateDivider || this.tcntUpdated) return; // avr8js has asked for one in the next cycle
    cpu.clearClockEvent(this.count);
    if (divider) cpu.addClockEvent(this.count, this.lastCycle + this.countsToNext() * divider - cpu.cycles);
  }

  countsToNext() {
    const { tcnt, TOP, MAX } = this;
    // Counting down, or changing its compare values at the turn: avr8js must look at every count.
    if (this.ocrUpdateMode !== 0) return 1;
    let counts = tcnt <= TOP ? TOP + 1 - tcnt : MAX + 1 - tcnt;
    for (const value of this.hasOCRC ? [this.ocrA, this.ocrB, this.ocrC] : [this.ocrA, this.ocrB]) {
      if (value > tcnt && value - tcnt < counts) counts = value - tcnt;
    }
    return counts;
  }

  updateCompPin(mode, name, bottom) {
    // A compare unit that is not connected does nothing to its output.
    if (mode) super.updateCompPin(mode, name, bottom);
  }

  /** Return the cycle at which the counter was last zero, and its period in cycles. */
  phase() {
    this.settle();
    const { divider, tcnt, TOP, lastCycle } = this;
    return [lastCycle - tcnt * divider, (TOP + 1) * divider];
  }
}

module.exports = { Timer };
