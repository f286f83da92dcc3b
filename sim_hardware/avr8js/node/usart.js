// USART0 in its asynchronous mode, with eight bits of data and one stop bit. ATmega328P datasheet, chapter 20 (USART0);
// ATmega2560, chapter 22.
//
// The USART of avr8js 0.21 is not used: it passes whole bytes, whatever their speed; its receiver has room for one; a
// write to UCSRnB drops a byte that was received, and one to UCSRnA clears UDREn.
'use strict';

const { Line, Sampler } = require('./line');

const UCSRA = 0xc0;
const UCSRB = 0xc1;
const UCSRC = 0xc2;
const UBRRL = 0xc4;
const UBRRH = 0xc5;
const UDR = 0xc6;

const RXC = 0x80;
const TXC = 0x40;
const UDRE = 0x20;
const FE = 0x10;
const DOR = 0x08;
const SPEED = 0x03; // U2X and MPCM
const U2X = 0x02;
const RXEN = 0x10;
const TXEN = 0x08;
const ROOM = 3; // two bytes in the buffer, and one in the shift register

class Usart {
  /**
   * `input` is the line from the host, `output` that to the host; `onOutput()` is called when the output has got a byte,
   * `onLost(byte)` when a byte was received that nothing could take.
   */
  constructor(cpu, vectors, input, output, onOutput, onLost) {
    this.cpu = cpu;
    this.output = output;
    this.onOutput = onOutput;
    this.onLost = onLost;
    this.received = [];
    this.isSending = false;
    this.waiting = null;
    const interrupt = (address, mask, constant) => ({
      address, flagRegister: UCSRA, flagMask: mask, enableRegister: UCSRB, enableMask: mask, constant,
    });
    this.RX = interrupt(vectors.received, RXC, true);
    this.EMPTY = interrupt(vectors.empty, UDRE, true);
    this.SENT = interrupt(vectors.sent, TXC, false);
    this.onByteSent = () => this.endByte();
    this.onSample = () => this.sampler.sample();
    this.sampler = new Sampler(
      input,
      (cycle) => cpu.addClockEvent(this.onSample, Math.ceil(cycle) - cpu.cycles),
      (byte, isFramed) => this.receive(byte, isFramed),
    );
    cpu.data[UCSRA] = UDRE;
    cpu.data[UCSRC] = 0x06;
    this.connectRegisters();
  }

  connectRegisters() {
    const { cpu } = this;
    const { data, readHooks, writeHooks } = cpu;
    writeHooks[UCSRA] = (value) => {
      if (value & TXC) cpu.clearInterrupt(this.SENT);
      const isChanged = (data[UCSRA] ^ value) & SPEED;
      data[UCSRA] ^= isChanged;
      if (isChanged) this.configure(); // not in the middle of a byte
      return true;
    };
    writeHooks[UCSRB] = (value) => {
      const before = data[UCSRB];
      data[UCSRB] = value;
      if ((before ^ value) & RXEN) {
        this.received.length = 0;
        this.configure();
      }
      this.showReceived();
      for (const interrupt of [this.RX, this.EMPTY, this.SENT]) cpu.updateInterruptEnable(interrupt, value);
      return true;
    };
    for (const register of [UBRRL, UBRRH]) {
      writeHooks[register] = (value) => {
        data[register] = value;
        this.configure();
        return true;
      };
    }
    readHooks[UDR] = () => {
      const next = this.received.shift();
      this.showReceived();
      return next ? next.byte : 0;
    };
    writeHooks[UDR] = (value) => {
      if (!(data[UCSRB] & TXEN)) return true;
      if (this.isSending) {
        this.waiting = value;
        cpu.clearInterrupt(this.EMPTY);
      } else {
        this.send(value);
      }
      return true;
    };
  }

  get stepCycles() {
    const { data } = this.cpu;
    return (((data[UBRRH] & 0x0f) << 8) | data[UBRRL]) + 1;
  }

  get steps() {
    return this.cpu.data[UCSRA] & U2X ? 8 : 16;
  }

  /** Begin to listen at the present speed, or stop. */
  configure() {
    this.cpu.clearClockEvent(this.onSample);
    const { steps } = this;
    if (!(this.cpu.data[UCSRB] & RXEN)) this.sampler.stop();
    // Samples 8, 9 and 10 of 16 vote, or 4, 5 and 6 of 8.
    else this.sampler.listen(this.cpu.cycles, this.stepCycles, steps, steps === 8 ? 4 : 8);
  }

  receive(byte, isFramed) {
    const { received } = this;
    if (received.length >= ROOM) {
      received[received.length - 1].isFollowedByLoss = true;
      this.onLost(byte);
    } else {
      received.push({ byte, isFramed });
    }
    this.showReceived();
  }

  /** Set the flags of the oldest byte in the buffer. */
  showReceived() {
    const { cpu, received } = this;
    const [next] = received;
    let flags = cpu.data[UCSRA] & ~(FE | DOR);
    if (next && !next.isFramed) flags |= FE;
    if (next && next.isFollowedByLoss) flags |= DOR;
    cpu.data[UCSRA] = flags;
    if (next) cpu.setInterruptFlag(this.RX);
    else cpu.clearInterrupt(this.RX);
  }

  send(byte) {
    const { cpu } = this;
    this.isSending = true;
    cpu.clearInterrupt(this.SENT);
    cpu.setInterruptFlag(this.EMPTY);
    const end = this.output.put(byte, cpu.cycles, this.stepCycles * this.steps);
    this.onOutput();
    cpu.addClockEvent(this.onByteSent, end - cpu.cycles);
  }

  endByte() {
    const { cpu, waiting } = this;
    this.isSending = false;
    if (waiting !== null) {
      this.waiting = null;
      this.send(waiting);
    } else {
      cpu.setInterruptFlag(this.SENT);
    }
  }
}

/** The host's end of both lines, which no reset of the chip changes. */
class HostPort {
  /** `onByte(byte, end)` is called for each byte of the chip; `end` is the cycle at which its stop bit ends. */
  constructor(bitCycles, alarm, onByte) {
    this.toChip = new Line();
    this.fromChip = new Line();
    this.bitCycles = bitCycles;
    this.queue = [];
    this.isSending = false;
    this.onStart = () => {}; // set by the chip
    this.next = alarm(() => this.sendNext());
    this.sampling = alarm(() => this.sampler.sample());
    this.sampler = new Sampler(
      this.fromChip,
      (cycle) => this.sampling.set(cycle),
      (byte, isFramed, start) => onByte(byte, Math.ceil(start + 10 * bitCycles)),
    );
    this.sampler.listen(0, bitCycles / 16, 16, 8);
  }

  send(bytes, now) {
    for (const byte of bytes) this.queue.push(byte);
    if (!this.isSending) this.sendNext(now);
  }

  sendNext(now = this.freeAt) {
    const byte = this.queue.shift();
    this.isSending = byte !== undefined;
    if (!this.isSending) return;
    this.freeAt = this.toChip.put(byte, now, this.bitCycles);
    this.onStart();
    this.next.set(this.freeAt);
  }
}

module.exports = { HostPort, Usart };
