/* One function calls another, which calls the first. */
#include <avr/io.h>

uint8_t even(uint8_t n);
__attribute__((noinline)) uint8_t odd(uint8_t n) { return n ? even(n - 1) + PINB : 0; }
__attribute__((noinline)) uint8_t even(uint8_t n) { return n ? odd(n - 1) + PINC : 1; }

int main(void) {
    for (;;) PORTB = even(PIND);
}
