// Runs an executable of macOS on Linux, as far as tests of call stacks need it: loads the file at
// its own addresses, and gives it functions of libc, or those below, under the names of macOS.
// Stacks are walked by frame pointers, which functions on macOS keep.
//
// It is neither the kernel nor the unwinder of macOS, and knows what zig's linker writes.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what, const char *name) {
    fprintf(stderr, "mach-o: %s%s\n", what, name);
    _exit(127);
}

// Where the frames of the thread's own program begin.
static __thread uintptr_t *outermost;

// A number of DWARF's and of the linker's, in as many bytes as it needs.
static uint64_t number(const uint8_t **at) {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        uint8_t byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
}

// The unwinder. A context has the registers of a frame that called the next one.

struct context {
    uintptr_t address, stack, frame;
    // rbx and r12 to r15, or x19 to x28; d8 to d15; rax and rdx, or x0 and x1.
    uintptr_t saved[10];
    uint64_t floats[8];
    uintptr_t results[2];
    uintptr_t start, data;
};

// The tables for unwinding, and what addresses in the first one are relative to.
static uint32_t *unwind_info;
static uint8_t *eh_frame;
static const uintptr_t IMAGE = 0x100000000;

struct exception {
    uint64_t kind;
    void (*clean_up)(int, struct exception *);
    uintptr_t unused, handler;
};

typedef int personality(int, int, uint64_t, struct exception *, struct context *);

// How the function at the address of a frame keeps registers; sets its start and its data.
static uint32_t encoding_of(struct context *context) {
    uint32_t address = context->address - 1 - IMAGE, encoding = 0, start = 0, at = 0;
    struct { uint32_t start, page, data; } *index = (void *)((char *)unwind_info + unwind_info[5]);
    while (at + 2 < unwind_info[6] && index[at + 1].start <= address) at++;
    char *page = (char *)unwind_info + index[at].page;
    uint16_t *header = (uint16_t *)(page + 4);
    uint32_t *entries = (uint32_t *)(page + header[0]);
    for (uint32_t entry = 0; entry < header[1]; entry++) {
        if (*(uint32_t *)page == 2) {
            if (entries[2 * entry] > address) break;
            start = entries[2 * entry];
            encoding = entries[2 * entry + 1];
        } else {
            if (index[at].start + (entries[entry] & 0xffffff) > address) break;
            start = index[at].start + (entries[entry] & 0xffffff);
            uint32_t number = entries[entry] >> 24, common = unwind_info[2];
            uint32_t *encodings = (uint32_t *)((char *)unwind_info + unwind_info[1]);
            if (number >= common) encodings = (uint32_t *)(page + header[2]) - common;
            encoding = encodings[number];
        }
    }
    context->start = IMAGE + start;
    context->data = 0;
    uint32_t *data = (uint32_t *)((char *)unwind_info + index[at].data);
    uint32_t *end = (uint32_t *)((char *)unwind_info + index[at + 1].data);
    for (; encoding & 0x40000000 && data < end; data += 2)
        if (data[0] == start) context->data = IMAGE + data[1];
    return encoding;
}

static personality *personality_of(uint32_t encoding) {
    uint32_t number = encoding >> 28 & 3;
    uint32_t *offsets = (uint32_t *)((char *)unwind_info + unwind_info[3]);
    return number ? *(personality **)(IMAGE + offsets[number - 1]) : NULL;
}

// Where the function keeps registers, relative to its caller's stack pointer, by their numbers.
struct rules {
    int base, known[32];
    int64_t offset, places[32];
};

#ifdef __x86_64__
enum { MODE_OF_DWARF = 4, STACK = 7, FRAME = 6, ADDRESS = 16 };
static const int KEPT[] = {3, 12, 13, 14, 15};
#else
enum { MODE_OF_DWARF = 3, STACK = 31, FRAME = 29, ADDRESS = 30 };
static const int KEPT[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28};
#endif

