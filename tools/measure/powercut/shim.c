/* Preloaded into a program, records in POWERCUT_LOG everything that it does to the files of the
 * folder POWERCUT_FOLDER, in order: each record is a header, the name in that folder, the data.
 * Syncs of files whose name ends in POWERCUT_DEAF are answered with success and not carried out.
 * Names are recognised by their absolute path; tools/measure/powercut/disk.py reads the records. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define MOST_FILES 4096
#define OUT_OF_THE_WAY 900

enum kind { OPEN = 1, WRITE, TRUNCATE, RENAME, UNLINK, SYNC, SYNC_FOLDER, MAP };

struct header {
    uint32_t kind, name_length;
    uint64_t inode, offset, data_length;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int record_fd = -1;
static const char *folder, *deaf;
static size_t folder_length;
static char *names[MOST_FILES]; /* of the open files of the folder; "" is the folder itself */

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("POWERCUT_LOG");
    folder = getenv("POWERCUT_FOLDER");
    deaf = getenv("POWERCUT_DEAF");
    if (path == NULL || folder == NULL) return;
    folder_length = strlen(folder);
    int fd = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    record_fd = fcntl(fd, F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
    REAL(close)(fd);
    if (record_fd < 0) abort();
}

/* A record that cannot be written would be a disk nobody had: better none at all. */
static void record(enum kind kind, const char *name, uint64_t inode, uint64_t offset,
                   const void *data, size_t length) {
    struct header header = {kind, strlen(name), inode, offset, length};
    struct iovec parts[] = {{&header, sizeof header},
                            {(void *)name, header.name_length},
                            {(void *)data, length}};
    ssize_t whole = sizeof header + header.name_length + length;
    if (REAL(writev)(record_fd, parts, 3) != whole) abort();
}

