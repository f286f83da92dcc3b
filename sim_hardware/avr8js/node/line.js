// One direction of the serial line, bit by bit, and what a receiver makes of it.
//
// Both ends may have different speeds: then a byte is what the receiver samples, and its stop bit may be missing.
'use strict';

const BITS = 10; // start, eight of data, stop
const LOG = 64; // changes that are kept: those of six bytes or more

/** The levels of a wire that is high at rest. */
class Line {
  constructor() {
    this.cycles = [-Infinity];
    this.levels = [1];
  }

  /** Add the bits of a byte from a cycle on; return the cycle at which its stop bit ends. */
  put(byte, start, bitCycles) {
    const frame = (byte << 1) | 0x200;
    for (let bit = 0; bit < BITS; bit++) this.change(start + bit * bitCycles, (frame >> bit) & 1);
    return start + BITS * bitCycles;
  }

  change(cycle, level) {
    const { cycles, levels } = this;
    if (levels[levels.length - 1] === level) return;
    cycles.push(cycle);
    levels.push(level);
    if (cycles.length > 2 * LOG) {
      cycles.splice(0, LOG);
      levels.splice(0, LOG);
    }
  }

  /** Let it rest from a cycle on, whatever was still to come. */
  release(cycle) {
    while (this.cycles[this.cycles.length - 1] >= cycle) {
      this.cycles.pop();
      this.levels.pop();
    }
    this.change(cycle, 1);
  }

  levelAt(cycle) {
    let index = this.cycles.length - 1;
    while (this.cycles[index] > cycle) index--;
    return this.levels[index];
  }

  /** Return the cycle of the first fall at or after a cycle; undefined if there is none yet. */
  fallAfter(cycle) {
    const index = this.cycles.findIndex((at, place) => at >= cycle && this.levels[place] === 0);
    return index < 0 ? undefined : this.cycles[index];
  }
}

/**
 * Samples a line. Each bit has `steps` samples, of which three in its middle vote: ATmega328P datasheet, Asynchronous
 * Data Reception. The level is known up to now, so a byte is sampled when its stop bit has been.
 */
class Sampler {
  /** `wake(cycle)` asks for a call of `sample` at a cycle; `deliver(byte, isFramed, start)` takes what was received. */
  constructor(line, wake, deliver) {
    this.line = line;
    this.wake = wake;
    this.deliver = deliver;
    this.listensFrom = Infinity;
    this.start = undefined;
  }

  /** Begin to listen at a cycle. `first` is the number of the first sample that votes. */
  listen(cycle, stepCycles, steps, first) {
    this.stepCycles = stepCycles;
    this.steps = steps;
    this.first = first;
    this.listensFrom = cycle;
    this.start = undefined;
    this.notice();
  }

  stop() {
    this.listensFrom = Infinity;
    this.start = undefined;
  }

  /** Look for a start bit; call it when the line has changed. */
  notice() {
    if (this.start !== undefined) return;
    const fall = this.line.fallAfter(this.listensFrom);
    if (fall === undefined) return;
    // The first sample that is low counts as the first of the start bit.
    this.start = Math.ceil(fall / this.stepCycles) * this.stepCycles;
    this.wake(this.voteEnd(BITS - 1));
  }

  sample() {
    if (this.start === undefined) return;
    const { start } = this;
    this.start = undefined;
    if (this.vote(start, 0)) {
      this.listensFrom = start + this.first * this.stepCycles; // too short for a start bit
    } else {
      let byte = 0;
      for (let bit = 0; bit < 8; bit++) byte |= this.vote(start, bit + 1) << bit;
      // The next start bit may begin after the last vote of this stop bit.
      this.listensFrom = start + ((BITS - 1) * this.steps + this.first + 1) * this.stepCycles;
      this.deliver(byte, this.vote(start, BITS - 1) === 1, start);
    }
    this.notice();
  }

  voteEnd(bit) {
    return this.start + (bit * this.steps + this.first + 1) * this.stepCycles;
  }

  vote(start, bit) {
    let highs = 0;
    for (let sample = 0; sample < 3; sample++) {
      highs += this.line.levelAt(start + (bit * this.steps + this.first - 1 + sample) * this.stepCycles);
    }
    return highs > 1 ? 1 : 0;
  }
}

module.exports = { BITS, Line, Sampler };
