// One chip: the core of avr8js with peripherals around it, driven from outside in exact steps.
//
// A reset builds a new core and new peripherals, so that nothing is left of the time before but what the real chip
// keeps: registers 0 to 31, RAM, EEPROM, the flags of MCUSR, and what is outside at its pins.
'use strict';

const { AVRADC, CPU, avrInstruction, avrInterrupt } = require('./avr8js');
const { Alarm } = require('./alarm');
const { Ear } = require('./ear');
const { Eeprom } = require('./eeprom');
const { readFlash } = require('./hex_files');
const kinds = require('./kinds');
const { Leads, PinInterrupts, Port } = require('./pins');
const { Script } = require('./script');
const { Timer } = require('./timers');
const { HostPort, Usart } = require('./usart');
const { MCUSR, WDRF, Watchdog } = require('./watchdog');

const HZ = 16_000_000;
const PORTS = 'ABCDEFGHIJKL';

// Kinds of events; the numbers are those of TraceEvent in sim_hardware/avr/chip.py.
const BYTE = 0;
const LEVEL = 1;
const TONE = 2;
const RESET = 3;
const OVERRUN = 4;
const CRASH = 5;
const MOST_BYTES = 32; // of a frame, which wait for its end

const POWER_ON = 1;
const REGISTERS = 0x20;
const FIRST_256 = 0x100; // bytes of data memory that avr8js adds to those that it is asked for
const SMCR = 0x53;
const SLEEP_ENABLED = 0x01;
const SREG = 0x5f;
const INTERRUPTS_ON = 0x80;
const WAKE_CYCLES = 4; // ATmega328P datasheet, Interrupt Response Time
const AVR8JS_RESPONSE_CYCLES = 2; // which avr8js 0.21 adds, instead of four or five

const OP_SEI = 0x9478;
const OP_RETI = 0x9518;
const OP_SLEEP = 0x9588;
const OP_CBI = 0x9800; // and up to 0x98ff
const OP_ERASED = 0xffff;
const OP_HANG = 0xcfff; // rjmp to itself

/** A pin that is watched: what the program does to it goes to the host, to an ear or to another pin. */
class Lead {
  constructor(chip, bit, number, rest, isSpeaker) {
    this.chip = chip;
    this.bit = bit;
    this.number = number;
    this.ear = isSpeaker ? new Ear(chip, (cycle, value) => chip.push(cycle, TONE, number, value)) : null;
    this.joined = null;
    this.setRest(rest);
  }

  setRest(rest) {
    this.rest = this.level = rest;
  }

  /** Take the level of the pin. */
  show(level) {
    if (level === this.level) return;
    this.level = level;
    if (this.joined) this.chip.pin(...this.joined, level);
    if (this.ear) this.ear.hear(level);
    else this.chip.push(this.chip.cpu.cycles, LEVEL, this.number, level);
  }
}

class AvrChip {
  /** `start` is the byte address at which the program begins after a reset; `seed` decides the noise of RAM and ADC. */
  constructor({ kind, files, start, baud, seed }) {
    this.kind = kinds[kind];
    this.start = start >> 1;
    this.seed = seed ^ 0x5bd1e995;
    const flash = readFlash(files, this.kind.flashBytes);
    this.program = new Uint16Array(flash.buffer);
    this.startOfHang = this.freeWord();
    this.eepromMemory = new Uint8Array(this.kind.eepromBytes).fill(0xff);
    this.alarms = [];
    this.leads = Object.fromEntries(Object.keys(this.kind.ports).map((name) => [name, new Leads()]));
    this.events = [];
    this.mustReturn = false;
    this.resetBy = 0;
    this.life = 0;
    this.script = new Script(this);
    this.host = new HostPort(HZ / baud, (callback) => new Alarm(this, callback), (byte, end) => this.push(end, BYTE, this.life, byte));
    this.boot(POWER_ON, null);
  }

  // --- power and resets ---

