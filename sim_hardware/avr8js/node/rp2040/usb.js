// The USB controller as a device, transaction by transaction. RP2040 datasheet, 4.1 (USB).
//
// That of rp2040js 1.4 is not used: it hands over a packet as soon as it is there, whether the host reads or not, has no
// data toggles and no frames, and asks nothing of the clocks.
'use strict';

const ADDRESS = 0x00;
const MAIN = 0x40;
const FRAME = 0x48;
const LINE = 0x4c;
const STATUS = 0x50;
const DONE = 0x58;
const STALL_CONTROL = 0x68;
const MUXING = 0x74;
const POWER = 0x78;
const RAISED = 0x8c;
const ENABLES = 0x90;
const CAUSES = 0x98;

const ENABLED = 1;
const TO_PHY = 1 << 0;
const SOFT_CONNECT = 1 << 3;
const VBUS_OVERRIDE = 3 << 2;
const PULL_UP = 1 << 16;
const CONTROL_INTERRUPTS = 1 << 29;
const GOT_SETUP = 1 << 17;
const GOT_RESET = 1 << 19;
const BUFFERS = 1 << 4;
const BUS_RESET = 1 << 12;
const SETUP = 1 << 16;
const FRAME_START = 1 << 17;

const BUFFER_CONTROL = 0x80;
const BUFFER_CONTROL_END = 0x100;
const CONTROL_BUFFER = 0x100;
const ENDPOINT_ENABLED = 1 << 31;
const ENDPOINT_INTERRUPTS = 1 << 29;
const BULK = 2;
const LENGTH = 0x3ff;
const AVAILABLE = 1 << 10;
const STALL = 1 << 11;
const DATA_1 = 1 << 13;
const FULL = 1 << 15;
const HZ_48 = 48_000_000;
const MICROS_OF_FRAME = 1000;
const SAFE_MICROS = 800; // erratum RP2040-E15

class UsbController {
  /**
   * `onAttached(isAttached)` is called when the pull-up of the data line goes on or off, `onOffer()` when the program
   * has changed a buffer, `onInterrupt(isAsked)` when the interrupt changes.
   */
  constructor(rp, { onAttached, onOffer, onInterrupt }) {
    Object.assign(this, { rp, onAttached, onOffer, onInterrupt });
    this.registers = { [ADDRESS]: 0, [MAIN]: 0, [LINE]: 0, [STALL_CONTROL]: 0, [MUXING]: 0, [POWER]: 0, [ENABLES]: 0 };
    this.status = 0;
    this.done = 0;
    this.frameNumber = 0;
    this.frameMicros = -Infinity;
    this.hasFrame = false;
    this.isAttached = false;
    /** What the program has done wrong. */
    this.faults = [];
    this.offers = new Map();
  }

  // --- registers and memory ---

  readUint32(offset) {
    if (offset === FRAME) {
      this.hasFrame = false;
      this.tell();
      return this.frameNumber;
    }
    if (offset === STATUS) return this.status;
    if (offset === DONE) return this.done;
    if (offset === RAISED) return this.raised;
    if (offset === CAUSES) return this.raised & this.registers[ENABLES];
    return this.registers[offset] ?? 0;
  }

  writeUint32Atomic(offset, value, kind) {
    // Bits of these are cleared by a 1, also through the alias that clears.
    if (offset === STATUS) this.status &= ~value;
    else if (offset === DONE) this.done &= ~value;
    else {
      const before = this.registers[offset] ?? 0;
      this.registers[offset] = [value, before ^ value, before | value, before & ~value][kind] >>> 0;
    }
    this.connect();
    this.tell();
  }

  get raised() {
    return (
      (this.done ? BUFFERS : 0) | (this.status & GOT_RESET ? BUS_RESET : 0) |
      (this.status & GOT_SETUP ? SETUP : 0) | (this.hasFrame ? FRAME_START : 0)
    );
  }

  tell() {
    this.onInterrupt((this.raised & this.registers[ENABLES]) !== 0);
  }

  connect() {
    const { registers } = this;
    const isAttached =
      (registers[MAIN] & 3) === ENABLED && (registers[LINE] & PULL_UP) !== 0 && this.isClocked &&
      registers[MUXING] === (TO_PHY | SOFT_CONNECT) && (registers[POWER] & VBUS_OVERRIDE) === VBUS_OVERRIDE;
    if (isAttached === this.isAttached) return;
    this.isAttached = isAttached;
    this.onAttached(isAttached);
  }

  get isClocked() {
    const { pllUsb, clocks } = this.rp;
    const isFromPll = (clocks.usbCtrl & (1 << 11)) !== 0 && ((clocks.usbCtrl >> 5) & 7) === 0;
    return isFromPll && pllUsb.frequency === HZ_48 && (pllUsb.pwr & 0x29) === 0;
  }

