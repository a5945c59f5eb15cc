// The program's own malloc, pthread_mutex_lock and so on: the linker prefers them to those of the C library, also for
// calls from inside other libraries. operator new ends in them too, and so does throw.
#include "tests/realtime/interpose.h"

#ifndef ELASTANE_SANITIZED
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include <cerrno>
#endif

namespace elastane {
namespace {

constinit thread_local bool watching = false;
constinit thread_local Requests requests;

}  // namespace

void watch() {
  requests = {};
  watching = true;
}

Requests unwatch() {
  watching = false;
  return requests;
}

#ifndef ELASTANE_SANITIZED
namespace {

void count_allocation() { requests.allocations += watching ? 1 : 0; }

// counts, then calls the C library's own; kSelf keeps the pointers of different functions apart
template <auto kSelf, class... Arguments>
int counted(const char* name, Arguments... arguments) {
  requests.locks += watching ? 1 : 0;
  static const auto next = reinterpret_cast<int (*)(Arguments...)>(dlsym(RTLD_NEXT, name));
  return next(arguments...);
}

}  // namespace
#endif

}  // namespace elastane

#ifndef ELASTANE_SANITIZED
using elastane::count_allocation;
using elastane::counted;

extern "C" {

// glibc's own names: dlsym would need malloc before it can find malloc
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);

void* malloc(size_t size) noexcept { return count_allocation(), __libc_malloc(size); }
void* calloc(size_t n, size_t size) noexcept { return count_allocation(), __libc_calloc(n, size); }
void* realloc(void* old, size_t size) noexcept { return count_allocation(), __libc_realloc(old, size); }
void free(void* old) noexcept { count_allocation(), __libc_free(old); }
void* memalign(size_t alignment, size_t size) noexcept { return count_allocation(), __libc_memalign(alignment, size); }
void* aligned_alloc(size_t alignment, size_t size) noexcept {
  return count_allocation(), __libc_memalign(alignment, size);
}
int posix_memalign(void** to, size_t alignment, size_t size) noexcept {
  count_allocation();
  *to = __libc_memalign(alignment, size);
  return *to == nullptr ? ENOMEM : 0;
}

using Mutex = pthread_mutex_t;
using SharedMutex = pthread_rwlock_t;
using Condition = pthread_cond_t;
using Until = const timespec;

int pthread_mutex_lock(Mutex* m) noexcept { return counted<pthread_mutex_lock>(__func__, m); }
int pthread_mutex_trylock(Mutex* m) noexcept { return counted<pthread_mutex_trylock>(__func__, m); }
int pthread_mutex_timedlock(Mutex* m, Until* t) noexcept { return counted<pthread_mutex_timedlock>(__func__, m, t); }
int pthread_mutex_unlock(Mutex* m) noexcept { return counted<pthread_mutex_unlock>(__func__, m); }

int pthread_rwlock_rdlock(SharedMutex* m) noexcept { return counted<pthread_rwlock_rdlock>(__func__, m); }
int pthread_rwlock_wrlock(SharedMutex* m) noexcept { return counted<pthread_rwlock_wrlock>(__func__, m); }
int pthread_rwlock_tryrdlock(SharedMutex* m) noexcept { return counted<pthread_rwlock_tryrdlock>(__func__, m); }
int pthread_rwlock_trywrlock(SharedMutex* m) noexcept { return counted<pthread_rwlock_trywrlock>(__func__, m); }
int pthread_rwlock_unlock(SharedMutex* m) noexcept { return counted<pthread_rwlock_unlock>(__func__, m); }

int pthread_cond_wait(Condition* c, Mutex* m) { return counted<pthread_cond_wait>(__func__, c, m); }
int pthread_cond_timedwait(Condition* c, Mutex* m, Until* t) {
  return counted<pthread_cond_timedwait>(__func__, c, m, t);
}
int pthread_cond_signal(Condition* c) noexcept { return counted<pthread_cond_signal>(__func__, c); }
int pthread_cond_broadcast(Condition* c) noexcept { return counted<pthread_cond_broadcast>(__func__, c); }

int pthread_spin_lock(pthread_spinlock_t* s) noexcept { return counted<pthread_spin_lock>(__func__, s); }

int sem_wait(sem_t* s) { return counted<sem_wait>(__func__, s); }
int sem_trywait(sem_t* s) noexcept { return counted<sem_trywait>(__func__, s); }
int sem_timedwait(sem_t* s, Until* t) { return counted<sem_timedwait>(__func__, s, t); }
int sem_post(sem_t* s) noexcept { return counted<sem_post>(__func__, s); }

}  // extern "C"
#endif
