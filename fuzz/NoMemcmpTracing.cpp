// In place of libFuzzer's hooks of memcmp() and the like (the linker takes the first definition).
// LLVM's parser compares names so often that tracing took 70 % of the time, which no option of
// libFuzzer spares; the words it would learn that way are in assembly.dict.
#include <cstddef>

extern "C" {
void __sanitizer_weak_hook_memcmp(void *, const void *, const void *, size_t, int) {}
void __sanitizer_weak_hook_strcmp(void *, const char *, const char *, int) {}
void __sanitizer_weak_hook_strncmp(void *, const char *, const char *, size_t, int) {}
}
