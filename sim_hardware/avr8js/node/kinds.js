// The two chips: where their registers are, and which interrupt vectors their peripherals have.
//
// Addresses are those of data memory, vectors are words of flash. ATmega328P datasheet: Interrupts, Register Summary;
// ATmega2560: the same chapters. avr8js has the ATmega328P alone.
'use strict';

const { adcConfig, timer0Config, timer1Config, timer2Config } = require('./avr8js');

/** Return the registers of an I/O port: PIN, DDR and PORT are neighbors. */
const port = (pin) => ({ PIN: pin, DDR: pin + 1, PORT: pin + 2 });

const LOW_PORTS = { B: port(0x23), C: port(0x26), D: port(0x29) };
const ALL_PORTS = {
  ...LOW_PORTS,
  A: port(0x20),
  E: port(0x2c),
  F: port(0x2f),
  G: port(0x32),
  H: port(0x100),
  J: port(0x103),
  K: port(0x106),
  L: port(0x109),
};

/** The bit of PCMSKn for each bit of a port: bit `first` of the port is bit `shift + first` of the mask. */
const pinChange = (number, vector, parts) => ({ number, vector, PCMSK: 0x6b + number, parts });
const whole = (name) => ({ port: name, pins: 0xff, shift: 0 });

/** External interrupts of neighboring bits of one port; each has two bits of its control register. */
const external = (numbers, name, firstBit, EICR, vectorOf) =>
  numbers.map((number, index) => ({ number, port: name, bit: firstBit + index, EICR, isc: 2 * index, vector: vectorOf(number) }));

// A timer's external clock pin would read the port of avr8js, which this one replaces.
const timer = (config, changes) => ({ ...config, externalClockPort: 0, ...changes });

const uno = {
  flashBytes: 0x8000,
  ramStart: 0x100,
  dataBytes: 0x900,
  eepromBytes: 1024,
  responseCycles: 4,
  ports: LOW_PORTS,
  pinChanges: [
    pinChange(0, 0x06, [whole('B')]),
    pinChange(1, 0x08, [whole('C')]),
    pinChange(2, 0x0a, [whole('D')]),
  ],
  externals: external([0, 1], 'D', 2, 0x69, (number) => 0x02 + 2 * number),
  usart: { received: 0x24, empty: 0x26, sent: 0x28 },
  watchdog: 0x0c,
  eeprom: 0x2c,
  adc: adcConfig,
  timers: [timer(timer0Config), timer(timer1Config), timer(timer2Config)],
};

const mega = {
  flashBytes: 0x40000,
  ramStart: 0x200,
  dataBytes: 0x2200,
  eepromBytes: 4096,
  responseCycles: 5, // a program counter of three bytes: ATmega2560 datasheet, Interrupt Response Time
  ports: ALL_PORTS,
  pinChanges: [
    pinChange(0, 0x12, [whole('B')]),
    pinChange(1, 0x14, [
      { port: 'E', pins: 0x01, shift: 0 },
      { port: 'J', pins: 0x7f, shift: 1 },
    ]),
    pinChange(2, 0x16, [whole('K')]),
  ],
  externals: [
    ...external([0, 1, 2, 3], 'D', 0, 0x69, (number) => 0x02 + 2 * number),
    ...external([4, 5, 6, 7], 'E', 4, 0x6a, (number) => 0x02 + 2 * number),
  ],
  usart: { received: 0x32, empty: 0x34, sent: 0x36 },
  watchdog: 0x18,
  eeprom: 0x3c,
  adc: { ...adcConfig, adcInterrupt: 0x3a },
  timers: [
    timer(timer0Config, { compAInterrupt: 0x2a, compBInterrupt: 0x2c, ovfInterrupt: 0x2e }),
    timer(timer1Config, {
      captureInterrupt: 0x20,
      compAInterrupt: 0x22,
      compBInterrupt: 0x24,
      compCInterrupt: 0x26,
      ovfInterrupt: 0x28,
      OCRC: 0x8c,
      OCFC: 8,
      OCIEC: 8,
      compPortA: ALL_PORTS.B.PORT,
      compPinA: 5,
      compPortB: ALL_PORTS.B.PORT,
      compPinB: 6,
      compPortC: ALL_PORTS.B.PORT,
      compPinC: 7,
    }),
    timer(timer2Config, { compAInterrupt: 0x1a, compBInterrupt: 0x1c, ovfInterrupt: 0x1e, compPinA: 4, compPortB: ALL_PORTS.H.PORT, compPinB: 6 }),
  ],
};
// OC0A and OC0B of a Mega: PB7 and PG5. ATmega2560 datasheet, Alternate Port Functions.
Object.assign(mega.timers[0], { compPortA: ALL_PORTS.B.PORT, compPinA: 7, compPortB: ALL_PORTS.G.PORT, compPinB: 5 });

module.exports = { uno, mega };
