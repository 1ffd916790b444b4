// Confirms and finds forced wins on a plain board: plain_wins.hpp as a program, for scripts.
//
// It reads questions, one a line, and answers each with a line that says "proven", "refuted" or "unknown", or the plies of a win that it
// found, 0 for none; then the nodes that took. Moves are cells, row * columns + column.
//
//     confirm ROWS COLUMNS K GRAVITY win|loss PLIES BUDGET MOVES...     is the player to move sure to win, to lose, within so many plies?
//     hinted  …                                                         the same; it may ask for moves of the winner's meanwhile:
//                                                                       a line "hint MOVES...", answered by a cell or by -1
//     find    ROWS COLUMNS K GRAVITY fours|threes|all PLIES BUDGET MOVES...
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "plain_wins.hpp"

namespace {

using plain::Verdict;
using plain::WinProver;

int ask_for_hint(const std::vector<int>& moves) {
    std::cout << "hint";
    for (const int cell : moves) std::cout << ' ' << cell;
    std::cout << std::endl;
    std::string answer;
    return std::getline(std::cin, answer) ? std::stoi(answer) : -1;
}

const char* name(Verdict verdict) {
    return verdict == Verdict::proven ? "proven" : verdict == Verdict::refuted ? "refuted" : "unknown";
}

// With fours, threes and hints; without hints, what is small enough is tried in full.
Verdict confirm(WinProver& prover, const std::vector<int>& moves, bool is_win, int plies, std::int64_t budget, bool is_hinted) {
    constexpr int few_plies = 6;
    const auto prove = [&](WinProver::Width width, WinProver::Hint hint) {
        return is_win ? prover.prove_win(moves, plies, width, budget, std::move(hint)) : prover.prove_loss(moves, plies, width, budget, std::move(hint));
    };
    const Verdict verdict = prove(WinProver::Width::threes, is_hinted ? ask_for_hint : WinProver::Hint());
    return verdict == Verdict::proven || is_hinted || plies > few_plies ? verdict : prove(WinProver::Width::all, {});
}

}  // namespace

int main() {
    std::string text;
    while (std::getline(std::cin, text)) {
        std::istringstream words(text);
        std::string question, kind;
        plain::Game game{};
        int plies = 0;
        std::int64_t budget = 0;
        words >> question >> game.rows >> game.columns >> game.k >> game.gravity >> kind >> plies >> budget;
        if (!words || (question != "confirm" && question != "hinted" && question != "find")) {
            std::cerr << "not a question: " << text << '\n';
            return 1;
        }
        std::vector<int> moves;
        for (int cell = 0; words >> cell;) moves.push_back(cell);
        WinProver prover(game);
        if (question == "find") {
            const auto width = kind == "fours" ? WinProver::Width::fours : kind == "threes" ? WinProver::Width::threes : WinProver::Width::all;
            std::cout << prover.find_win(moves, plies, width, budget);
        } else {
            std::cout << name(confirm(prover, moves, kind == "win", plies, budget, question == "hinted"));
        }
        std::cout << ' ' << prover.nodes() << std::endl;
    }
}
