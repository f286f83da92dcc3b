// An RP2040 of rp2040js, driven from outside in exact steps, with the interface of the AVR chip beside it.
//
// Its cycles are those of 16 MHz, the unit of all simulated chips: one is two of its own. A reset builds a new chip, so
// that nothing is left of the time before but what the real one keeps: its RAM, its flash, and what is at its pins.
'use strict';

const fs = require('fs');

const { Simulator, USBCDC } = require('rp2040js');
const { Alarm } = require('../alarm');
const { Ear } = require('../ear');
const { Script } = require('../script');
const { HostPort } = require('../usart');
const { BOOTLOADER: BOOTLOADER_CODE, loadBootRom } = require('./boot_rom');
const { FlashChip, FlashPins, Ssi } = require('./flash');
const { Pio } = require('./pio');
const { Uart } = require('./uart');
const { UsbController } = require('./usb');
const { UsbHost } = require('./usb_host');
const { Wheel } = require('./wheel');

// The package exports neither of them by name.
const { rp2040, clock } = new Simulator();
const RP2040 = rp2040.constructor;
const SimulationClock = clock.constructor;

const HZ = 16_000_000;
const NANOS = 62.5; // of such a cycle

// Kinds of events; the numbers are those of TraceEvent in sim_hardware/avr/chip.py.
const BYTE = 0;
const LEVEL = 1;
const TONE = 2;
const RESET = 3;
const OVERRUN = 4;
const CRASH = 5;
const BOOTLOADER = 6;
const MOST_BYTES = 32;

const POWER_ON = 1;
const WATCHDOG = 8;
const HIGH = 1;
const INPUT = 2; // from this state on the pin is no output

const RAM = 0x20000000;
const BOOT2_BYTES = 256;
const BOOT2_AT = 0x20041f00; // RP2040 datasheet, 2.8.1: where the boot ROM loads it
const ENDLESS_LOOP_AT = 0x10100000; // in the flash, behind the program
const ENDLESS_LOOP = 0xe7fe;
const USB_IRQ = 5;
const UART0_IRQ = 20;
const SSI = 0x18000;
const FLASH_PINS = 0x40018;
const UART0 = 0x40034;
const WATCHDOG_BLOCK = 0x40058;
const USB = 0x50110;
const CHIP_RESET_BLOCK = 0x40064;
const PIO0 = 0x50200;
const FIRST_ANALOG_PIN = 26;
const ANALOG_MOST = 0xfff;
const REGULATOR = 0x00;
const REGULATOR_IS_STEADY = 1 << 12;
const VOLTS = 0xf0;
const VOLTS_1_10 = 0xb1;
const VOLTS_1_15 = 0xc0;
const CHIP_RESET = 0x08;
const HAD_POR = 1 << 8;
const HAD_RUN = 1 << 16;

/** The clock of one life of the chip, whose timer counts from its start, or from a time before. */
class LifeClock {
  constructor(clock, ageMicros) {
    this.clock = clock;
    this.began = clock.nanos - 1000 * ageMicros;
    this.isOver = false;
  }

  get nanos() {
    return this.clock.nanos - this.began;
  }

  get micros() {
    return this.nanos / 1000;
  }

  createAlarm(callback) {
    return this.clock.createAlarm(() => {
      if (!this.isOver) callback();
    });
  }
}

/** The regulator of the core, and what the chip says of its last reset: RP2040 datasheet, 2.10.6 and 2.12.8. */
class RegulatorAndReset {
  constructor(flags, clock) {
    this.flags = flags;
    this.clock = clock;
    this.regulator = VOLTS_1_10;
    this.changedAt = 0;
  }

  readUint32(offset) {
    if (offset === REGULATOR) return this.regulator | REGULATOR_IS_STEADY;
    return offset === CHIP_RESET ? this.flags : 0;
  }

  writeUint32Atomic(offset, value) {
    if (offset !== REGULATOR) return;
    this.regulator = value;
    this.changedAt = this.clock.micros;
  }

  /** The fastest clock that this voltage allows: 2.15.3. It takes a millisecond to come. */
  get mostHz() {
    const isHigh = (this.regulator & VOLTS) >= VOLTS_1_15 && this.clock.micros - this.changedAt >= 1_000;
    return isHigh ? 200e6 : 133e6;
  }
}