// Follows the instructions of DWARF as far as an address.
static void follow(const uint8_t *at, const uint8_t *end, uintptr_t place, uintptr_t address,
                   struct rules *rules) {
    struct rules before[8];
    const struct rules first = *rules;
    uint64_t known;
    for (int depth = 0; at < end && place < address;) {
        uint8_t code = *at++;
        if (code >= 0xc0) rules->known[code & 31] = first.known[code & 31];
        else if (code >= 0x80) {
            rules->known[code & 31] = 1;
            rules->places[code & 31] = -8 * (int64_t)number(&at);
        } else if (code >= 0x40) place += code & 63;
        else switch (code) {
        case 0x02: place += *at++; break;
        case 0x03: place += at[0] | at[1] << 8; at += 2; break;
        case 0x05:
            known = number(&at);
            int64_t offset = -8 * (int64_t)number(&at);
            if (known < 32) rules->known[known] = 1, rules->places[known] = offset;
            break;
        case 0x0a: before[depth++ & 7] = *rules; break;
        case 0x0b: *rules = before[--depth & 7]; break;
        case 0x0c: rules->base = number(&at); rules->offset = number(&at); break;
        case 0x0d: rules->base = number(&at); break;
        case 0x0e: rules->offset = number(&at); break;
        case 0x2e: number(&at); break;
        case 0x00: break;
        default: fail("an unknown instruction of unwinding", "");
        }
    }
}

// Goes on to the caller by an entry of DWARF, of which zig writes the augmentation `zR` or `zPLR`.
static void leave_by_dwarf(struct context *context, const uint8_t *entry) {
    const uint8_t *common = entry + 4 - *(uint32_t *)(entry + 4), *at = common + 8;
    struct rules rules = {0};
    at += 1 + strlen((const char *)at + 1) + 1;
    number(&at); number(&at); number(&at);
    uint64_t size = number(&at);
    follow(at + size, common + 4 + *(uint32_t *)common, 0, 1, &rules);
    at = entry + 24;
    size = number(&at);
    follow(at + size, entry + 4 + *(uint32_t *)entry, context->start, context->address, &rules);
    uintptr_t caller = (rules.base == STACK ? context->stack : context->frame) + rules.offset;
    for (size_t one = 0; one < sizeof KEPT / sizeof *KEPT; one++)
        if (rules.known[KEPT[one]])
            context->saved[one] = *(uintptr_t *)(caller + rules.places[KEPT[one]]);
    if (rules.known[FRAME]) context->frame = *(uintptr_t *)(caller + rules.places[FRAME]);
    context->address = *(uintptr_t *)(caller + rules.places[ADDRESS]);
    context->stack = caller;
}

// Goes on to the caller, with the registers that the function keeps.
static void leave(struct context *context, uint32_t encoding) {
    uintptr_t *frame = (uintptr_t *)context->frame;
    uint32_t mode = encoding >> 24 & 15;
    if (mode == MODE_OF_DWARF) return leave_by_dwarf(context, eh_frame + (encoding & 0xffffff));
#ifdef __x86_64__
    if (mode != 1) fail("a function without a frame pointer", "");
    uintptr_t *kept = frame - (encoding >> 16 & 0xff);
    for (uint32_t registers = encoding & 0x7fff; registers; registers >>= 3, kept++)
        if (registers & 7) context->saved[(registers & 7) - 1] = *kept;
#else
    if (mode != 4) fail("a function without a frame record", "");
    uintptr_t *kept = frame;
    for (int pair = 0; pair < 5; pair++)
        if (encoding & 1 << pair)
            for (int one = 0; one < 2; one++) context->saved[2 * pair + one] = *--kept;
    for (int pair = 0; pair < 4; pair++)
        if (encoding & 0x100 << pair)
            for (int one = 0; one < 2; one++) context->floats[2 * pair + one] = *--kept;
#endif
    context->address = frame[1];
    context->stack = (uintptr_t)(frame + 2);
    context->frame = frame[0];
}

// Finds the frame that catches an exception.
static int is_caught(struct exception *exception, struct context context) {
    while (context.frame != (uintptr_t)outermost) {
        uint32_t encoding = encoding_of(&context);
        personality *decide = personality_of(encoding);
        if (decide && decide(1, 1, exception->kind, exception, &context) == 6) {
            exception->handler = context.stack;
            return 1;
        }
        leave(&context, encoding);
    }
    return 0;
}

// Goes on in the next frame that has something to do, and returns 0 with its registers.
__attribute__((used)) static int unwind(struct exception *exception, struct context *context,
                                        int is_resumed) {
    if (!is_resumed && !is_caught(exception, *context)) return 5;
    for (;;) {
        uint32_t encoding = encoding_of(context);
        personality *decide = personality_of(encoding);
        int actions = context->stack == exception->handler ? 6 : 2;
        if (decide && decide(1, actions, exception->kind, exception, context) == 7) return 0;
        leave(context, encoding);
    }
}

