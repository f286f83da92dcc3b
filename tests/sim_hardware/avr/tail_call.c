/* The end of one function is a jump to another, which has 50 bytes on the stack: they do not add to its own 60. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <string.h>

static __attribute__((noinline)) void fill(uint8_t *bytes, uint8_t count) { memset(bytes, PINB | 1, count); }

static __attribute__((noinline)) void last(void) {
    uint8_t bytes[50];
    fill(bytes, sizeof bytes);
}

static __attribute__((noinline)) void first(void) {
    uint8_t bytes[60];
    fill(bytes, sizeof bytes);
}

static __attribute__((noinline)) void both(void) {
    first();
    last();
}

int main(void) {
    for (;;) both();
}
