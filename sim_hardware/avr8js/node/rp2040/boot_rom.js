// What the program uses of the boot ROM: RP2040 datasheet, 2.8.3. `reset_usb_boot` (UB) is a breakpoint, with this code.
'use strict';

const BOOTLOADER = 0x55;
const CODE_AT = 0x20;
const TABLE_AT = 0x30;
const FIND = [0x8802, 0x8843, 0x3004, 0x428a, 0xd1fa, 0x1c18, 0x4770]; // compare each pair's first half, return the second
const RESET_USB_BOOT = 0xbe00 | BOOTLOADER;

const code = (text) => text.charCodeAt(0) | (text.charCodeAt(1) << 8);

function loadBootRom(rp) {
  const halves = new Uint16Array(rp.bootrom.buffer);
  halves[0x14 / 2] = TABLE_AT;
  halves[0x18 / 2] = CODE_AT | 1;
  halves.set([...FIND, RESET_USB_BOOT], CODE_AT / 2);
  const bootloaderAt = CODE_AT + 2 * FIND.length;
  halves.set([code('MS'), 0, code('UB'), bootloaderAt | 1, 0], TABLE_AT / 2);
}

module.exports = { BOOTLOADER, loadBootRom };
