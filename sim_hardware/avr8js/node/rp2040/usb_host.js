// The computer at the other end of a USB cable, with its driver for serial ports: USB 2.0 specification, chapters 8 and
// 9; CDC 1.2, PSTN 1.2. It enumerates what is plugged in, and opens the port, as Linux does but faster.
'use strict';

const { Alarm } = require('../alarm');

const MS = 16_000;
const DEBOUNCE = 10 * MS; // on Linux 100 ms
const RESET = 10 * MS;
const RECOVERY = 10 * MS; // USB 2.0, 7.1.7.5
const ADDRESS_RECOVERY = 2 * MS; // 9.2.6.3
const BYTE = 16_000_000 / 1_500_000; // at 12 Mbit/s
const OVERHEAD = 15 * BYTE; // of a transaction: token, header, handshake and pauses (5.8.4)
const PACKET_BYTES = 64;
const READ_BYTES = 128; // of Linux's driver
const TRIES = 3;
const ADDRESS = 5;
const LINE_ON = 3;
const TO_ENDPOINT = 2;
const CLEAR_FEATURE = 1;

/** Return a request: type, request, value, index, length; with data if they go to the device. */
function request(type, code, value, index, length, data = []) {
  const setup = Buffer.alloc(8);
  setup.writeUInt8(type, 0);
  setup.writeUInt8(code, 1);
  setup.writeUInt16LE(value, 2);
  setup.writeUInt16LE(index, 4);
  setup.writeUInt16LE(length, 6);
  return new Transfer(setup, Buffer.from(data));
}

const descriptor = (kind, length, index = 0, language = 0) => request(0x80, 6, (kind << 8) | index, language, length);
const lineState = (state) => request(0x21, 0x22, state, 0, 0);

/** One control transfer, which the host may break off after some transactions. */
class Transfer {
  constructor(setup, data, mostSteps = Infinity) {
    this.setup = setup;
    this.data = data;
    this.stepsLeft = mostSteps;
    this.length = setup.readUInt16LE(6);
    this.isToHost = (setup[0] & 0x80) !== 0;
    this.got = [];
    this.stage = 'setup';
    this.toggle = 1;
    this.tries = 0;
  }

  /** Make the next transaction; return whether it has moved the transfer on. `result` is set at its end. */
  step(controller, address) {
    const hasMoved = this.move(controller, address);
    if (hasMoved && --this.stepsLeft === 0) this.result ??= 'aborted';
    return hasMoved;
  }

  move(controller, address) {
    if (this.stage === 'setup') return this.begin(controller, address);
    return this.isIn ? this.read(controller, address) : this.write(controller, address);
  }

  get isIn() {
    return this.stage === 'data' ? this.isToHost : !this.isToHost || !this.length;
  }

  begin(controller, address) {
    if (controller.setup(address, this.setup)) this.stage = this.length ? 'data' : 'status';
    else if (++this.tries === TRIES) this.end('none');
    return true;
  }

  read(controller, address) {
    const { handshake, bytes, toggle } = controller.in(address, 0);
    if (handshake) return this.refuse(handshake);
    if (toggle !== this.toggle) controller.faults.push(`endpoint 0 sent toggle ${toggle}`);
    if (this.stage === 'status') return this.end(bytes.length ? 'babble' : 'ack');
    this.got.push(...bytes);
    this.toggle ^= 1;
    if (this.got.length > this.length) return this.end('babble');
    if (bytes.length < PACKET_BYTES || this.got.length === this.length) this.toStatus();
    return true;
  }

  write(controller, address) {
    const packet = this.stage === 'status' ? Buffer.alloc(0) : this.data.subarray(0, PACKET_BYTES);
    const handshake = controller.out(address, 0, this.toggle, packet);
    if (handshake !== 'ack') return this.refuse(handshake);
    if (this.stage === 'status') return this.end('ack');
    this.data = this.data.subarray(PACKET_BYTES);
    this.toggle ^= 1;
    if (!this.data.length) this.toStatus();
    return true;
  }

  refuse(handshake) {
    return handshake === 'nak' ? false : this.end(handshake);
  }

  toStatus() {
    this.stage = 'status';
    this.toggle = 1;
  }

  end(result) {
    this.result = result;
    return true;
  }
}

class UsbHost {
  /** `onByte(byte, cycle)` takes what an open port reads. */
  constructor(chip, baud, onByte) {
    Object.assign(this, { chip, baud, onByte });
    this.controller = null;
    this.isPlugged = true;
    this.wantsOpen = true;
    this.isReading = true;
    /** The results of transfers that were asked for, and the strings of the device. */
    this.results = [];
    this.strings = [];
    this.program = null;
    this.waiting = new Alarm(chip, () => this.advance());
    this.turning = new Alarm(chip, () => this.turn());
    this.framing = new Alarm(chip, () => this.startFrame());
    this.forget();
  }

  forget() {
    this.isRunning = this.isConfigured = this.isOpen = this.isTurning = false;
    this.address = this.frame = 0;
    this.transfer = null;
    this.asked = [];
    this.toSend = [];
    this.outToggle = this.inToggle = 0;
    this.unread = [];
  }

  // --- the cable ---

  /** Look at the chip of a new life. */
  meet(controller) {
    this.controller = controller;
    this.detach();
  }

  /** The device has switched its pull-up. */
  see(isAttached) {
    this.detach();
    if (isAttached && this.isPlugged) this.start(this.attach());
  }

  plug(isPlugged) {
    this.isPlugged = isPlugged;
    this.see(this.controller.isAttached);
  }