int raise_exception(struct exception *);
void resume_exception(struct exception *);
#ifdef __x86_64__
__asm__(".text\n"
        "raise_exception: xor %edx, %edx; jmp 1f\n"
        "resume_exception: mov $1, %edx\n"
        "1: push %rbp; mov %rsp, %rbp; sub $208, %rsp\n"
        "mov 8(%rbp), %rax; mov %rax, (%rsp)\n"
        "lea 16(%rbp), %rax; mov %rax, 8(%rsp)\n"
        "mov (%rbp), %rax; mov %rax, 16(%rsp)\n"
        "mov %rbx, 24(%rsp); mov %r12, 32(%rsp); mov %r13, 40(%rsp); mov %r14, 48(%rsp)\n"
        "mov %r15, 56(%rsp); mov %rsp, %rsi; call unwind\n"
        "test %eax, %eax; jne 2f\n"
        "mov 24(%rsp), %rbx; mov 32(%rsp), %r12; mov 40(%rsp), %r13; mov 48(%rsp), %r14\n"
        "mov 56(%rsp), %r15; mov 168(%rsp), %rax; mov 176(%rsp), %rdx; mov 16(%rsp), %rbp\n"
        "mov (%rsp), %rcx; mov 8(%rsp), %rsp; jmp *%rcx\n"
        "2: leave; ret\n");
#else
__asm__(".text\n"
        "raise_exception: mov w2, #0; b 1f\n"
        "resume_exception: mov w2, #1\n"
        "1: stp x29, x30, [sp, #-16]!; mov x29, sp; sub sp, sp, #208\n"
        "str x30, [sp]; add x9, x29, #16; str x9, [sp, #8]; ldr x9, [x29]; str x9, [sp, #16]\n"
        "stp x19, x20, [sp, #24]; stp x21, x22, [sp, #40]; stp x23, x24, [sp, #56]\n"
        "stp x25, x26, [sp, #72]; stp x27, x28, [sp, #88]; stp d8, d9, [sp, #104]\n"
        "stp d10, d11, [sp, #120]; stp d12, d13, [sp, #136]; stp d14, d15, [sp, #152]\n"
        "mov x1, sp; bl unwind; cbnz w0, 2f\n"
        "ldp x19, x20, [sp, #24]; ldp x21, x22, [sp, #40]; ldp x23, x24, [sp, #56]\n"
        "ldp x25, x26, [sp, #72]; ldp x27, x28, [sp, #88]; ldp d8, d9, [sp, #104]\n"
        "ldp d10, d11, [sp, #120]; ldp d12, d13, [sp, #136]; ldp d14, d15, [sp, #152]\n"
        "ldp x0, x1, [sp, #168]; ldr x29, [sp, #16]; ldr x9, [sp]; ldr x10, [sp, #8]\n"
        "mov sp, x10; br x9\n"
        "2: mov sp, x29; ldp x29, x30, [sp], #16; ret\n");
#endif

static void delete_exception(struct exception *exception) {
    if (exception->clean_up) exception->clean_up(1, exception);
}

static int backtrace_to(int (*each)(struct context *, void *), void *data) {
    uintptr_t *frame = __builtin_frame_address(0);
    for (; frame != outermost; frame = (uintptr_t *)frame[0]) {
        struct context context = {.address = frame[1], .stack = (uintptr_t)(frame + 2), .frame = frame[0]};
        if (each(&context, data) != 0) break;
    }
    return 5;
}

static uintptr_t address_of(struct context *context) { return context->address; }
static uintptr_t address_behind(struct context *context, int *is_before) {
    *is_before = 0;
    return context->address;
}
static uintptr_t stack_of(struct context *context) { return context->stack; }
static uintptr_t start_of(struct context *context) { return context->start; }
static uintptr_t data_of(struct context *context) { return context->data; }
static uintptr_t register_of(struct context *context, int number) {
    if (number != 29) fail("only the frame pointer is known", "");
    return context->frame;
}
static void set_register(struct context *context, int number, uintptr_t value) {
    context->results[number] = value;
}
static void set_address(struct context *context, uintptr_t address) {
    context->address = address;
}

// The command line.

static int argc;
static char **argv;
extern char **environ;

static int *get_argc(void) { return &argc; }
static char ***get_argv(void) { return &argv; }
static char ***get_environ(void) { return &environ; }
static int executable_path(char *path, uint32_t *size) {
    uint32_t space = *size;
    *size = strlen(argv[0]) + 1;
    if (space < *size) return -1;
    strcpy(path, argv[0]);
    return 0;
}

// Threads.

struct destructor {
    void (*run)(void *);
    void *data;
    struct destructor *before;
};

static __thread struct destructor *destructors;

static void at_thread_exit(void (*run)(void *), void *data) {
    struct destructor *destructor = malloc(sizeof *destructor);
    *destructor = (struct destructor){run, data, destructors};
    destructors = destructor;
}

