/* Stands between a program and the system (LD_PRELOAD), and lets one of its calls on files fail, fall short or be the
 * last one. Only calls on files below one folder are seen. Each is named by what it does, to which file, and how often
 * that was done before; that is the same in every run, however threads are scheduled.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FDS = 1024, DIRS = 64, KEYS = 4096, LONGEST = 1024 };
enum action { NONE, FAIL, SHORT, KILL_BEFORE, KILL_AFTER };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char prefix[LONGEST];
static size_t prefix_length;
static int log_fd = -1;
static char *path_of[FDS];
static struct { DIR *dir; char *path; } dirs[DIRS];
static struct { char *key; int count; } seen[KEYS];

static struct {
    char key[2 * LONGEST];
    int nth, error, for_good, met;
    enum action action;
} fault;

/* --- what the tests say -------------------------------------------------------------------------------------- */

void calls_watch(const char *folder, int fd) {
    snprintf(prefix, sizeof prefix, "%s/", folder);
    prefix_length = strlen(prefix);
    log_fd = fd;
}

void calls_fault(const char *call, const char *path, int nth, int action, int error, int for_good) {
    snprintf(fault.key, sizeof fault.key, "%s %s", call, path);
    fault.nth = nth;
    fault.action = action;
    fault.error = error;
    fault.for_good = for_good;
}

/* --- what is met --------------------------------------------------------------------------------------------- */

static void note(const char *text) { syscall(SYS_write, log_fd, text, strlen(text)); }

static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

static int changes(const char *call) {
    static const char *const all[] = {"create", "write", "fsync", "fdatasync", "rename", "mkdir", "rmdir", "unlink",
                                      "ftruncate", "sendfile", NULL};
    for (int i = 0; all[i]; i++)
        if (!strcmp(call, all[i])) return 1;
    return 0;
}

static int count_of(const char *key) {
    int i = 0;
    while (i < KEYS - 1 && seen[i].key && strcmp(seen[i].key, key)) i++;
    if (!seen[i].key) seen[i].key = strdup(key);
    return seen[i].count++;
}

/* What is to become of a call on a file; NONE for files that are none of ours. */
static enum action meet(const char *call, const char *path) {
    char key[2 * LONGEST], line[2 * LONGEST + 16];
    enum action action = NONE;
    if (!path || !prefix_length || strncmp(path, prefix, prefix_length)) return NONE;
    pthread_mutex_lock(&lock);
    snprintf(key, sizeof key, "%s %s", call, path + prefix_length);
    int nth = count_of(key);
    int here = fault.action != NONE && nth == fault.nth && !strcmp(key, fault.key);
    if (here || (fault.met && fault.for_good && changes(call))) {
        action = here || fault.action != SHORT ? fault.action : FAIL;
        snprintf(line, sizeof line, "MET %s\n", key);
        if (here) note(line);
        fault.met = 1;
        if (action == KILL_BEFORE) die();
    } else if (fault.action == NONE) {
        snprintf(line, sizeof line, "%s\n", key);
        note(line);
    }
    pthread_mutex_unlock(&lock);
    return action;
}

static void after(enum action action) {
    if (action == KILL_AFTER) die();
}

static const char *path_at(int fd) { return fd >= 0 && fd < FDS ? path_of[fd] : NULL; }

static void keep(int fd, const char *path) {
    if (fd < 0 || fd >= FDS) return;
    free(path_of[fd]);
    path_of[fd] = path ? strdup(path) : NULL;
}

static const char *joined(char *room, int folder, const char *path) {
    if (path[0] == '/' || folder == AT_FDCWD || !path_at(folder)) return path;
    snprintf(room, LONGEST, "%s/%s", path_at(folder), path);
    return room;
}

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

/* Meet a call: fail it, or make it and see whether it was the last one. */
#define CALL(type, bad, word, path, made) \
    enum action action = meet(word, path); \
    if (action == FAIL) { errno = fault.error; return bad; } \
    type result = made; \
    after(action); \
    return result

/* --- the calls ----------------------------------------------------------------------------------------------- */

static int opened(int fd, const char *path) {
    if (fd >= 0) keep(fd, prefix_length && !strncmp(path, prefix, prefix_length) ? path : NULL);
    return fd;
}

static const char *opening(int flags) { return flags & O_CREAT ? "create" : "open"; }

