// An event of the outside at a cycle, which a reset of the chip does not cancel.
'use strict';

class Alarm {
  /** `callback()` runs at the cycle that was set last. */
  constructor(chip, callback) {
    this.chip = chip;
    this.due = null;
    this.ring = () => {
      this.due = null;
      callback();
    };
    chip.alarms.push(this);
  }

  set(cycle) {
    if (this.due !== null) this.chip.callOff(this.ring);
    this.due = cycle;
    this.enlist();
  }

  cancel() {
    if (this.due !== null) this.chip.callOff(this.ring);
    this.due = null;
  }

  /** Hand it to the chip's list of events, which is empty after a reset. */
  enlist() {
    if (this.due !== null) this.chip.callAt(Math.ceil(this.due), this.ring);
  }
}

module.exports = { Alarm };