  detach() {
    this.forget();
    this.program = null;
    for (const alarm of [this.waiting, this.turning, this.framing]) alarm.cancel();
  }

  // --- what it does in turn: a program yields transfers, and times to wait ---

  start(program) {
    this.program = program;
    this.advance();
  }

  advance(transfer) {
    const { value, done } = this.program.next(transfer);
    if (done) this.program = null;
    else if (typeof value === 'number') this.waiting.set(this.chip.cycle + value);
    else this.transfer = value;
    this.wake();
  }

  *attach() {
    yield DEBOUNCE;
    yield* this.enumerate();
  }

  *enumerate() {
    this.forget();
    this.controller.reset();
    yield RESET + RECOVERY;
    this.isRunning = true;
    this.startFrame();
    yield descriptor(1, PACKET_BYTES);
    yield request(0, 5, ADDRESS, 0, 0);
    yield ADDRESS_RECOVERY;
    this.address = ADDRESS;
    const device = (yield descriptor(1, 18)).got;
    const head = (yield descriptor(2, 9)).got;
    yield descriptor(2, head[2] | (head[3] << 8));
    const language = (yield descriptor(3, 255)).got[2] | 0x400;
    this.strings = [];
    for (const index of device.slice(14, 17)) {
      const { got } = yield descriptor(3, 255, index, language);
      this.strings.push(Buffer.from(got.slice(2)).toString('utf16le'));
    }
    this.isConfigured = (yield request(0, 9, 1, 0, 0)).result === 'ack';
    if (this.wantsOpen) yield* this.openPort();
  }

  *openPort() {
    this.isOpen = true; // the driver reads before the line is on
    yield lineState(LINE_ON);
    yield this.lineCoding(this.baud);
  }

  *closePort() {
    yield lineState(0);
    this.isOpen = false;
  }

  lineCoding(baud) {
    const data = Buffer.from([0, 0, 0, 0, 0, 0, 8]);
    data.writeUInt32LE(baud, 0);
    return request(0x21, 0x20, 0, 0, data.length, data);
  }

  // --- what it is told to do ---

  send(bytes) {
    this.toSend.push(...bytes);
    this.wake();
  }

  command({ name, setup, data, steps, baud, isOn }) {
    if (name === 'transfer') this.asked.push(new Transfer(Buffer.from(setup), Buffer.from(data), steps ?? Infinity));
    else if (name === 'plug') this.plug(isOn);
    else if (name === 'read') this.isReading = isOn;
    else if (name === 'reset') this.start(this.enumerate());
    else if (name === 'baud') this.asked.push(this.lineCoding(baud));
    else if (name === 'open') this.setOpen(isOn);
    this.wake();
    const results = this.results.splice(0);
    return { results, strings: this.strings, isOpen: this.isOpen && this.program === null, faults: this.controller.faults };
  }

  setOpen(isOn) {
    this.wantsOpen = isOn;
    if (this.isConfigured) this.start(isOn ? this.openPort() : this.closePort());
  }

  // --- the bus ---

  startFrame() {
    this.controller.startFrame(this.frame++);
    this.framing.set(this.chip.cycle + MS);
  }

  wake() {
    if (!this.isRunning || this.isTurning) return;
    this.isTurning = true;
    this.turning.set(this.chip.cycle + OVERHEAD);
  }

  /** Make a transaction for each endpoint that has one to make. */
  turn() {
    this.isTurning = false;
    const bytes = [this.control(), this.write(), this.read()].filter((count) => count !== null);
    if (!bytes.length) return; // until something is offered
    this.isTurning = true;
    const cycles = bytes.reduce((sum, count) => sum + OVERHEAD + count * BYTE, 0);
    this.turning.set(this.chip.cycle + cycles);
  }

  control() {
    if (!this.transfer && !this.program && this.asked.length) this.transfer = this.asked.shift();
    const { transfer } = this;
    if (!transfer || !transfer.step(this.controller, this.address)) return null;
    if (transfer.result) {
      this.transfer = null;
      if (this.program) this.advance(transfer);
      else this.note(transfer);
    }
    return PACKET_BYTES;
  }

  note({ result, got, setup }) {
    this.results.push([result, ...got]);
    const isCleared = setup[0] === TO_ENDPOINT && setup[1] === CLEAR_FEATURE;
    if (isCleared && setup[4] === 0x02) this.outToggle = 0;
    if (isCleared && setup[4] === 0x82) this.inToggle = 0;
  }

  write() {
    if (!this.isConfigured || !this.toSend.length) return null;
    const packet = Buffer.from(this.toSend.slice(0, PACKET_BYTES));
    if (this.controller.out(this.address, 2, this.outToggle, packet) !== 'ack') return null;
    this.outToggle ^= 1;
    this.toSend.splice(0, packet.length);
    return packet.length;
  }

  read() {
    if (!this.isConfigured || !this.isOpen || !this.isReading) return null;
    const { handshake, bytes, toggle } = this.controller.in(this.address, 2);
    if (handshake) return null;
    if (toggle !== this.inToggle) this.controller.faults.push(`endpoint 2 sent toggle ${toggle}`);
    this.inToggle = toggle ^ 1;
    const end = Math.ceil(this.chip.cycle + OVERHEAD + bytes.length * BYTE);
    this.unread.push(...bytes);
    // A request to read ends with a short packet, or when it is full.
    if (bytes.length < PACKET_BYTES || this.unread.length >= READ_BYTES) this.unread.splice(0).forEach((byte) => this.onByte(byte, end));
    return bytes.length;
  }
}

module.exports = { UsbHost };
