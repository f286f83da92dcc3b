// A PIO block whose state machines run when someone looks at them: at each access to a register, and before a pin
// changes. RP2040 datasheet, chapter 3 (PIO).
//
// That of rp2040js 1.4 runs beside the simulated time, and a machine that is off runs with the others. Its registers
// and instructions are used. A machine that goes round without doing anything is not run: its state comes again after
// each round.
'use strict';

/** All that decides what a machine does next, while the pins and the program stay as they are. */
const state = (machine) => [
  machine.pc, machine.x, machine.y, machine.inputShiftReg, machine.inputShiftCount, machine.outputShiftReg,
  machine.outputShiftCount, machine.rxFIFO.itemCount, machine.txFIFO.itemCount, machine.waiting,
];

class Pio {
  /** PIO 0 of an RP2040 of rp2040js; `now()` are the nanoseconds of the chip. */
  constructor(rp, now) {
    this.rp = rp;
    [this.block] = rp.pio;
    this.now = now;
    this.ranUntil = this.block.machines.map(() => 0);
    this.block.run = () => {};
  }

  /** Run all machines up to now. */
  catchUp() {
    const now = this.now();
    this.block.machines.forEach((machine, number) => {
      if (!machine.enabled) {
        this.ranUntil[number] = now;
        return;
      }
      const nanos = (1e9 / this.rp.clkSys) * ((machine.clockDivInt || 0x10000) + machine.clockDivFrac / 256);
      const cycles = Math.floor((now - this.ranUntil[number]) / nanos);
      if (cycles > 0) this.ranUntil[number] += nanos * this.runMachine(machine, cycles);
    });
  }

  /** Run a machine for some cycles, and to the end of an instruction; return how many it took. */
  runMachine(machine, cycles) {
    let passed = 0;
    let [known, knownAt, patience] = [state(machine), 0, 1];
    for (let steps = 1; passed < cycles; steps++) {
      passed += this.step(machine);
      const round = passed - knownAt;
      if (patience && state(machine).every((value, index) => value === known[index])) {
        passed += round * Math.floor((cycles - passed) / round);
        patience = 0;
      } else if (steps === patience) {
        // It may have come to its round only now.
        [known, knownAt, patience] = [state(machine), passed, 2 * patience];
      }
    }
    return passed;
  }

  step(machine) {
    const before = machine.cycles;
    machine.step();
    return Math.max(1, machine.cycles - before);
  }

  readUint32(offset) {
    this.catchUp();
    return this.block.readUint32(offset);
  }

  writeUint32Atomic(offset, value, kind) {
    this.catchUp();
    this.block.writeUint32Atomic(offset, value, kind);
  }
}

module.exports = { Pio };
