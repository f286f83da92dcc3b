/* The far end of a pty, played from a script: what a board would say, and how long the host takes to answer.
 *
 *   peer FD < script > nanoseconds
 *
 * A step of the script: gap_us (u32), timed (u8), frames (u8), length (u16), all little-endian, then bytes. The peer
 * waits for the gap, sends the bytes and reads until as many frames have ended (a frame ends with a zero). It prints
 * the nanoseconds between the two of every timed step, before which it drops what it had not read. peer.py is the
 * same in Python, for machines without a C compiler.
 */
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int port;
static int ended; /* frames that have ended and were not asked for yet */

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void wait_us(uint32_t us) {
    struct timespec t = {us / 1000000, (long)(us % 1000000) * 1000};
    nanosleep(&t, NULL);
}

static void listen_once(void) {
    unsigned char heard[4096];
    ssize_t size = read(port, heard, sizeof heard);
    if (size <= 0) exit(1);
    for (ssize_t i = 0; i < size; i++) ended += heard[i] == 0;
}

static void drop_what_is_there(void) {
    struct pollfd there = {port, POLLIN, 0};
    while (poll(&there, 1, 0) > 0) listen_once();
    ended = 0;
}

static void say(const unsigned char *bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = write(port, bytes, length);
        if (sent < 0) exit(1);
        bytes += sent, length -= (size_t)sent;
    }
}

int main(int argc, char **argv) {
    unsigned char head[8], bytes[65536];
    if (argc != 2) return 2;
    port = atoi(argv[1]);
    alarm(120);
    while (fread(head, sizeof head, 1, stdin) == 1) {
        uint32_t gap_us = head[0] | head[1] << 8 | head[2] << 16 | (uint32_t)head[3] << 24;
        int timed = head[4], frames = head[5];
        size_t length = (size_t)(head[6] | head[7] << 8);
        if (length > 0 && fread(bytes, length, 1, stdin) != 1) return 1;
        if (gap_us > 0) wait_us(gap_us);
        if (timed) drop_what_is_there();
        int64_t start = now_ns();
        say(bytes, length);
        while (ended < frames) listen_once();
        int64_t took = now_ns() - start;
        ended -= frames;
        if (timed) printf("%lld\n", (long long)took);
    }
    return 0;
}
