// A program that reads and writes registers for a test: see monitor.py.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#ifndef BAUD
#define BAUD 500000UL
#endif

enum { PIN_CHANGE_0, PIN_CHANGE_1, PIN_CHANGE_2, EXTERNAL_0, COMPARE_A, COMPARE_B, OVERFLOW, EEPROM_READY, KINDS };
volatile uint8_t served[KINDS];

ISR(PCINT0_vect) { served[PIN_CHANGE_0]++; }
ISR(PCINT1_vect) { served[PIN_CHANGE_1]++; }
ISR(PCINT2_vect) { served[PIN_CHANGE_2]++; }
ISR(INT0_vect) { served[EXTERNAL_0]++; }
ISR(TIMER1_COMPA_vect) { served[COMPARE_A]++; }
ISR(TIMER1_COMPB_vect) { served[COMPARE_B]++; }
ISR(TIMER1_OVF_vect) { served[OVERFLOW]++; }
ISR(EE_READY_vect) {
  EECR &= ~_BV(EERIE);
  served[EEPROM_READY]++;
}

static uint8_t get(void) {
  while (!(UCSR0A & _BV(RXC0))) {
  }
  return UDR0;
}

static void put(uint8_t byte) {
  while (!(UCSR0A & _BV(UDRE0))) {
  }
  UDR0 = byte;
}

static volatile uint8_t *get_register(void) {
  uint8_t low = get();
  return (volatile uint8_t *)(uint16_t)(low | get() << 8);
}

// Return how often the pin-change interrupt had run when the instruction after SEI read it.
static uint8_t count_behind_sei(void) {
  uint8_t count;
  asm volatile("sei\n\tlds %0, served\n\tnop\n\tcli" : "=r"(count)::"memory");
  return count;
}

int main(void) {
  UBRR0 = F_CPU / 8 / BAUD - 1;
  UCSR0A = _BV(U2X0);
  UCSR0B = _BV(RXEN0) | _BV(TXEN0);
  for (;;) {
    uint8_t answer = 0;
    volatile uint8_t *target;
    switch (get()) {
      case 'r':
        answer = *get_register();
        break;
      case 'w':
        target = get_register();
        *target = get();
        break;
      case 'c':
        answer = served[get()];
        break;
      case 'i':
        if (get()) sei();
        else cli();
        break;
      case 'b':  // one instruction: SBI
        if (get()) TIFR1 |= _BV(OCF1A);
        else PCIFR |= _BV(PCIF0);
        break;
      case 's':
        answer = count_behind_sei();
        break;
      case 'd':
        wdt_enable(WDTO_15MS);
        break;
      case 'q':  // two bytes that the program does not wait for
        put(0x55);
        put(0xAA);
        break;
    }
    put(answer);
  }
}
