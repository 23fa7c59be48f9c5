// Runs an executable of macOS on Linux, as far as tests of call stacks need it: loads the file at
// its own addresses, and gives it functions of libc, or those below, under the names of macOS.
// Stacks are walked by frame pointers, which functions on macOS keep.
//
// It is neither the kernel nor the unwinder of macOS, and knows what zig's linker writes.
#define _GNU_SOURCE
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

// The unwinder.

struct context {
    uintptr_t address, stack, frame;
};

static int backtrace_to(int (*each)(struct context *, void *), void *data) {
    uintptr_t *frame = __builtin_frame_address(0);
    for (; frame != outermost; frame = (uintptr_t *)frame[0]) {
        struct context context = {frame[1], (uintptr_t)(frame + 2), frame[0]};
        if (each(&context, data) != 0) break;
    }
    return 5;
}

static uintptr_t address_of(struct context *context) { return context->address; }
static uintptr_t stack_of(struct context *context) { return context->stack; }
static uintptr_t register_of(struct context *context, int number) {
    if (number != 29) fail("only the frame pointer is known", "");
    return context->frame;
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

static int open_file(const char *path, int flags) {
    int own = flags & 3;
    if (flags & 0x8) own |= O_APPEND;
    if (flags & 0x200) own |= O_CREAT;
    if (flags & 0x400) own |= O_TRUNC;
    if (flags & 0x800) own |= O_EXCL;
    return open(path, own | O_CLOEXEC, 0666);
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

// Signals have other numbers, but that of an abort.
static int signal_action(int number, const struct action *action, struct action *before) {
    struct sigaction own = {0}, old = {0};
    if (number != SIGABRT) {
        if (before) *before = (struct action){0};
        return 0;
    }
    if (action) own.sa_handler = action->handler;
    int error = sigaction(number, action ? &own : NULL, &old);
    if (before) *before = (struct action){old.sa_handler, 0, 0};
    return error;
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
    {"sigaction", signal_action},
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

static uint64_t number(const uint8_t **at) {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        uint8_t byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
}

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
