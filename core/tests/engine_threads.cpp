// The engine with several threads, for ThreadSanitizer to look at: `make sanitize-engine`, ten minutes unless told otherwise.
//
// Seeded random positions of boards of both placements and several k, searched one after the other in every way there is: until a limit of
// nodes, depth or time, or until another thread sets the stop flag; with and without a mailbox that a third thread reads; one line or
// several; with a table that is kept, forgotten or new. Every result must be a legal move, and every mailbox must end.
//
//     engine_threads [SECONDS [THREADS]]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "inarow/engine.hpp"
#include "some_game.hpp"

using namespace inarow;
using namespace inarow::testing;

namespace {

using Clock = std::chrono::steady_clock;

constexpr double default_seconds = 600;
constexpr int default_threads = 4;
constexpr std::size_t memory_bytes = std::size_t{1} << 20;  // small, so that threads meet in the table
constexpr int searches_on_a_board = 6;
constexpr double reader_seconds = 0.01;
constexpr std::chrono::seconds report_interval{10};

constexpr Game games[] = {
    {3, 3, 3, false},   {5, 5, 4, false},   {9, 9, 5, false},   {15, 15, 5, false}, {19, 19, 6, false}, {12, 12, 7, false}, {40, 40, 10, false},
    {128, 128, 5, false}, {1, 20, 4, false}, {6, 7, 4, true},    {8, 8, 4, true},    {9, 10, 5, true},   {12, 12, 6, true},  {50, 50, 10, true},
    {4, 5, 3, true},
};

std::atomic<bool> is_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// A limit of some kind; what has none must be stopped.
Limits some_limits(Random& random) {
    Limits limits;
    switch (below(random, 4)) {
        case 0: limits.nodes = 1 + below(random, 20000); break;
        case 1: limits.depth = 1 + below(random, 6); limits.seconds = 0.2; break;
        case 2: limits.seconds = 0.001 * (1 + below(random, 60)); break;
        default: break;
    }
    return limits;
}

// Takes reports until no more come; how many came. Whether the box is closed is asked first: what was put before is still there then.
int read_all(ReportMailbox& mailbox) {
    int reports = 0;
    while (true) {
        const bool is_closed = mailbox.is_closed();
        if (mailbox.take(reader_seconds)) {
            ++reports;
        } else if (is_closed) {
            return reports;
        }
    }
}

// One search while other threads read and stop it; false when its move is not legal.
bool search_once(Engine& engine, const std::shared_ptr<const Geometry>& geometry, Random& random, int& reports) {
    const std::vector<Cell> moves = some_game(geometry, random, below(random, std::min(40, geometry->cells())));
    StopFlag stop;
    std::optional<ReportMailbox> mailbox;
    std::optional<std::jthread> reader;
    if (below(random, 3) > 0) {
        mailbox.emplace();
        reader.emplace([&] { reports += read_all(*mailbox); });
    }
    const std::chrono::microseconds until_stop(below(random, 50'000));
    std::jthread stopper([&] {
        std::this_thread::sleep_for(until_stop);
        stop.set();
    });
    const EngineResult result = engine.search({moves, 1 + below(random, 3)}, some_limits(random), stop, mailbox ? &*mailbox : nullptr);
    reader.reset();  // waits for its end
    return after(geometry, moves).is_legal(result.move);
}

}  // namespace

int main(int count, char** arguments) {
    const double seconds = count > 1 ? std::atof(arguments[1]) : default_seconds;
    const int threads = count > 2 ? std::atoi(arguments[2]) : default_threads;
    if (seconds <= 0 || threads < 1) {
        std::fprintf(stderr, "usage: engine_threads [SECONDS [THREADS]], both above 0; for instance engine_threads 600 4\n");
        return 2;
    }
    std::signal(SIGINT, [](int) { is_interrupted = true; });
    const auto begin = Clock::now();
    auto next_report = begin + report_interval;
    int searches = 0, reports = 0;
    for (unsigned round = 0; since(begin) < seconds && !is_interrupted; ++round) {
        const Game& game = games[round % std::size(games)];
        Random random(round);
        const auto geometry = std::make_shared<const Geometry>(game);
        Engine::Options options;
        options.memory_bytes = memory_bytes;
        options.threads = threads;
        const auto engine = Engine::make(geometry, options, EngineWeights::handmade());
        for (int i = 0; i < searches_on_a_board && !is_interrupted; ++i, ++searches) {
            if (i == searches_on_a_board / 2) engine->clear();
            if (!search_once(*engine, geometry, random, reports)) {
                std::printf("an illegal move on %s, round %u\n", name(game).c_str(), round);
                return 1;
            }
        }
        if (Clock::now() >= next_report) {
            next_report += report_interval;
            std::fprintf(stderr, "%.0f of %.0f s: %d searches, %d reports\n", since(begin), seconds, searches, reports);
        }
    }
    std::printf("%d searches with %d threads on %zu boards in %.0f s, %d reports: every move legal\n", searches, threads, std::size(games),
                since(begin), reports);
    return 0;
}