  word(offset) {
    return this.rp.usbDPRAMView.getUint32(offset, true);
  }

  setWord(offset, value) {
    this.rp.usbDPRAMView.setUint32(offset, value, true);
  }

  /** rp2040js calls this after each write to the memory. */
  DPRAMUpdated(offset, value) {
    if (offset < BUFFER_CONTROL || offset >= BUFFER_CONTROL_END) return;
    const before = this.offers.get(offset) ?? 0;
    this.offers.set(offset, value);
    if (value & AVAILABLE) this.checkOffer(offset, before, value);
    this.onOffer();
  }

  checkOffer(offset, before, value) {
    // 4.1.2.5.1: the other bits come first.
    if ((before | AVAILABLE) !== value) this.faults.push(`the word at ${offset} became available at once`);
    const isBulkIn = offset > BUFFER_CONTROL + 4 && !(offset & 4) && ((this.word(offset - BUFFER_CONTROL) >> 26) & 3) === BULK;
    const micros = this.rp.clock.micros - this.frameMicros;
    if (isBulkIn && micros > SAFE_MICROS + 1 && micros < MICROS_OF_FRAME) {
      this.faults.push(`a packet was offered ${micros} us after the start of a frame`);
    }
  }

  // --- what the host does on the bus ---

  reset() {
    this.status |= GOT_RESET;
    this.tell();
  }

  startFrame(number) {
    this.frameNumber = number & 0x7ff;
    this.frameMicros = this.rp.clock.micros;
    this.hasFrame = true;
    this.tell();
  }

  isFor(address) {
    return this.isAttached && (this.registers[ADDRESS] & 0x7f) === address;
  }

  /** Send a SETUP; return whether it was acknowledged. */
  setup(address, bytes) {
    if (!this.isFor(address)) return false;
    this.rp.usbDPRAM.set(bytes, 0);
    this.registers[STALL_CONTROL] = 0;
    this.status |= GOT_SETUP;
    this.tell();
    return true;
  }

  /** Return what is offered by an endpoint's buffer: a handshake, or null if the buffer is available. */
  handshake(address, endpoint, isOut) {
    const offset = BUFFER_CONTROL + 8 * endpoint + 4 * isOut;
    const isEnabled = endpoint ? (this.word(8 * endpoint + 4 * isOut) & ENDPOINT_ENABLED) !== 0 : true;
    if (!this.isFor(address) || !isEnabled) return 'none';
    const isStalled = endpoint || this.registers[STALL_CONTROL] & (1 << isOut);
    if (this.word(offset) & STALL && isStalled) return 'stall';
    const isOffered = (this.word(offset) & AVAILABLE) !== 0 && ((this.word(offset) & FULL) === 0) === (isOut === 1);
    return isOffered ? null : 'nak';
  }

  bufferAt(endpoint, isOut) {
    return endpoint ? this.word(8 * endpoint + 4 * isOut) & 0xffc0 : CONTROL_BUFFER;
  }

  finish(endpoint, isOut, word) {
    this.setWord(BUFFER_CONTROL + 8 * endpoint + 4 * isOut, word);
    const isTold = endpoint ? this.word(8 * endpoint + 4 * isOut) & ENDPOINT_INTERRUPTS : this.registers[LINE] & CONTROL_INTERRUPTS;
    if (isTold) this.done |= 1 << (2 * endpoint + isOut);
    this.tell();
  }

  /** Read a packet: its bytes and its toggle, or a handshake. */
  in(address, endpoint) {
    const handshake = this.handshake(address, endpoint, 0);
    if (handshake) return { handshake };
    const word = this.word(BUFFER_CONTROL + 8 * endpoint);
    const at = this.bufferAt(endpoint, 0);
    const bytes = this.rp.usbDPRAM.slice(at, at + (word & LENGTH));
    this.finish(endpoint, 0, word & ~(AVAILABLE | FULL));
    return { bytes, toggle: word & DATA_1 ? 1 : 0 };
  }

  /** Write a packet; return the handshake. One of the other toggle is acknowledged, and dropped: it was a repetition. */
  out(address, endpoint, toggle, bytes) {
    const handshake = this.handshake(address, endpoint, 1);
    if (handshake) return handshake;
    const word = this.word(BUFFER_CONTROL + 8 * endpoint + 4);
    if ((word & DATA_1 ? 1 : 0) !== toggle) {
      this.faults.push(`endpoint ${endpoint} expected another toggle than ${toggle}`);
      return 'ack';
    }
    this.rp.usbDPRAM.set(bytes.subarray(0, word & LENGTH), this.bufferAt(endpoint, 1));
    this.finish(endpoint, 1, (word & ~(AVAILABLE | LENGTH)) | FULL | bytes.length);
    return 'ack';
  }
}

module.exports = { UsbController };