struct thread {
    void *(*run)(void *);
    void *data;
};

static void *run_thread(void *data) {
    struct thread thread = *(struct thread *)data;
    free(data);
    outermost = __builtin_frame_address(0);
    void *result = thread.run(thread.data);
    while (destructors) {
        struct destructor *destructor = destructors;
        destructors = destructor->before;
        destructor->run(destructor->data);
        free(destructor);
    }
    return result;
}

static int create_thread(pthread_t *id, pthread_attr_t *attributes, void *(*run)(void *),
                         void *data) {
    struct thread *thread = malloc(sizeof *thread);
    *thread = (struct thread){run, data};
    return pthread_create(id, attributes, run_thread, thread);
}

static void stack_bounds(pthread_t id, void **start, size_t *size) {
    pthread_attr_t attributes;
    if (pthread_getattr_np(id, &attributes)) fail("a thread has no stack", "");
    pthread_attr_getstack(&attributes, start, size);
    pthread_attr_destroy(&attributes);
}

static void *stack_end(pthread_t id) {
    void *start;
    size_t size;
    stack_bounds(id, &start, &size);
    return (char *)start + size;
}

static size_t stack_size(pthread_t id) {
    void *start;
    size_t size;
    stack_bounds(id, &start, &size);
    return size;
}

static int thread_number(pthread_t id, uint64_t *number) {
    *number = id ? id : pthread_self();
    return 0;
}

// A condition's initial value is not that of glibc.
static pthread_cond_t *known(pthread_cond_t *condition) {
    uint32_t initial = 0x3CB0B1BB;
    if (!memcmp(condition, &initial, 4)) memset(condition, 0, sizeof *condition);
    return condition;
}

static int condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    return pthread_cond_wait(known(condition), mutex);
}
static int condition_signal(pthread_cond_t *condition) {
    return pthread_cond_signal(known(condition));
}
static int condition_broadcast(pthread_cond_t *condition) {
    return pthread_cond_broadcast(known(condition));
}
static int condition_destroy(pthread_cond_t *condition) {
    return pthread_cond_destroy(known(condition));
}

static struct timespec after(uint64_t nanoseconds) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    nanoseconds += time.tv_nsec;
    time.tv_sec += nanoseconds / 1000000000;
    time.tv_nsec = nanoseconds % 1000000000;
    return time;
}

static int condition_wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex,
                              const struct timespec *time) {
    struct timespec end = after(time->tv_sec * 1000000000ull + time->tv_nsec);
    int error = pthread_cond_timedwait(known(condition), mutex, &end);
    return error == ETIMEDOUT ? 60 : error;
}

static sem_t *semaphore_create(long value) {
    sem_t *semaphore = malloc(sizeof *semaphore);
    sem_init(semaphore, 0, value);
    return semaphore;
}

static long semaphore_wait(sem_t *semaphore, uint64_t nanoseconds) {
    if (nanoseconds == UINT64_MAX) {
        while (sem_wait(semaphore)) {}
        return 0;
    }
    struct timespec end = after(nanoseconds);
    return sem_timedwait(semaphore, &end);
}

static uint64_t dispatch_time(uint64_t start, int64_t nanoseconds) { return nanoseconds; }

// Thread-local variables. The program calls the function in a variable's descriptor, which leaves
// all registers but that of its result as they were.

struct variable {
    void *get;
    uintptr_t block;
    uintptr_t offset;
};

static char *initial;
static size_t initial_size;
static __thread char *variables;

__attribute__((used)) static void *variable(struct variable *variable) {
    if (!variables) {
        variables = malloc(initial_size);
        memcpy(variables, initial, initial_size);
    }
    return variables + variable->offset;
}

void get_variable(void);
#ifdef __x86_64__
__asm__(".text\nget_variable:\n"
        "push %rbp; mov %rsp, %rbp\n"
        "push %rcx; push %rdx; push %rsi; push %r8; push %r9; push %r10; push %r11\n"
        "sub $520, %rsp; and $-16, %rsp; fxsave (%rsp)\n"
        "call variable\n"
        "fxrstor (%rsp); lea -56(%rbp), %rsp\n"
        "pop %r11; pop %r10; pop %r9; pop %r8; pop %rsi; pop %rdx; pop %rcx\n"
        "pop %rbp; ret\n");
