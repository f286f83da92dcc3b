// Changes of levels that a chip is told before they come.
'use strict';

const { Alarm } = require('./alarm');

const CHANGE_BYTES = 12;

class Script {
  constructor(chip) {
    this.chip = chip;
    this.changes = [];
    this.made = 0;
    this.alarm = new Alarm(chip, () => this.makeDue());
  }

  /** Take changes in the place of those that are still to come: each a cycle (double), a port, a bit and a level. */
  play(content) {
    this.changes = [];
    for (let at = 0; at < content.length; at += CHANGE_BYTES) {
      const [port, bit, level] = content.subarray(at + 8);
      this.changes.push({ cycle: content.readDoubleLE(at), port, bit, level });
    }
    this.made = 0;
    this.makeDue();
  }

  makeDue() {
    const now = this.chip.cycle;
    for (; this.made < this.changes.length && this.changes[this.made].cycle <= now; this.made++) {
      const change = this.changes[this.made];
      change.cycle = now;
      this.chip.pin(change.port, change.bit, change.level);
    }
    if (this.made < this.changes.length) this.alarm.set(this.changes[this.made].cycle);
  }

  /** The cycle at which each change was made, or will be. */
  get cycles() {
    return this.changes.map(({ cycle }) => cycle);
  }
}

module.exports = { Script };