/** A pin that is watched: what the program does to it goes to the host, to an ear or to another pin. */
class Lead {
  constructor(chip, number, rest, isSpeaker) {
    this.chip = chip;
    this.number = number;
    this.ear = isSpeaker ? new Ear(chip, (cycle, value) => chip.push(cycle, TONE, number, value)) : null;
    this.joined = null;
    this.rest = this.level = rest;
  }

  show(state) {
    const level = state < INPUT ? (state === HIGH ? 1 : 0) : this.rest;
    if (level === this.level) return;
    this.level = level;
    if (this.joined !== null) this.chip.setInput(this.joined, level);
    if (this.ear) this.ear.hear(level);
    else this.chip.push(this.chip.cycle, LEVEL, this.number, level);
  }
}

class PicoChip {
  /**
   * `port` is that of the program in the file: `uart`; `usb`; or `usb-cdc` for the controller and the host of rp2040js,
   * which read everything at once.
   */
  constructor({ files, baud, seed, port = 'uart', age_us = 0 }) {
    this.flash = fs.readFileSync(files[0]);
    this.seed = seed ^ 0x5bd1e995;
    this.flashId = Array.from({ length: 8 }, () => this.noise() >>> 24);
    this.clock = new SimulationClock();
    this.callbacks = new Map();
    this.alarms = [];
    this.leads = new Map();
    this.inputs = new Map();
    this.voltages = new Map();
    this.wheels = new Map();
    this.events = [];
    this.mustReturn = false;
    this.resetBy = 0;
    this.life = 0;
    this.script = new Script(this);
    this.isInBootloader = false;
    const onByte = (byte, end) => this.push(end, BYTE, this.life, byte);
    this.port = port;
    this.uartHost = port === 'uart' ? new HostPort(HZ / baud, (callback) => new Alarm(this, callback), onByte) : null;
    this.usbHost = port === 'usb' ? new UsbHost(this, baud, onByte) : null;
    this.boot(POWER_ON, null, age_us);
  }

  // --- power and resets ---

  /** Start the program after a reset; without the chip of the time before, its power has come on. */
  boot(cause, before, ageMicros = 0) {
    if (this.lifeClock) this.lifeClock.isOver = true;
    this.lifeClock = new LifeClock(this.clock, ageMicros);
    const rp = new RP2040(this.lifeClock);
    this.rp = rp;
    this.clockNanos = 1e9 / rp.clkSys;
    const regulator = new RegulatorAndReset(cause === POWER_ON ? HAD_POR : cause === WATCHDOG ? 0 : HAD_RUN, this.lifeClock);
    rp.addClockListener((hz) => {
      if (hz > regulator.mostHz) throw new Error(`${hz / 1e6} MHz, and the voltage of the core allows ${regulator.mostHz / 1e6}`);
      this.clockNanos = 1e9 / hz;
    });
    rp.logger = { debug() {}, info() {}, warn: (...text) => this.complain(text), error: (...text) => this.complain(text) };
    rp.flash.set(this.flash);
    this.flash = rp.flash;
    const flash = new FlashChip(rp.flash, this.flashId);
    rp.peripherals[SSI] = new Ssi(flash);
    rp.peripherals[FLASH_PINS] = new FlashPins(flash);
    if (before) rp.sram.set(before.sram);
    else for (let at = 0; at < rp.sram.length; at++) rp.sram[at] = this.noise() >>> 24;
    if (this.port === 'uart') this.connectUart();
    else if (this.port === 'usb') this.connectUsb();
    else this.connectCdc();
    rp.peripherals[CHIP_RESET_BLOCK] = regulator;
    const watchdog = rp.peripherals[WATCHDOG_BLOCK];
    watchdog.reason = cause === WATCHDOG ? 1 : 0;
    if (cause === WATCHDOG) watchdog.scratchData.set(before.peripherals[WATCHDOG_BLOCK].scratchData);
    watchdog.onWatchdogTrigger = () => {
      watchdog.alarm.enable = false; // rp2040js 1.4 would let it come again at once
      this.resetBy = WATCHDOG;
      this.mustReturn = true;
    };
    this.isInBootloader = false;
    loadBootRom(rp);
    rp.onBreak = (code) => {
      if (code === BOOTLOADER_CODE) this.startBootloader();
    };
    this.pio = new Pio(rp, () => this.clock.nanos);
    rp.peripherals[PIO0] = this.pio;
    this.loadBoot2();
    for (const [number, steps] of this.voltages) this.setVoltage(number, steps);
    for (const [number, level] of this.inputs) rp.gpio[number].setInputValue(level !== 0);
    for (const lead of this.leads.values()) this.connect(lead);
  }