#else
__asm__(".text\nget_variable:\n"
        "stp x29, x30, [sp, #-16]!; mov x29, sp\n"
        "stp x1, x2, [sp, #-16]!; stp x3, x4, [sp, #-16]!; stp x5, x6, [sp, #-16]!\n"
        "stp x7, x8, [sp, #-16]!; stp x9, x10, [sp, #-16]!; stp x11, x12, [sp, #-16]!\n"
        "stp x13, x14, [sp, #-16]!; stp x15, x16, [sp, #-16]!; stp x17, x18, [sp, #-16]!\n"
        "sub sp, sp, #512\n"
        "stp q0, q1, [sp]; stp q2, q3, [sp, #32]; stp q4, q5, [sp, #64]; stp q6, q7, [sp, #96]\n"
        "stp q16, q17, [sp, #128]; stp q18, q19, [sp, #160]; stp q20, q21, [sp, #192]\n"
        "stp q22, q23, [sp, #224]; stp q24, q25, [sp, #256]; stp q26, q27, [sp, #288]\n"
        "stp q28, q29, [sp, #320]; stp q30, q31, [sp, #352]\n"
        "bl variable\n"
        "ldp q0, q1, [sp]; ldp q2, q3, [sp, #32]; ldp q4, q5, [sp, #64]; ldp q6, q7, [sp, #96]\n"
        "ldp q16, q17, [sp, #128]; ldp q18, q19, [sp, #160]; ldp q20, q21, [sp, #192]\n"
        "ldp q22, q23, [sp, #224]; ldp q24, q25, [sp, #256]; ldp q26, q27, [sp, #288]\n"
        "ldp q28, q29, [sp, #320]; ldp q30, q31, [sp, #352]\n"
        "add sp, sp, #512\n"
        "ldp x17, x18, [sp], #16; ldp x15, x16, [sp], #16; ldp x13, x14, [sp], #16\n"
        "ldp x11, x12, [sp], #16; ldp x9, x10, [sp], #16; ldp x7, x8, [sp], #16\n"
        "ldp x5, x6, [sp], #16; ldp x3, x4, [sp], #16; ldp x1, x2, [sp], #16\n"
        "ldp x29, x30, [sp], #16; ret\n");
#endif

// Functions whose numbers or structures differ.

static int *error_number(void) {
    if (errno == EAGAIN) errno = 35;
    return __errno_location();
}

static long system_value(int name) {
    switch (name) {
    case 29: return sysconf(_SC_PAGESIZE);
    case 58: return sysconf(_SC_NPROCESSORS_ONLN);
    default: errno = EINVAL; return -1;
    }
}

static void *map(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    int own = flags & 0x1f;
    if (flags & 0x1000) own |= MAP_ANONYMOUS;
    return mmap(at, size, protection, own, file, offset);
}

// On aarch64, macOS passes what a variadic function takes on the stack.
#ifdef __x86_64__
#define FURTHER long argument
#else
#define FURTHER long x2, long x3, long x4, long x5, long x6, long x7, long argument
#endif

static int file_control(int file, int command, FURTHER) {
    switch (command) {
    case F_GETFD: case F_SETFD: return fcntl(file, command, argument);
    case F_GETFL: return fcntl(file, F_GETFL) & O_NONBLOCK ? 4 : 0;
    case F_SETFL: return fcntl(file, F_SETFL, argument & 4 ? O_NONBLOCK : 0);
    default: return 0;
    }
}

static int device_control(int file, unsigned long command) {
    return command == 0x20006601 ? fcntl(file, F_SETFD, FD_CLOEXEC) : 0;
}

static int open_flags(int flags) {
    int own = O_CLOEXEC | (flags & 3);
    if (flags & 0x8) own |= O_APPEND;
    if (flags & 0x100) own |= O_NOFOLLOW;
    if (flags & 0x200) own |= O_CREAT;
    if (flags & 0x400) own |= O_TRUNC;
    if (flags & 0x800) own |= O_EXCL;
    if (flags & 0x100000) own |= O_DIRECTORY;
    return own;
}

static int folder_number(int folder) { return folder == -2 ? AT_FDCWD : folder; }

static int open_file(const char *path, int flags) { return open(path, open_flags(flags), 0666); }
static int open_file_at(int folder, const char *path, int flags) {
    return openat(folder_number(folder), path, open_flags(flags), 0666);
}
static int remove_at(int folder, const char *path, int flags) {
    return unlinkat(folder_number(folder), path, flags & 0x80 ? AT_REMOVEDIR : 0);
}

struct file_status {
    uint32_t device;
    uint16_t mode, links;
    uint64_t number;
    uint32_t user, group, special, unused;
    struct timespec accessed, modified, changed, created;
    uint64_t size, blocks;
    uint32_t block_size, more[7];
};