  /** Start the program after a reset; without the chip of the time before, its power has come on. */
  boot(cause, before) {
    const { kind } = this;
    const cpu = new CPU(this.program, kind.dataBytes - FIRST_256);
    if (before) {
      cpu.data.set(before.data.subarray(0, REGISTERS));
      cpu.data.set(before.data.subarray(kind.ramStart), kind.ramStart);
    } else {
      for (let at = 0; at < REGISTERS; at++) cpu.data[at] = this.noise() >>> 24;
      for (let at = kind.ramStart; at < kind.dataBytes; at++) cpu.data[at] = this.noise() >>> 24;
    }
    cpu.cycles = this.cpu ? this.cpu.cycles : 0;
    cpu.data[MCUSR] = cause;
    cpu.pc = this.start;
    this.cpu = cpu;
    this.isAsleep = false;
    this.host.fromChip.release(cpu.cycles);
    for (const alarm of this.alarms) alarm.enlist();
    this.connect();
  }

  connect() {
    const { cpu, host, kind } = this;
    const interrupts = new PinInterrupts(cpu, kind);
    this.ports = {};
    for (const [name, registers] of Object.entries(kind.ports)) {
      this.ports[name] = new Port(cpu, registers, this.leads[name], (...change) => interrupts.pinsChanged(...change));
    }
    this.timers = kind.timers.map((config) => new Timer(cpu, config));
    this.usart = new Usart(
      cpu, kind.usart, host.toChip, host.fromChip,
      () => host.sampler.notice(),
      (byte) => this.push(cpu.cycles, OVERRUN, 0, byte),
    );
    host.onStart = () => this.usart.sampler.notice();
    this.watchdog = new Watchdog(cpu, kind.watchdog, () => {
      this.resetBy = WDRF;
      this.mustReturn = true;
    });
    this.eeprom = new Eeprom(cpu, kind.eeprom, this.eepromMemory);
    const adc = new AVRADC(cpu, kind.adc);
    adc.onADCRead = () => cpu.addClockEvent(() => adc.completeADCRead(this.noise() >>> 22), adc.sampleCycles);
    for (const port of Object.values(this.ports)) port.update();
  }

  reset(cause, isPowered) {
    const before = isPowered ? null : this.cpu;
    const flags = before ? before.data[MCUSR] | cause : cause;
    this.life = (this.life + 1) & 0xff;
    this.push(this.cpu.cycles, RESET, this.life, flags);
    this.boot(flags, before);
  }

  /** A generator of noise; ATmega328P datasheet: the content of RAM is unknown when the power comes. */
  noise() {
    this.seed = (Math.imul(this.seed, 1664525) + 1013904223) | 0;
    return this.seed ^ (this.seed >>> 15);
  }

  // --- time ---

  get cycle() {
    return this.cpu.cycles;
  }

  callAt(cycle, callback) {
    this.cpu.addClockEvent(callback, cycle - this.cpu.cycles);
  }

  callOff(callback) {
    this.cpu.clearClockEvent(callback);
  }

  push(cycle, kind, pin, value) {
    this.events.push([cycle, kind, pin, value]);
    if (kind !== BYTE || !value || this.events.length >= MOST_BYTES) this.mustReturn = true;
  }

  /** Run to a cycle, or to the end of the instruction in which something happened that cannot wait. Return all events. */
  run(until) {
    while (this.cpu.cycles < until && !this.mustReturn) {
      this.execute(until);
      if (this.resetBy) {
        const cause = this.resetBy;
        this.resetBy = 0;
        this.reset(cause, false);
      }
    }
    this.mustReturn = false;
    const { events } = this;
    this.events = [];
    return events;
  }

  execute(until) {
    const { cpu, program } = this;
    const { data } = cpu;
    while (cpu.cycles < until && !this.mustReturn) {
      let isDelayed = false;
      if (this.isAsleep) {
        // A pin may have asked for an interrupt between two runs.
        if (cpu.nextInterrupt < 0 || !(data[SREG] & INTERRUPTS_ON)) this.skipTo(until);
      } else {
        const opcode = program[cpu.pc];
        avrInstruction(cpu);
        if (opcode >= OP_SEI) isDelayed = this.afterInstruction(opcode);
      }
      let next = cpu.nextClockEvent;
      while (next !== null && next.cycles <= cpu.cycles) {
        cpu.nextClockEvent = next.next;
        next.callback();
        next = cpu.nextClockEvent;
      }
      if (cpu.nextInterrupt >= 0 && data[SREG] & INTERRUPTS_ON && !isDelayed && !this.resetBy) this.interrupt();
    }
  }

