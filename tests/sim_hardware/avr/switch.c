/* A switch with a table of jumps; in one of its cases 90 bytes are taken. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <string.h>

static __attribute__((noinline)) void fill(uint8_t *bytes, uint8_t count) { memset(bytes, PINB | 1, count); }

static __attribute__((noinline)) void large(void) {
    uint8_t bytes[90];
    fill(bytes, sizeof bytes);
}

static __attribute__((noinline)) void perform(uint8_t what) {
    switch (what) {
        case 0: PORTB = 4; break;
        case 1: PORTC = 6; break;
        case 2: PORTD = 1; break;
        case 3: DDRB ^= 2; break;
        case 4: DDRC ^= 9; break;
        case 5: large(); PORTB ^= 1; break;
        case 6: DDRD ^= 3; break;
        case 7: TCNT1 = 0; break;
        case 8: OCR1A += 5; break;
        case 9: OCR1B += 7; break;
        case 10: EEARL = 1; break;
    }
}

int main(void) {
    for (uint8_t what = PINB & 1;; what = what < 11 ? what + 1 : 0) perform(what);
}