  connectUart() {
    const { rp, uartHost: host } = this;
    host.fromChip.release(this.cycle);
    this.uart = new Uart(this, () => rp.clkPeri, host.toChip, host.fromChip, {
      onOutput: () => host.sampler.notice(),
      onInterrupt: (isAsked) => rp.setInterrupt(UART0_IRQ, isAsked),
      onLost: (byte) => this.push(this.cycle, OVERRUN, 0, byte),
    });
    host.onStart = () => this.uart.sampler.notice();
    rp.peripherals[UART0] = this.uart;
  }

  connectUsb() {
    const { rp, usbHost: host } = this;
    rp.usbCtrl = rp.peripherals[USB] = new UsbController(rp, {
      onAttached: (isAttached) => host.see(isAttached),
      onOffer: () => host.wake(),
      onInterrupt: (isAsked) => rp.setInterrupt(USB_IRQ, isAsked),
    });
    host.meet(rp.usbCtrl);
  }

  connectCdc() {
    const cdc = new USBCDC(this.rp.usbCtrl);
    cdc.onSerialData = (bytes) => bytes.forEach((byte) => this.push(this.cycle, BYTE, this.life, byte));
    this.cdcHost = { send: (bytes) => bytes.forEach((byte) => cdc.sendSerialByte(byte)) };
  }

  /** The boot ROM resets the chip and shows a drive to the computer, which is not modelled. */
  startBootloader() {
    this.isInBootloader = true;
    this.lifeClock.isOver = true;
    if (this.usbHost) this.usbHost.detach();
    this.push(this.cycle, BOOTLOADER, 0, 0);
    for (const lead of this.leads.values()) lead.show(INPUT);
  }

  /** Do what the boot ROM does: check the checksum of boot2, load it and start it. RP2040 datasheet, 2.8.1. */
  loadBoot2() {
    const { rp } = this;
    const boot2 = rp.flash.subarray(0, BOOT2_BYTES);
    let sum = 0xffffffff;
    for (const byte of boot2.subarray(0, BOOT2_BYTES - 4)) {
      sum ^= byte << 24;
      for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
    }
    if (rp.flashView.getInt32(BOOT2_BYTES - 4, true) !== sum) throw new Error('boot2 has a wrong checksum');
    rp.sram.set(boot2, BOOT2_AT - RAM);
    rp.core.SP = BOOT2_AT;
    rp.core.PC = BOOT2_AT;
  }

  reset(cause, isPowered) {
    const before = isPowered ? null : this.rp;
    this.life = (this.life + 1) & 0xff;
    this.push(this.cycle, RESET, this.life, cause);
    for (const lead of this.leads.values()) lead.show(INPUT);
    this.boot(cause, before);
  }

  noise() {
    this.seed = (Math.imul(this.seed, 1664525) + 1013904223) | 0;
    return this.seed ^ (this.seed >>> 15);
  }

  complain(text) {
    if (process.env.RP2040_LOG) process.stderr.write(`${text.join(' ')}\n`);
    this.push(this.cycle, CRASH, 0, this.rp.core.PC & 0xffff);
  }

  // --- time ---

  get cycle() {
    return Math.floor(this.clock.nanos / NANOS);
  }

  callAt(cycle, callback) {
    this.callOff(callback);
    const alarm = this.clock.createAlarm(() => {
      this.callbacks.delete(callback);
      callback();
    });
    this.callbacks.set(callback, alarm);
    alarm.schedule(Math.max(0, cycle * NANOS - this.clock.nanos));
  }

