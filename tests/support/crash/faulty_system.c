/* Preloaded into a program under test: makes the system's calls on files below FAULT_FOLDER fail, and the clock jump.

   FAULT_CALL     write or sync: which calls are counted
   FAULT_AT       the number of the call that fails
   FAULT_HOW      an errno, or "short" (half is written), or "torn" (half is written, then the process is killed)
   FAULT_LASTING  "1": all later calls fail, too
   FAULT_JOURNAL  a file that gets every write with what stood there before, and every sync: see power_loss.py
   FAULT_CLOCK    a seed: the time of day jumps now and then, by up to a year, in both directions */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder, *call_name, *how;
static long fails_at;
static int lasts, journal = -1, clock_jumps;
static long counted;
static unsigned clock_seed;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static ssize_t (*real_pread)(int, void *, size_t, off64_t);
static int (*real_fsync)(int), (*real_fdatasync)(int), (*real_ftruncate)(int, off64_t);
static int (*real_clock)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
    real_write = dlsym(RTLD_NEXT, "write");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_pread = dlsym(RTLD_NEXT, "pread64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_clock = dlsym(RTLD_NEXT, "clock_gettime");
    folder = getenv("FAULT_FOLDER");
    call_name = getenv("FAULT_CALL");
    how = getenv("FAULT_HOW");
    fails_at = getenv("FAULT_AT") ? atol(getenv("FAULT_AT")) : 0;
    lasts = getenv("FAULT_LASTING") != NULL;
    if (getenv("FAULT_JOURNAL"))
        journal = open(getenv("FAULT_JOURNAL"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (getenv("FAULT_CLOCK")) {
        clock_seed = (unsigned)atol(getenv("FAULT_CLOCK"));
        clock_jumps = 1;
    }
}

static int is_ours(int fd, struct stat *status) {
    char link[64], path[PATH_MAX];
    if (!folder || fd < 0 || fstat(fd, status) != 0 || !S_ISREG(status->st_mode))
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) == 0;
}

/* Whether this call is one that fails. */
static int fails(const char *name) {
    if (!call_name || strcmp(call_name, name) != 0)
        return 0;
    pthread_mutex_lock(&lock);
    long number = ++counted;
    pthread_mutex_unlock(&lock);
    return lasts ? number >= fails_at : number == fails_at;
}

struct record {
    int64_t kind, inode, offset, size_before, old_length, new_length;
};

static void note(int64_t kind, int fd, const struct stat *status, int64_t offset, const void *data, size_t length) {
    struct record head = {kind, (int64_t)status->st_ino, offset, status->st_size, 0, (int64_t)length};
    int64_t end = kind == 2 ? status->st_size : offset + (int64_t)length;
    if (end > status->st_size)
        end = status->st_size;
    char *old = NULL;
    if (kind != 1 && end > offset) {
        old = malloc((size_t)(end - offset));
        ssize_t got = old ? real_pread(fd, old, (size_t)(end - offset), offset) : 0;
        head.old_length = got > 0 ? got : 0;
    }
    struct iovec parts[3] = {{&head, sizeof head}, {old, (size_t)head.old_length}, {(void *)data, length}};
    if (writev(journal, parts, 3) < 0)
        abort();
    free(old);
}

static ssize_t put(int fd, const void *data, size_t length, off64_t offset, int at_place) {
    struct stat status;
    if (!is_ours(fd, &status))
        return at_place ? real_pwrite(fd, data, length, offset) : real_write(fd, data, length);
    if (fails("write")) {
        if (strcmp(how, "short") != 0 && strcmp(how, "torn") != 0) {
            errno = atoi(how);
            return -1;
        }
        if (length > 1)
            length /= 2;
        ssize_t done = at_place ? real_pwrite(fd, data, length, offset) : real_write(fd, data, length);
        if (strcmp(how, "torn") == 0)
            kill(getpid(), SIGKILL);
        return done;
    }
    if (journal < 0)
        return at_place ? real_pwrite(fd, data, length, offset) : real_write(fd, data, length);
    pthread_mutex_lock(&lock);
    int appends = fcntl(fd, F_GETFL) & O_APPEND;
    off64_t place = at_place ? offset : appends ? status.st_size : lseek64(fd, 0, SEEK_CUR);
    /* The old bytes are read by another handle where this one cannot read. */
    int reader = fd;
    if ((fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY) {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        reader = open(link, O_RDONLY | O_CLOEXEC);
    }
    note(0, reader, &status, place, data, length);
    if (reader != fd && reader >= 0)
        close(reader);
    ssize_t done = at_place ? real_pwrite(fd, data, length, offset) : real_write(fd, data, length);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t write(int fd, const void *data, size_t length) { return put(fd, data, length, 0, 0); }
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { return put(fd, data, length, offset, 1); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return put(fd, data, length, offset, 1); }

static int sync_with(int (*real)(int), int fd) {
    struct stat status;
    int ours = is_ours(fd, &status);
    if (ours && fails("sync")) {
        errno = atoi(how);
        return -1;
    }
    int done = real(fd);
    if (ours && journal >= 0 && done == 0) {
        pthread_mutex_lock(&lock);
        note(1, fd, &status, 0, NULL, 0);
        pthread_mutex_unlock(&lock);
    }
    return done;
}

int fsync(int fd) { return sync_with(real_fsync, fd); }
int fdatasync(int fd) { return sync_with(real_fdatasync, fd); }

int ftruncate64(int fd, off64_t length) {
    struct stat status;
    if (!is_ours(fd, &status) || journal < 0)
        return real_ftruncate(fd, length);
    pthread_mutex_lock(&lock);
    note(2, fd, &status, length, NULL, 0);
    int done = real_ftruncate(fd, length);
    pthread_mutex_unlock(&lock);
    return done;
}
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

int clock_gettime(clockid_t which, struct timespec *out) {
    static time_t shift;
    static long asked;
    int done = real_clock(which, out);
    if (!clock_jumps || which != CLOCK_REALTIME || done != 0)
        return done;
    pthread_mutex_lock(&lock);
    if (++asked % 40 == 0)
        shift = rand_r(&clock_seed) % 3 == 0 ? 0 : (time_t)(rand_r(&clock_seed) % 63072000) - 31536000;
    out->tv_sec += shift;
    pthread_mutex_unlock(&lock);
    return done;
}
