// The watchdog. ATmega328P datasheet, 11.8 (Watchdog Timer) and 11.9 (Register Description); ATmega2560, chapter 12.
//
// The watchdog of avr8js 0.21 is not used: its reset leaves the peripherals as they are, it ignores that WDRF keeps WDE
// set, and it clears WDIE at the time-out and not when the interrupt is executed.
'use strict';

const MCUSR = 0x54;
const WDTCSR = 0x60;
const WDRF = 0x08;
const WDIF = 0x80;
const WDIE = 0x40;
const WDCE = 0x10;
const WDE = 0x08;
const PRESCALER = 0x27;
const SHORTEST_CYCLES = 256_000; // 2,048 cycles of 128 kHz, at 16 MHz
const CHANGE_CYCLES = 4; // in which WDE and the prescaler may be changed

class Watchdog {
  /** `onReset()` is called at the time-out that resets the chip. */
  constructor(cpu, vector, onReset) {
    this.cpu = cpu;
    this.onReset = onReset;
    this.since = cpu.cycles;
    this.changeableUntil = -1;
    this.interrupt = {
      address: vector, flagRegister: WDTCSR, flagMask: WDIF, enableRegister: WDTCSR, enableMask: WDIE,
      onServed: () => {
        cpu.data[WDTCSR] &= ~WDIE;
        this.schedule();
      },
    };
    this.onTimeout = () => this.timeOut();
    cpu.onWatchdogReset = () => {
      this.since = cpu.cycles;
      this.schedule();
    };
    // WDRF in MCUSR keeps WDE set, so a reset by the watchdog leaves it running with its shortest time.
    cpu.data[WDTCSR] = cpu.data[MCUSR] & WDRF ? WDE : 0;
    cpu.writeHooks[WDTCSR] = (value) => this.write(value);
    this.schedule();
  }

  write(value) {
    const { cpu } = this;
    const before = cpu.data[WDTCSR];
    if (value & WDIF) cpu.clearInterrupt(this.interrupt);
    const isChangeable = cpu.cycles <= this.changeableUntil;
    let kept = isChangeable ? value & (WDE | PRESCALER) : before & (WDE | PRESCALER);
    kept |= value & WDE; // it can be set at any time
    if (cpu.data[MCUSR] & WDRF) kept |= WDE;
    this.changeableUntil = value & WDCE && value & WDE ? cpu.cycles + CHANGE_CYCLES : -1;
    cpu.data[WDTCSR] = (cpu.data[WDTCSR] & WDIF) | (value & WDIE) | kept;
    cpu.updateInterruptEnable(this.interrupt, value);
    this.schedule();
    return true;
  }

  schedule() {
    const { cpu } = this;
    const control = cpu.data[WDTCSR];
    cpu.clearClockEvent(this.onTimeout);
    if (!(control & (WDE | WDIE))) return;
    const period = SHORTEST_CYCLES << (((control & 0x20) >> 2) | (control & 0x07));
    cpu.addClockEvent(this.onTimeout, this.since + period - cpu.cycles);
  }

  timeOut() {
    const { cpu } = this;
    const control = cpu.data[WDTCSR];
    this.since = cpu.cycles;
    // With both modes on, the first time-out interrupts; the second resets if the interrupt has not been executed.
    if (control & WDE && (!(control & WDIE) || control & WDIF)) {
      this.onReset();
      return;
    }
    if (control & WDIE) cpu.setInterruptFlag(this.interrupt);
    this.schedule();
  }
}

module.exports = { Watchdog, MCUSR, WDRF };