static int status(int error, struct file_status *to, const struct stat *from) {
    if (error) return error;
    *to = (struct file_status){
        .device = from->st_dev, .mode = from->st_mode, .links = from->st_nlink,
        .number = from->st_ino, .user = from->st_uid, .group = from->st_gid,
        .accessed = from->st_atim, .modified = from->st_mtim, .changed = from->st_ctim,
        .created = from->st_ctim, .size = from->st_size, .blocks = from->st_blocks,
        .block_size = from->st_blksize,
    };
    return 0;
}

static int status_of(const char *path, struct file_status *to) {
    struct stat own;
    return status(stat(path, &own), to, &own);
}
static int status_of_link(const char *path, struct file_status *to) {
    struct stat own;
    return status(lstat(path, &own), to, &own);
}
static int status_of_file(int file, struct file_status *to) {
    struct stat own;
    return status(fstat(file, &own), to, &own);
}

struct entry {
    uint64_t number, place;
    uint16_t size, length;
    uint8_t kind;
    char name[1024];
};

static int read_folder(DIR *folder, struct entry *to, struct entry **result) {
    struct dirent *own = readdir(folder);
    *result = own ? to : NULL;
    if (own) {
        *to = (struct entry){own->d_ino, 0, sizeof *to, strlen(own->d_name), own->d_type, ""};
        strcpy(to->name, own->d_name);
    }
    return 0;
}

static int clock_time(int clock, struct timespec *time) {
    return clock_gettime(clock ? CLOCK_MONOTONIC : CLOCK_REALTIME, time);
}

static int random_bytes(void *bytes, size_t size) {
    return getrandom(bytes, size, 0) == (ssize_t)size ? 0 : -1;
}

struct action {
    void (*handler)(int);
    uint32_t mask;
    int flags;
};

// The handler of aborts is called directly, so that its stack can be walked. Others are not called:
// most signals have other numbers.

static void (*aborted)(int);

static void *set_handler(int number, void (*handler)(int)) {
    void *before = number == SIGABRT ? aborted : NULL;
    if (number == SIGABRT) aborted = handler;
    if (number == SIGPIPE) signal(number, handler);
    return before;
}

static int signal_action(int number, const struct action *action, struct action *before) {
    if (before) *before = (struct action){number == SIGABRT ? aborted : NULL, 0, 0};
    if (action) set_handler(number, action->handler);
    return 0;
}

static void abort_now(void) {
    if (aborted) aborted(SIGABRT);
    abort();
}

static int empty_set(uint32_t *set) { return *set = 0; }
static int add_signal(uint32_t *set, int number) {
    *set |= 1u << (number - 1);
    return 0;
}

// What is a pointer on macOS.

static int spawn_attributes(posix_spawnattr_t **attributes) {
    *attributes = malloc(sizeof **attributes);
    return posix_spawnattr_init(*attributes);
}
static int spawn_flags(posix_spawnattr_t **attributes, short flags) {
    return posix_spawnattr_setflags(*attributes, flags);
}
static int spawn_signals(posix_spawnattr_t **attributes, const uint32_t *signals) {
    sigset_t own;
    sigemptyset(&own);
    if (*signals & 1u << (SIGPIPE - 1)) sigaddset(&own, SIGPIPE);
    return posix_spawnattr_setsigdefault(*attributes, &own);
}
static int spawn_actions(posix_spawn_file_actions_t **actions) {
    *actions = malloc(sizeof **actions);
    return posix_spawn_file_actions_init(*actions);
}
static int spawn_file(posix_spawn_file_actions_t **actions, int from, int to) {
    return posix_spawn_file_actions_adddup2(*actions, from, to);
}
static int spawn_end(void **any) {
    free(*any);
    return 0;
}
static int spawn(pid_t *id, const char *file, posix_spawn_file_actions_t **actions,
                 posix_spawnattr_t **attributes, char **words, char **variables) {
    return posix_spawnp(id, file, actions ? *actions : NULL, attributes ? *attributes : NULL,
                        words, variables);
}

static int alternate_stack(const void *stack, uintptr_t *before) {
    if (before) before[0] = before[1] = before[2] = 0;
    return 0;
}

static void fill_pattern(char *to, const char *pattern, size_t size) {
    for (size_t at = 0; at < size; at++) to[at] = pattern[at % 16];
}

// In the place of libc's, which keeps no frame pointers.
static void sort(char *base, size_t length, size_t size, int (*compare)(void *, void *)) {
    for (size_t end = length; end > 1; end--)
        for (size_t at = 0; at + 1 < end; at++) {
            char *left = base + at * size, *right = left + size;
            if (compare(left, right) <= 0) continue;
            for (size_t byte = 0; byte < size; byte++) {
                char swapped = left[byte];
                left[byte] = right[byte];
                right[byte] = swapped;
            }
        }
}

