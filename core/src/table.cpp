#include "inarow/table.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace inarow {

Table::Table(std::size_t bytes)
    : mask_(std::bit_floor(std::max<std::size_t>(1, bytes / sizeof(Bucket))) - 1),
      buckets_(static_cast<Bucket*>(std::calloc(mask_ + 1, sizeof(Bucket)))) {
    if (!buckets_) throw std::bad_alloc();
}

}  // namespace inarow
