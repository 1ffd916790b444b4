// The engine's table by itself: what it gives back, what it keeps, and whose memory it takes when.
#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "inarow/engine_search.hpp"
#include "inarow/engine_table.hpp"
#include "inarow/watch.hpp"

using namespace inarow;

TEST_CASE("the engine's table gives back what it was given, and wins as seen from where it is asked") {
    EngineTable table(1 << 12);
    table.store(42, 3, {Bound::exact, 7, won - 9, 12, 4});
    CHECK(table.probe(42, 3).score == won - 9);
    CHECK(table.probe(42, 1).score == won - 7);
    CHECK(table.probe(42, 1).move == 7);
    CHECK(table.probe(42, 1).evaluation == 12);
    table.store(42, 3, {Bound::upper, no_cell, -(won - 8), -5, 9});
    CHECK(table.probe(42, 0).score == -(won - 5));
    CHECK(table.probe(42, 0).bound == Bound::upper);
    CHECK(table.probe(42, 0).depth == 9);
    CHECK(table.probe(42, 0).move == 7);  // a known move is kept
    CHECK(table.probe(43, 0).bound == Bound::none);
    table.store(44, 0, {Bound::lower, 16383, -1234, 32, 300});
    CHECK(table.probe(44, 5).score == -1234);
    CHECK(table.probe(44, 5).move == 16383);
    table.clear();
    CHECK(table.probe(44, 5).bound == Bound::none);
}

TEST_CASE("the engine's table takes all the memory that it may have, whatever its size") {
    constexpr std::size_t buckets = 3 * 32768 + 5;  // three pages and a little
    EngineTable table(64 * buckets + 63);
    CHECK(table.bytes() == 64 * buckets);
    std::mt19937_64 random(3);
    std::vector<std::uint64_t> keys{0, ~std::uint64_t{0}};
    while (keys.size() < 4 * buckets) keys.push_back(random());
    for (const std::uint64_t key : keys) table.store(key, 0, {Bound::exact, 7, static_cast<Score>(key % 1000), 12, 4});
    std::size_t found = 0;
    for (const std::uint64_t key : keys) {
        const EngineTable::Found known = table.probe(key, 0);
        if (known.bound == Bound::none) continue;
        CHECK(known.score == static_cast<Score>(key % 1000));
        ++found;
    }
    CHECK(found > 3 * buckets);  // spread over all of it, about a fifth has to make room
    table.clear();
    for (const std::uint64_t key : keys) CHECK(table.probe(key, 0).bound == Bound::none);
    CHECK(EngineTable(1).bytes() == 64);
}

TEST_CASE("the engine's table loses no proof of a position to what is found later") {
    EngineTable table(1 << 12);
    const auto known = [&] { return table.probe(42, 0); };
    table.store(42, 0, {Bound::lower, 7, won - 9, 12, 4});
    table.store(42, 0, {Bound::upper, 8, won - 9, 12, 30});  // no nearer win was found
    table.store(42, 0, {Bound::exact, 8, 300, 12, 30});
    table.store(42, 0, {Bound::lower, 8, won - 11, 12, 30});
    CHECK(known().bound == Bound::lower);
    CHECK(known().score == won - 9);
    CHECK(known().move == 7);
    table.store(42, 0, {Bound::lower, 9, won - 5, 12, 1});
    CHECK(known().score == won - 5);
    CHECK(known().move == 9);

    table.store(43, 0, {Bound::lower, 7, 8 - won, 12, 4});  // lasts so long at least: not proven to be lost
    table.store(43, 0, {Bound::upper, 7, -200, 12, 5});
    CHECK(table.probe(43, 0).score == -200);
    table.store(43, 0, {Bound::upper, no_cell, 8 - won, 12, 5});
    table.store(43, 0, {Bound::upper, no_cell, -200, 12, 9});
    table.store(43, 0, {Bound::upper, no_cell, 10 - won, 12, 9});
    CHECK(table.probe(43, 0).score == 8 - won);
    table.store(43, 0, {Bound::upper, no_cell, 6 - won, 12, 9});
    CHECK(table.probe(43, 0).score == 6 - won);
}

TEST_CASE("the engine's table says when the system has to provide memory, and a search then looks at the clock") {
    constexpr std::size_t page_buckets = (std::size_t{1} << 21) / 64;
    const EngineTable::Found what{Bound::exact, 7, 100, 12, 4};
    EngineTable table(std::size_t{1} << 23);  // four pages
    const auto key_of = [](std::uint64_t bucket) { return bucket << (64 - 17) | 42; };
    CHECK(table.store(key_of(5), 0, what));
    CHECK(!table.store(key_of(6), 0, what));
    CHECK(table.store(key_of(5 + page_buckets), 0, what));
    CHECK(!table.take_memory(60));
    CHECK(!table.store(key_of(5 + 2 * page_buckets), 0, what));
    CHECK(!table.store(key_of(5 + 3 * page_buckets), 0, what));
    for (const std::uint64_t bucket : {std::size_t{5}, std::size_t{6}, 5 + page_buckets, 5 + 2 * page_buckets}) CHECK(table.probe(key_of(bucket), 0).score == 100);
    table.clear();
    CHECK(table.probe(key_of(5), 0).bound == Bound::none);
    EngineTable in_no_time(std::size_t{1} << 23);
    CHECK(in_no_time.take_memory(0));
    CHECK(in_no_time.store(key_of(5), 0, what));

    StopFlag stop;
    Watch watch({}, stop, 64);
    CHECK(watch.enter());
    stop.set();
    CHECK(watch.enter());
    watch.look_soon();
    CHECK(!watch.enter());
    watch.look_soon();
    CHECK(!watch.enter());
    CHECK(watch.nodes() == 2);
}
