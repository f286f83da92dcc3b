// What a speaker's pin sounds like: a frequency when two windows of some periods agree on it, and when it is silent.
//
// It answers as that of the other simulator does (sim_hardware/avr/shim/sound.c), because devices and tests take both.
'use strict';

const { Alarm } = require('./alarm');

const HZ = 16_000_000;
const LONGEST_PERIOD = (HZ / 1000) * 50;
const WINDOW = (HZ / 1000) * 2;

/** Whether two frequencies differ by at most 1 %. */
const agree = (hz, other) => hz > 0 && Math.abs(hz - other) * 100 <= other;

class Ear {
  /** `tell(cycle, value)` takes a frequency in hertz, or 0 or 1 for steadily off or on. */
  constructor(chip, tell) {
    this.tell = (cycle, value) => {
      if (value === this.hz) return;
      this.hz = value;
      tell(cycle, value);
    };
    this.chip = chip;
    this.level = 0;
    this.hz = 0; // as reported
    this.edge = this.rise = this.onset = 0; // cycles: the last edge, the last rise, when the present sound began
    this.start = 0; // the rise that began the present window, or 0
    this.periods = 0; // in the present window
    this.reading = 0; // the last window's frequency
    this.silence = new Alarm(chip, () => this.checkSilence());
  }

  /** How long after an edge it is silent. */
  get patience() {
    const usual = this.reading ? Math.floor(((HZ / this.reading) * 3) / 2) : LONGEST_PERIOD;
    return Math.min(usual, LONGEST_PERIOD);
  }

  frequency(cycles) {
    return Math.floor((HZ * this.periods + cycles / 2) / cycles);
  }

  hear(level) {
    const now = this.chip.cycle;
    // The alarm was set with more patience than there is now.
    if (level && this.start && now > this.edge + this.patience) this.fallSilent();
    this.level = level;
    this.edge = now;
    if (!level) {
      if (!this.start) this.tell(now, 0); // it was on for long
      return;
    }
    this.rise = now;
    if (!this.start) {
      this.start = this.onset = now;
      this.silence.set(now + this.patience);
      return;
    }
    this.periods++;
    if (this.periods >= 2 && now - this.start >= WINDOW) this.endWindow(now);
  }

  endWindow(now) {
    const heard = this.frequency(now - this.start);
    if (this.hz < 2 || !agree(this.hz, heard)) {
      if (agree(this.reading, heard)) this.tell(this.onset, heard);
      else if (this.reading && this.hz > 1) this.onset = this.start; // it is changing: not before this window
    }
    this.reading = heard;
    this.start = now;
    this.periods = 0;
    this.silence.set(now + this.patience);
  }

  checkSilence() {
    if (!this.start) return;
    const end = this.edge + this.patience;
    if (this.chip.cycle < end) this.silence.set(end);
    else this.fallSilent();
  }

  fallSilent() {
    // Too short for two windows that agree.
    if (this.hz < 2 && this.periods) this.tell(this.onset, this.frequency(this.rise - this.start));
    if (!this.hz) this.tell(this.onset, 1); // no tone: it was switched
    if (!this.level) this.tell(this.edge, 0);
    this.reading = this.periods = this.start = 0;
  }
}

module.exports = { Ear };
