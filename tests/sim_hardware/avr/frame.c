/* Frames of 100 and of 20 bytes, the latter in a function that is called while eight bytes are pushed. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <string.h>

static __attribute__((noinline)) void fill(uint8_t *bytes, uint8_t count) { memset(bytes, PINB | 1, count); }

static __attribute__((noinline)) uint8_t inner(uint8_t a, uint8_t b, uint8_t c) {
    volatile uint8_t bytes[20];
    fill((uint8_t *)bytes, sizeof bytes);
    return bytes[a] + bytes[b] + bytes[c];
}

int main(void) {
    volatile uint8_t bytes[100];
    fill((uint8_t *)bytes, sizeof bytes);
    for (;;) bytes[0] += inner(bytes[1] & 15, bytes[2] & 15, bytes[3] & 15);
}