extern int __xpg_strerror_r(int, char *, size_t);
static int nothing(void) { return 0; }

static const struct {
    const char *name;
    void *function;
} FUNCTIONS[] = {
    {"_Unwind_Backtrace", backtrace_to},
    {"_Unwind_GetIP", address_of},
    {"_Unwind_GetCFA", stack_of},
    {"_Unwind_GetGR", register_of},
    {"_Unwind_GetIPInfo", address_behind},
    {"_Unwind_GetRegionStart", start_of},
    {"_Unwind_GetLanguageSpecificData", data_of},
    {"_Unwind_GetTextRelBase", nothing},
    {"_Unwind_GetDataRelBase", nothing},
    {"_Unwind_SetGR", set_register},
    {"_Unwind_SetIP", set_address},
    {"_Unwind_RaiseException", raise_exception},
    {"_Unwind_Resume", resume_exception},
    {"_Unwind_DeleteException", delete_exception},
    {"_dyld_image_count", nothing},
    {"_NSGetArgc", get_argc},
    {"_NSGetArgv", get_argv},
    {"_NSGetEnviron", get_environ},
    {"_NSGetExecutablePath", executable_path},
    {"pthread_create", create_thread},
    {"pthread_get_stackaddr_np", stack_end},
    {"pthread_get_stacksize_np", stack_size},
    {"pthread_threadid_np", thread_number},
    {"pthread_setname_np", nothing},
    {"pthread_cond_wait", condition_wait},
    {"pthread_cond_signal", condition_signal},
    {"pthread_cond_broadcast", condition_broadcast},
    {"pthread_cond_destroy", condition_destroy},
    {"pthread_cond_timedwait_relative_np", condition_wait_for},
    {"dispatch_semaphore_create", semaphore_create},
    {"dispatch_semaphore_signal", sem_post},
    {"dispatch_semaphore_wait", semaphore_wait},
    {"dispatch_time", dispatch_time},
    {"dispatch_release", free},
    {"_tlv_bootstrap", get_variable},
    {"_tlv_atexit", at_thread_exit},
    {"__error", error_number},
    {"__bzero", bzero},
    {"sysconf", system_value},
    {"mmap", map},
    {"open", open_file},
    {"openat", open_file_at},
    {"unlinkat", remove_at},
    {"stat", status_of},
    {"lstat", status_of_link},
    {"fstat", status_of_file},
    {"readdir_r", read_folder},
    {"fcntl", file_control},
    {"ioctl", device_control},
    {"sigemptyset", empty_set},
    {"sigaddset", add_signal},
    {"posix_spawnattr_init", spawn_attributes},
    {"posix_spawnattr_setflags", spawn_flags},
    {"posix_spawnattr_setsigdefault", spawn_signals},
    {"posix_spawnattr_destroy", spawn_end},
    {"posix_spawn_file_actions_init", spawn_actions},
    {"posix_spawn_file_actions_adddup2", spawn_file},
    {"posix_spawn_file_actions_destroy", spawn_end},
    {"posix_spawnp", spawn},
    {"clock_gettime", clock_time},
    {"CCRandomGenerateBytes", random_bytes},
    {"signal", set_handler},
    {"sigaction", signal_action},
    {"abort", abort_now},
    {"sigaltstack", alternate_stack},
    {"memset_pattern16", fill_pattern},
    {"qsort", sort},
    {"strerror_r", __xpg_strerror_r},
    {"sys_icache_invalidate", nothing},
    {"dyld_stub_binder", nothing},
};

// A function that has no stand-in is a page of its own that can't be run.

#define PAGE 4096
static const char *missing[1000];
static char *missing_pages;

static void on_fault(int number, siginfo_t *info, void *context) {
    size_t page = ((char *)info->si_addr - missing_pages) / PAGE;
    if (page < 1000 && missing[page]) fail("there is no stand-in for ", missing[page]);
    signal(SIGSEGV, SIG_DFL);
}

static void *function(const char *symbol) {
    char name[200];
    // Without the underscore of C, and without the version.
    snprintf(name, sizeof name, "%.*s", (int)strcspn(symbol + 1, "$"), symbol + 1);
    for (size_t at = 0; at < sizeof FUNCTIONS / sizeof *FUNCTIONS; at++)
        if (!strcmp(FUNCTIONS[at].name, name)) return FUNCTIONS[at].function;
    void *found = dlsym(RTLD_DEFAULT, name);
    if (found) return found;
    size_t page = 0;
    while (missing[page]) page++;
    missing[page] = symbol;
    return missing_pages + page * PAGE;
}

