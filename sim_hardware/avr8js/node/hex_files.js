// The flash memory: program and bootloader from Intel HEX files.
'use strict';

const fs = require('fs');

const DATA = 0;
const END = 1;
const SEGMENT = 2;
const LINEAR = 4;

/** Return flash of a size with the programs of these files in it; the rest is erased. Throws if two overlap. */
function readFlash(files, size) {
  const flash = new Uint8Array(size).fill(0xff);
  const owners = new Uint8Array(size);
  files.forEach((file, index) => {
    for (const [address, bytes] of records(file)) {
      bytes.forEach((byte, offset) => {
        const at = address + offset;
        if (at >= size) throw new Error(`${file}: address 0x${at.toString(16)} is outside the flash`);
        if (owners[at] && owners[at] !== index + 1) throw new Error(`${file} and ${files[owners[at] - 1]} overlap`);
        owners[at] = index + 1;
        flash[at] = byte;
      });
    }
  });
  return flash;
}

function* records(file) {
  let base = 0;
  for (const line of fs.readFileSync(file, 'ascii').split(/\r?\n/)) {
    if (!line) continue;
    const bytes = Buffer.from(line.slice(1), 'hex');
    const sum = bytes.reduce((total, byte) => total + byte, 0);
    if (line[0] !== ':' || bytes.length !== bytes[0] + 5 || sum & 0xff) throw new Error(`${file}: no Intel HEX: ${line}`);
    const type = bytes[3];
    const data = bytes.subarray(4, -1);
    if (type === DATA) yield [base + bytes.readUInt16BE(1), data];
    else if (type === SEGMENT) base = data.readUInt16BE(0) << 4;
    else if (type === LINEAR) base = data.readUInt16BE(0) << 16;
    else if (type === END) return;
  }
}

module.exports = { readFlash };
