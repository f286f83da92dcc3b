// An encoder at two pins of a chip, which someone turns.
'use strict';

const STEP_CYCLES = 8; // 0.5 us: faster than any wheel, so that its position is soon what it was set to
const LEVELS = [[0, 0], [1, 0], [1, 1], [0, 1]]; // upward the edges of the first pin come first

class Wheel {
  constructor(chip, pinA, pinB) {
    Object.assign(this, { chip, pinA, pinB });
    this.at = 0;
    this.left = 0;
    this.onStep = () => this.step();
  }

  turn(steps) {
    if (this.left === 0 && steps !== 0) this.chip.callAt(this.chip.cycle + 1, this.onStep);
    this.left += steps;
  }

  step() {
    const way = Math.sign(this.left);
    this.at += way;
    this.left -= way;
    const [a, b] = LEVELS[this.at & 3];
    this.chip.setInput(this.pinA, a);
    this.chip.setInput(this.pinB, b);
    if (this.left !== 0) this.chip.callAt(this.chip.cycle + STEP_CYCLES, this.onStep);
  }
}

module.exports = { Wheel };