// The file.

struct segment {
    uint32_t command, size;
    char name[16];
    uint64_t address, length, offset, file_length;
    uint32_t protections[2], sections, flags;
};

struct section {
    char name[16], segment[16];
    uint64_t address, length;
    uint32_t offset, alignment, relocations[2], flags, reserved[3];
};

static uint64_t segments[32];
static uint64_t entry;

// Writes the addresses of functions and variables of libraries, as the instructions say.
static void bind_all(const uint8_t *at, size_t size, int is_lazy) {
    const uint8_t *end = at + size;
    const char *symbol = "";
    char *place = NULL;
    int is_weak = 0;
    while (at < end) {
        uint8_t code = *at & 0xf0, value = *at & 0x0f;
        at++;
        uint64_t times = 0, skip = 0;
        switch (code) {
        case 0x00:
            if (!is_lazy) return;
            break;
        case 0x10: case 0x30: case 0x50: break;
        case 0x20: case 0x60: number(&at); break;
        case 0x40:
            is_weak = value & 1;
            symbol = (const char *)at;
            at += strlen(symbol) + 1;
            break;
        case 0x70: place = (char *)segments[value] + number(&at); break;
        case 0x80: place += number(&at); break;
        case 0x90: times = 1; break;
        case 0xa0: times = 1; skip = number(&at); break;
        case 0xb0: times = 1; skip = value * 8; break;
        case 0xc0: times = number(&at); skip = number(&at); break;
        default: fail("unknown way to bind", "");
        }
        for (; times; times--) {
            void *found = function(symbol);
            int is_missing = (char *)found >= missing_pages
                && (char *)found < missing_pages + 1000 * PAGE;
            *(void **)place = is_weak && is_missing ? NULL : found;
            place += 8 + skip;
        }
    }
}

static void load(const char *path) {
    int descriptor = open(path, O_RDONLY);
    struct stat file;
    if (descriptor < 0 || fstat(descriptor, &file)) fail("can't open ", path);
    char *bytes = mmap(NULL, file.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    uint32_t *header = (uint32_t *)bytes, *tables = NULL;
    if (header[0] != 0xfeedfacf) fail("not an executable of macOS: ", path);
    char *command = bytes + 32;
    uint64_t variables_end = 0;
    for (uint32_t left = header[4], count = 0; left; left--, command += ((uint32_t *)command)[1]) {
        uint32_t kind = *(uint32_t *)command;
        struct segment *segment = (struct segment *)command;
        if (kind == 0x19) {
            segments[count++] = segment->address;
            if (!segment->length || !segment->address) continue;
            char *at = (char *)segment->address;
            size_t length = (segment->length + 4095) & ~4095ull;
            if (mmap(at, length, PROT_READ | PROT_WRITE | PROT_EXEC,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != at)
                fail("its addresses are in use: ", path);
            memcpy(at, bytes + segment->offset, segment->file_length);
            __builtin___clear_cache(at, at + length);
            struct section *section = (struct section *)(segment + 1);
            for (uint32_t one = 0; one < segment->sections; one++, section++) {
                if (!strncmp(section->name, "__unwind_info", 16))
                    unwind_info = (uint32_t *)section->address;
                if (!strncmp(section->name, "__eh_frame", 16))
                    eh_frame = (uint8_t *)section->address;
                uint32_t type = section->flags & 0xff;
                if (type != 0x11 && type != 0x12) continue;
                if (!initial) initial = (char *)section->address;
                variables_end = section->address + section->length;
                initial_size = variables_end - (uint64_t)initial;
            }
        } else if (kind == 0x80000022) {
            tables = (uint32_t *)command + 2;
        } else if (kind == 0x80000028) {
            entry = *(uint64_t *)(command + 8);
        }
    }
    if (!tables || !entry) fail("it is not linked by zig: ", path);
    bind_all((uint8_t *)bytes + tables[2], tables[3], 0);
    bind_all((uint8_t *)bytes + tables[6], tables[7], 1);
    entry += segments[1];
}

int main(int count, char **words) {
    if (count < 2) fail("usage: mach-o PROGRAM ARGUMENTS", "");
    argc = count - 1;
    argv = words + 1;
    missing_pages = mmap(NULL, 1000 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &fault, NULL);
    load(argv[0]);
    outermost = __builtin_frame_address(0);
    exit(((int (*)(int, char **, char **))entry)(argc, argv, environ));
}