static const char *name_in_folder(const char *path) {
    if (record_fd < 0 || strncmp(path, folder, folder_length) != 0) return NULL;
    if (path[folder_length] == '\0') return "";
    return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

static const char *name_of(int fd) { return fd >= 0 && fd < MOST_FILES ? names[fd] : NULL; }

static uint64_t inode_of(int fd) {
    struct stat about;
    return fstat(fd, &about) == 0 ? about.st_ino : 0;
}

static int opened(int fd, const char *path, int flags) {
    const char *name = name_in_folder(path);
    if (fd < 0 || name == NULL) return fd;
    if (fd >= MOST_FILES) abort();
    names[fd] = strdup(name);
    if (*name != '\0') record(OPEN, name, inode_of(fd), (flags & O_TRUNC) != 0, NULL, 0);
    return fd;
}

#define MODE_OF(flags)                         \
    mode_t mode = 0;                           \
    if ((flags) & (O_CREAT | O_TMPFILE)) {     \
        va_list more;                          \
        va_start(more, flags);                 \
        mode = va_arg(more, mode_t);           \
        va_end(more);                          \
    }

#define DEFINE_OPEN(open_it)                                        \
    int open_it(const char *path, int flags, ...) {                 \
        MODE_OF(flags)                                              \
        pthread_mutex_lock(&lock);                                  \
        int fd = opened(REAL(open_it)(path, flags, mode), path, flags); \
        pthread_mutex_unlock(&lock);                                \
        return fd;                                                  \
    }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

#define DEFINE_OPENAT(open_it)                                               \
    int open_it(int at, const char *path, int flags, ...) {                  \
        MODE_OF(flags)                                                       \
        pthread_mutex_lock(&lock);                                           \
        int fd = opened(REAL(open_it)(at, path, flags, mode), path, flags);  \
        pthread_mutex_unlock(&lock);                                         \
        return fd;                                                           \
    }
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

int close(int fd) {
    pthread_mutex_lock(&lock);
    if (name_of(fd) != NULL) {
        free(names[fd]);
        names[fd] = NULL;
    }
    int done = REAL(close)(fd);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t write(int fd, const void *data, size_t length) {
    if (name_of(fd) == NULL) return REAL(write)(fd, data, length);
    pthread_mutex_lock(&lock);
    ssize_t done = REAL(write)(fd, data, length);
    if (done > 0) {
        off_t end = lseek(fd, 0, SEEK_CUR);
        record(WRITE, names[fd], inode_of(fd), end - done, data, done);
    }
    pthread_mutex_unlock(&lock);
    return done;
}

#define DEFINE_PWRITE(write_it, offset_type)                                          \
    ssize_t write_it(int fd, const void *data, size_t length, offset_type offset) {   \
        if (name_of(fd) == NULL) return REAL(write_it)(fd, data, length, offset);     \
        pthread_mutex_lock(&lock);                                                    \
        ssize_t done = REAL(write_it)(fd, data, length, offset);                      \
        if (done > 0) record(WRITE, names[fd], inode_of(fd), offset, data, done);     \
        pthread_mutex_unlock(&lock);                                                  \
        return done;                                                                  \
    }
DEFINE_PWRITE(pwrite, off_t)
DEFINE_PWRITE(pwrite64, off64_t)

#define DEFINE_FTRUNCATE(cut_it, offset_type)                                       \
    int cut_it(int fd, offset_type length) {                                        \
        if (name_of(fd) == NULL) return REAL(cut_it)(fd, length);                   \
        pthread_mutex_lock(&lock);                                                  \
        int done = REAL(cut_it)(fd, length);                                        \
        if (done == 0) record(TRUNCATE, names[fd], inode_of(fd), length, NULL, 0);  \
        pthread_mutex_unlock(&lock);                                                \
        return done;                                                                \
    }
DEFINE_FTRUNCATE(ftruncate, off_t)
DEFINE_FTRUNCATE(ftruncate64, off64_t)

int rename(const char *from, const char *to) {
    pthread_mutex_lock(&lock);
    int done = REAL(rename)(from, to);
    const char *old = name_in_folder(from), *new = name_in_folder(to);
    if (done == 0 && old != NULL && new != NULL) record(RENAME, old, 0, 0, new, strlen(new));
    pthread_mutex_unlock(&lock);
    return done;
}

int unlink(const char *path) {
    pthread_mutex_lock(&lock);
    int done = REAL(unlink)(path);
    const char *name = name_in_folder(path);
    if (done == 0 && name != NULL) record(UNLINK, name, 0, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return done;
}

static int ends_in(const char *name, const char *end) {
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

#define DEFINE_SYNC(sync_it)                                                       \
    int sync_it(int fd) {                                                          \
        const char *name = name_of(fd);                                            \
        if (name == NULL) return REAL(sync_it)(fd);                                \
        if (deaf != NULL && ends_in(name, deaf)) return 0;                         \
        pthread_mutex_lock(&lock);                                                 \
        int done = REAL(sync_it)(fd);                                              \
        if (done == 0)                                                             \
            record(*name == '\0' ? SYNC_FOLDER : SYNC, name, inode_of(fd), 0, NULL, 0); \
        pthread_mutex_unlock(&lock);                                               \
        return done;                                                               \
    }
DEFINE_SYNC(fsync)
DEFINE_SYNC(fdatasync)

/* What is written through a mapping is seen by nobody: that it is mapped is worth a record. */
#define DEFINE_MMAP(map_it, offset_type)                                                      \
    void *map_it(void *at, size_t length, int protection, int flags, int fd, offset_type offset) { \
        if ((flags & MAP_SHARED) && (protection & PROT_WRITE) && name_of(fd) != NULL) {       \
            pthread_mutex_lock(&lock);                                                        \
            record(MAP, names[fd], inode_of(fd), offset, NULL, 0);                            \
            pthread_mutex_unlock(&lock);                                                      \
        }                                                                                     \
        return REAL(map_it)(at, length, protection, flags, fd, offset);                       \
    }
DEFINE_MMAP(mmap, off_t)
DEFINE_MMAP(mmap64, off64_t)