int open64(const char *path, int flags, ...) {
    REAL(int, open64, const char *, int, ...);
    va_list rest;
    va_start(rest, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    va_end(rest);
    CALL(int, -1, opening(flags), path, opened(real(path, flags, mode), path));
}

int openat64(int folder, const char *path, int flags, ...) {
    REAL(int, openat64, int, const char *, int, ...);
    char room[LONGEST];
    const char *whole = joined(room, folder, path);
    va_list rest;
    va_start(rest, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    va_end(rest);
    CALL(int, -1, opening(flags), whole, opened(real(folder, path, flags, mode), whole));
}

int close(int fd) {
    REAL(int, close, int);
    enum action action = meet("close", path_at(fd));
    keep(fd, NULL);
    int result = real(fd); /* as Linux does: it is closed, whatever is said of it */
    after(action);
    if (action != FAIL) return result;
    errno = fault.error;
    return -1;
}

ssize_t read(int fd, void *buffer, size_t size) {
    REAL(ssize_t, read, int, void *, size_t);
    CALL(ssize_t, -1, "read", path_at(fd), real(fd, buffer, action == SHORT && size > 1 ? size / 2 : size));
}

ssize_t write(int fd, const void *data, size_t size) {
    REAL(ssize_t, write, int, const void *, size_t);
    CALL(ssize_t, -1, "write", path_at(fd), real(fd, data, action == SHORT ? size / 2 : size));
}

ssize_t sendfile64(int to, int from, off64_t *offset, size_t size) {
    REAL(ssize_t, sendfile64, int, int, off64_t *, size_t);
    CALL(ssize_t, -1, "sendfile", path_at(to), real(to, from, offset, action == SHORT ? size / 2 : size));
}

#define ON_FD(name, word) \
    int name(int fd) { \
        REAL(int, name, int); \
        CALL(int, -1, word, path_at(fd), real(fd)); \
    }
ON_FD(fsync, "fsync")
ON_FD(fdatasync, "fdatasync")

int ftruncate64(int fd, off64_t size) {
    REAL(int, ftruncate64, int, off64_t);
    CALL(int, -1, "ftruncate", path_at(fd), real(fd, size));
}

int flock(int fd, int how) {
    REAL(int, flock, int, int);
    CALL(int, -1, "flock", path_at(fd), real(fd, how));
}

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    CALL(int, -1, "rename", to, real(from, to));
}

#define ON_PATH(name, word) \
    int name(const char *path) { \
        REAL(int, name, const char *); \
        CALL(int, -1, word, path, real(path)); \
    }
ON_PATH(unlink, "unlink")
ON_PATH(rmdir, "rmdir")

int unlinkat(int folder, const char *path, int flags) {
    REAL(int, unlinkat, int, const char *, int);
    char room[LONGEST];
    CALL(int, -1, flags & AT_REMOVEDIR ? "rmdir" : "unlink", joined(room, folder, path), real(folder, path, flags));
}

int mkdir(const char *path, mode_t mode) {
    REAL(int, mkdir, const char *, mode_t);
    CALL(int, -1, "mkdir", path, real(path, mode));
}

int access(const char *path, int how) {
    REAL(int, access, const char *, int);
    CALL(int, -1, "access", path, real(path, how));
}

int stat64(const char *path, struct stat64 *found) {
    REAL(int, stat64, const char *, struct stat64 *);
    CALL(int, -1, "stat", path, real(path, found));
}

int lstat64(const char *path, struct stat64 *found) {
    REAL(int, lstat64, const char *, struct stat64 *);
    CALL(int, -1, "lstat", path, real(path, found));
}

int fstat64(int fd, struct stat64 *found) {
    REAL(int, fstat64, int, struct stat64 *);
    CALL(int, -1, "fstat", path_at(fd), real(fd, found));
}

int fstatat64(int folder, const char *path, struct stat64 *found, int flags) {
    REAL(int, fstatat64, int, const char *, struct stat64 *, int);
    char room[LONGEST];
    CALL(int, -1, "stat", joined(room, folder, path), real(folder, path, found, flags));
}

int statvfs64(const char *path, struct statvfs64 *found) {
    REAL(int, statvfs64, const char *, struct statvfs64 *);
    CALL(int, -1, "statvfs", path, real(path, found));
}

ssize_t readlink(const char *path, char *room, size_t size) {
    REAL(ssize_t, readlink, const char *, char *, size_t);
    CALL(ssize_t, -1, "readlink", path, real(path, room, size));
}

static DIR *listed(DIR *dir, const char *path) {
    for (int i = 0; dir && path && i < DIRS; i++)
        if (!dirs[i].dir) {
            dirs[i].dir = dir;
            dirs[i].path = strdup(path);
            break;
        }
    return dir;
}

DIR *opendir(const char *path) {
    REAL(DIR *, opendir, const char *);
    CALL(DIR *, NULL, "opendir", path, listed(real(path), path));
}

DIR *fdopendir(int fd) {
    REAL(DIR *, fdopendir, int);
    CALL(DIR *, NULL, "opendir", path_at(fd), listed(real(fd), path_at(fd)));
}

struct dirent64 *readdir64(DIR *dir) {
    REAL(struct dirent64 *, readdir64, DIR *);
    const char *path = NULL;
    for (int i = 0; i < DIRS; i++)
        if (dirs[i].dir == dir) path = dirs[i].path;
    CALL(struct dirent64 *, NULL, "readdir", path, real(dir));
}

int closedir(DIR *dir) {
    REAL(int, closedir, DIR *);
    for (int i = 0; i < DIRS; i++)
        if (dirs[i].dir == dir) {
            free(dirs[i].path);
            dirs[i].dir = NULL;
            dirs[i].path = NULL;
        }
    return real(dir);
}