  /** Skip the cycles of a chip that sleeps, up to its next event. */
  skipTo(until) {
    const { cpu } = this;
    const next = cpu.nextClockEvent;
    const wake = next !== null && next.cycles < until ? next.cycles : until;
    if (wake > cpu.cycles) cpu.cycles = wake;
  }

  /** Do what avr8js 0.21 leaves out of some instructions. Return whether one more must run before an interrupt. */
  afterInstruction(opcode) {
    const { cpu } = this;
    // ATmega328P datasheet, Reset and Interrupt Handling.
    if (opcode === OP_SEI || opcode === OP_RETI) return true;
    if (opcode === OP_SLEEP) {
      this.isAsleep = (cpu.data[SMCR] & SLEEP_ENABLED) !== 0;
    } else if ((opcode & 0xff00) === OP_CBI) {
      cpu.cycles++;
    } else if (opcode === OP_ERASED && this.start === 0) {
      // With a bootloader behind it, erased flash leads there: that of a Mega starts so after a watchdog reset.
      this.push(cpu.cycles, CRASH, 0, (cpu.pc - 1) & 0xffff);
    }
    return false;
  }

  interrupt() {
    const { cpu } = this;
    const interrupt = cpu.pendingInterrupts[cpu.nextInterrupt];
    avrInterrupt(cpu, interrupt.address);
    cpu.cycles += this.kind.responseCycles - AVR8JS_RESPONSE_CYCLES + (this.isAsleep ? WAKE_CYCLES : 0);
    this.isAsleep = false;
    if (!interrupt.constant) cpu.clearInterrupt(interrupt);
    if (interrupt.onServed) interrupt.onServed();
  }

  // --- what is done to it ---

  send(bytes) {
    this.host.send(bytes, this.cpu.cycles);
  }

  pin(port, bit, level) {
    const name = PORTS[port];
    const leads = this.leads[name];
    leads.held |= 1 << bit;
    leads.levels = (leads.levels & ~(1 << bit)) | (level << bit);
    this.ports[name].update();
  }

  watch(port, bit, number, rest, isSpeaker) {
    const name = PORTS[port];
    const { watched } = this.leads[name];
    const known = watched.find((lead) => lead.bit === bit);
    if (known) known.setRest(rest);
    else watched.push(new Lead(this, bit, number, rest, isSpeaker));
    this.ports[name].update();
  }

  join(port, bit, toPort, toBit) {
    const lead = this.leads[PORTS[port]].watched.find((each) => each.bit === bit);
    lead.joined = [toPort, toBit];
    this.pin(toPort, toBit, lead.level);
  }

  part(port, bit) {
    const lead = this.leads[PORTS[port]].watched.find((each) => each.bit === bit);
    if (!lead || !lead.joined) return;
    const [toPort, toBit] = lead.joined;
    lead.joined = null;
    this.leads[PORTS[toPort]].held &= ~(1 << toBit);
    this.ports[PORTS[toPort]].update();
  }

  /** Stop the program in an endless loop, with its interrupts still running or not. */
  hang(withInterrupts) {
    this.program[this.startOfHang] = OP_HANG;
    this.cpu.pc = this.startOfHang;
    this.isAsleep = false;
    if (withInterrupts) this.cpu.data[SREG] |= INTERRUPTS_ON;
    else this.cpu.data[SREG] &= ~INTERRUPTS_ON;
  }

  read(address, count) {
    return this.cpu.data.subarray(address, address + count);
  }

  write(address, value) {
    this.cpu.data[address] = value;
  }

  phase(number) {
    return this.timers[number].phase();
  }

  /** Return the last word of the flash that no program uses. */
  freeWord() {
    let word = this.program.length - 1;
    while (this.program[word] !== OP_ERASED) word--;
    return word;
  }
}

module.exports = { AvrChip };
