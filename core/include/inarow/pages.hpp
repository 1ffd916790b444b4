// Memory from the system: all zeros, and not touched before it is needed.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>

namespace inarow {

struct Unmap {
    std::size_t bytes = 0;
    void operator()(void* memory) const { munmap(memory, bytes); }
};

template <class T>
using Pages = std::unique_ptr<T[], Unmap>;

// Room for so many, each of them as if made of zeros. Throws std::bad_alloc.
template <class T>
Pages<T> zeroed_pages(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    // With large pages it does not cost more to find a page than to read it. Small tables would only be rounded up.
    if (bytes >= std::size_t{1} << 22) madvise(memory, bytes, MADV_HUGEPAGE);
    return Pages<T>(static_cast<T*>(memory), Unmap{bytes});
}

}  // namespace inarow
