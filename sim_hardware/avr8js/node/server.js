// Chips for a host at the other end of a pipe: commands on standard input, answers on standard output.
//
// A command is its code (one byte), a chip (two bytes), the length of its content (four bytes) and the content; all
// numbers are little-endian. Only some commands have an answer: a status (0, or 1 for an error), a length, a content.
// An error of a command without an answer is the next answer.
'use strict';

const fs = require('fs');

const { AvrChip } = require('./chip');

const HEAD_BYTES = 7;
const EVENT_BYTES = 12;

const chips = new Map();
let failure = null;

/** Read a number of bytes; exit when the host has closed the pipe. */
function read(count) {
  const buffer = Buffer.alloc(count);
  let have = 0;
  while (have < count) {
    const more = fs.readSync(0, buffer, have, count - have, null);
    if (more === 0) process.exit(0);
    have += more;
  }
  return buffer;
}

function answer(status, content) {
  const buffer = Buffer.alloc(5 + content.length);
  buffer.writeUInt8(status, 0);
  buffer.writeUInt32LE(content.length, 1);
  buffer.set(content, 5);
  let sent = 0;
  while (sent < buffer.length) sent += fs.writeSync(1, buffer, sent);
}

function newChip(settings) {
  if (settings.kind !== 'pico') return new AvrChip(settings);
  // Its package is not there where only chips for AVR are simulated.
  const { PicoChip } = require('./rp2040/chip');
  return new PicoChip(settings);
}

function numbers(values) {
  return new Uint8Array(Float64Array.from(values).buffer);
}

/** The present cycle, and the events. */
function trace(chip, events) {
  const buffer = Buffer.alloc(8 + EVENT_BYTES * events.length);
  buffer.writeDoubleLE(chip.cycle, 0);
  events.forEach(([cycle, kind, pin, value], index) => {
    const at = 8 + EVENT_BYTES * index;
    buffer.writeDoubleLE(cycle, at);
    buffer.writeUInt8(kind, at + 8);
    buffer.writeUInt8(pin, at + 9);
    buffer.writeUInt16LE(value & 0xffff, at + 10);
  });
  return buffer;
}

// By code; those that return something have an answer.
const COMMANDS = {
  0: (_, content, id) => {
    const settings = JSON.parse(content);
    chips.set(id, newChip(settings));
    return numbers([0]);
  },
  1: (chip, content) => trace(chip, chip.run(content.readDoubleLE(0))),
  2: (chip, content) => chip.send(content),
  3: (chip, [port, bit, level]) => chip.pin(port, bit, level),
  4: (chip, [port, bit, number, rest, isSpeaker]) => chip.watch(port, bit, number, rest, isSpeaker),
  5: (chip, [port, bit, toPort, toBit]) => chip.join(port, bit, toPort, toBit),
  6: (chip, [port, bit]) => chip.part(port, bit),
  7: (chip, [cause, isPowered]) => chip.reset(cause, isPowered !== 0),
  8: (chip, [withInterrupts]) => chip.hang(withInterrupts !== 0),
  9: (chip, content) => chip.read(content.readUInt32LE(0), content.readUInt32LE(4)),
  10: (chip, content) => chip.write(content.readUInt32LE(0), content[4]),
  11: (chip, content) => chip.eepromMemory.subarray(content.readUInt32LE(0), content.readUInt32LE(0) + content.readUInt32LE(4)),
  12: (chip, content) => chip.eepromMemory.set(content.subarray(4), content.readUInt32LE(0)),
  13: (chip, [number]) => numbers(chip.phase(number)),
  14: (_, content, id) => {
    chips.delete(id);
  },
  15: (chip, content) => chip.script.play(content),
  16: (chip) => numbers(chip.script.cycles),
  17: (chip, content) => Buffer.from(JSON.stringify(chip.usbHost.command(JSON.parse(content)))),
  18: (chip, content) => chip.setVoltage(content[0], content.readInt32LE(1)),
  19: (chip, content) => chip.turn(content[0], content[1], content.readInt32LE(2)),
};
const ANSWERED = new Set([0, 1, 9, 11, 13, 16, 17]);

for (;;) {
  const head = read(HEAD_BYTES);
  const code = head.readUInt8(0);
  const id = head.readUInt16LE(1);
  const content = read(head.readUInt32LE(3));
  let result;
  try {
    result = COMMANDS[code](chips.get(id), content, id);
  } catch (error) {
    failure ??= error;
  }
  if (!ANSWERED.has(code)) continue;
  if (failure) answer(1, Buffer.from(failure.stack));
  else answer(0, result);
  failure = null;
}