  callOff(callback) {
    const alarm = this.callbacks.get(callback);
    if (alarm) alarm.cancel();
    this.callbacks.delete(callback);
  }

  push(cycle, kind, pin, value) {
    this.events.push([cycle, kind, pin, value]);
    if (kind !== BYTE || !value || this.events.length >= MOST_BYTES) this.mustReturn = true;
  }

  /** Run to a cycle, or to the end of the instruction in which something happened that cannot wait. Return all events. */
  run(until) {
    const end = until * NANOS;
    while (this.clock.nanos < end && !this.mustReturn) {
      if (this.isInBootloader) this.pass(end);
      else this.execute(end);
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

  execute(end) {
    const { clock } = this;
    const { core } = this.rp;
    while (clock.nanos < end && !this.mustReturn) {
      if (!core.waiting) clock.tick(core.executeInstruction() * this.clockNanos);
      // rp2040js 1.4 wakes for an interrupt that comes, and not for one that was pending.
      else if (core.checkForInterrupts()) core.waiting = false;
      else this.pass(end);
    }
  }

  /** Let time pass without the program, at most up to the next alarm. */
  pass(end) {
    const { clock } = this;
    clock.tick(clock.nextAlarm ? Math.min(clock.nanosToNextAlarm, end - clock.nanos) : end - clock.nanos);
  }

  // --- what is done to it ---

  send(bytes) {
    (this.uartHost ?? this.usbHost ?? this.cdcHost).send(bytes, this.clock.nanos / NANOS);
  }

  pin(port, bit, level) {
    this.setInput(8 * port + bit, level);
  }

  setInput(number, level) {
    if (this.inputs.get(number) === level) return;
    this.inputs.set(number, level);
    this.pio.catchUp();
    this.rp.gpio[number].setInputValue(level !== 0);
  }

  /** Set the voltage at an analog pin, in steps of the converter. */
  setVoltage(number, steps) {
    this.voltages.set(number, steps);
    this.rp.adc.channelValues[number - FIRST_ANALOG_PIN] = Math.min(ANALOG_MOST, Math.max(0, steps));
  }

  /** Turn an encoder by some steps. */
  turn(pinA, pinB, steps) {
    if (!this.wheels.has(pinA)) this.wheels.set(pinA, new Wheel(this, pinA, pinB));
    this.wheels.get(pinA).turn(steps);
  }

  watch(port, bit, number, rest, isSpeaker) {
    const known = this.leads.get(number);
    if (known) {
      known.rest = rest;
      return;
    }
    const lead = new Lead(this, number, rest, isSpeaker);
    this.leads.set(number, lead);
    this.connect(lead);
  }

  connect(lead) {
    const pin = this.rp.gpio[lead.number];
    pin.addListener((state) => lead.show(state));
    lead.show(pin.value);
  }

  join(port, bit, toPort, toBit) {
    const lead = this.leads.get(8 * port + bit);
    lead.joined = 8 * toPort + toBit;
    this.setInput(lead.joined, lead.level);
  }

  part(port, bit) {
    const lead = this.leads.get(8 * port + bit);
    if (!lead || lead.joined === null) return;
    this.setInput(lead.joined, 0);
    lead.joined = null;
  }

  /** Stop the program in an endless loop, with its interrupts still running or not. */
  hang(withInterrupts) {
    const { core } = this.rp;
    this.rp.flash16[(ENDLESS_LOOP_AT & 0xffffff) >> 1] = ENDLESS_LOOP;
    core.PC = ENDLESS_LOOP_AT;
    core.waiting = false;
    core.PM = !withInterrupts;
    core.interruptsUpdated = true;
  }

  read(address, count) {
    return this.rp.sram.subarray(address - RAM, address - RAM + count);
  }

  write(address, value) {
    this.rp.sram[address - RAM] = value;
  }

  /** The cycle at which the low half of the firmware's time was last zero, and its period: 32,768 us. */
  phase() {
    const period = 32_768 * 16;
    const cycles = this.lifeClock.nanos / NANOS;
    return [Math.round(this.clock.nanos / NANOS - (cycles % period)), period];
  }
}

module.exports = { PicoChip };
