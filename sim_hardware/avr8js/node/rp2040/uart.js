// UART 0, with eight bits of data and one stop bit. RP2040 datasheet, 4.2 (UART).
//
// The UART of rp2040js 1.4 is not used: it sends a byte at once, whatever its speed, and its receiver neither waits for
// some bytes nor overflows.
'use strict';

const { Line, Sampler } = require('../line');

const DR = 0x00;
const FR = 0x18;
const IBRD = 0x24;
const FBRD = 0x28;
const LCR_H = 0x2c;
const CR = 0x30;
const IFLS = 0x34;
const IMSC = 0x38;
const RIS = 0x3c;
const MIS = 0x40;
const ICR = 0x44;

const RXFE = 0x10;
const TXFF = 0x20;
const RXFF = 0x40;
const TXFE = 0x80;
const FEN = 0x10;
const RX = 0x10;
const TX = 0x20;
const TIMEOUT = 0x40;
const ROOM = 32;
const TIMEOUT_BITS = 32;
const LEVELS = [4, 8, 16, 24, 28]; // of ROOM, by IFLS
const HZ = 16_000_000;

class Uart {
  /**
   * `chip` has `cycle`, `callAt` and `callOff`, in units of HZ; `hertz()` is the peripheral clock. `onOutput()` is called
   * when the output has got a byte, `onInterrupt(isAsked)` when the interrupt changes, `onLost(byte)` for a byte that
   * found no room.
   */
  constructor(chip, hertz, input, output, { onOutput, onInterrupt, onLost }) {
    Object.assign(this, { chip, hertz, output, onOutput, onInterrupt, onLost });
    this.registers = { [IBRD]: 0, [FBRD]: 0, [LCR_H]: 0, [CR]: 0x300, [IFLS]: 0x12, [IMSC]: 0 };
    this.received = [];
    this.toSend = [];
    this.isSending = false;
    this.raised = 0;
    this.onSample = () => this.sampler.sample();
    this.onSent = () => this.endByte();
    this.onTimeout = () => this.raise(TIMEOUT);
    this.sampler = new Sampler(
      input,
      (cycle) => this.chip.callAt(Math.ceil(cycle), this.onSample),
      (byte, isFramed) => this.receive(byte, isFramed),
    );
  }

  get room() {
    return this.registers[LCR_H] & FEN ? ROOM : 1;
  }

  get stepCycles() {
    return ((this.registers[IBRD] + this.registers[FBRD] / 64) * HZ) / this.hertz();
  }

  level(shift) {
    return this.registers[LCR_H] & FEN ? LEVELS[(this.registers[IFLS] >> shift) & 7] : 1;
  }

  // --- registers ---

  readUint32(offset) {
    if (offset === DR) return this.take();
    if (offset === FR) {
      const { received, toSend, room } = this;
      return (
        (received.length ? 0 : RXFE) | (received.length >= room ? RXFF : 0) |
        (toSend.length ? 0 : TXFE) | (toSend.length >= room ? TXFF : 0)
      );
    }
    if (offset === RIS) return this.raised;
    if (offset === MIS) return this.raised & this.registers[IMSC];
    return this.registers[offset] ?? 0;
  }

  writeUint32(offset, value) {
    if (offset === DR) this.put(value & 0xff);
    else if (offset === ICR) this.lower(value);
    else {
      this.registers[offset] = value;
      if (offset === CR || offset === LCR_H) this.listen();
      this.tell();
    }
  }

  /** The aliases that change some bits of a register: 2.1.2. */
  writeUint32Atomic(offset, value, kind) {
    const before = kind ? this.readUint32(offset) : 0;
    this.writeUint32(offset, [value, before ^ value, before | value, before & ~value][kind] >>> 0);
  }

  // --- interrupts ---

  raise(flags) {
    this.raised |= flags;
    this.tell();
  }

  lower(flags) {
    this.raised &= ~flags;
    this.tell();
  }

  tell() {
    this.onInterrupt((this.raised & this.registers[IMSC]) !== 0);
  }

  // --- from the host ---

  listen() {
    this.chip.callOff(this.onSample);
    if (this.registers[CR] & 1) this.sampler.listen(this.chip.cycle, this.stepCycles, 16, 8);
    else this.sampler.stop();
  }

  receive(byte, isFramed) {
    const { received } = this;
    if (received.length >= this.room) this.onLost(byte);
    else received.push(isFramed ? byte : byte | 0x100);
    this.wait();
    if (received.length >= this.level(3)) this.raise(RX);
  }

  /** What is left in the FIFO is announced after a while without a further byte. */
  wait() {
    this.chip.callOff(this.onTimeout);
    if (this.received.length) this.chip.callAt(this.chip.cycle + TIMEOUT_BITS * 16 * this.stepCycles, this.onTimeout);
  }

  take() {
    const byte = this.received.shift() ?? 0;
    if (this.received.length < this.level(3)) this.lower(RX);
    if (!this.received.length) this.lower(TIMEOUT);
    this.wait();
    return byte;
  }

  // --- to the host ---

  put(byte) {
    if (this.toSend.length >= this.room) return;
    this.toSend.push(byte);
    if (this.toSend.length > this.level(0)) this.lower(TX);
    if (!this.isSending) this.endByte();
  }

  endByte() {
    const byte = this.toSend.shift();
    this.isSending = byte !== undefined;
    if (!this.isSending) return;
    // The interrupt comes when the FIFO falls to its level: 4.2.6.2.
    if (this.toSend.length === this.level(0) || !(this.registers[LCR_H] & FEN)) this.raise(TX);
    const end = this.output.put(byte, this.chip.cycle, 16 * this.stepCycles);
    this.onOutput();
    this.chip.callAt(end, this.onSent);
  }
}

module.exports = { Line, Uart };
