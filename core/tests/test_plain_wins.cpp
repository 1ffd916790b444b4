// The plain prover of wins against trying everything.
#include <doctest/doctest.h>

#include <random>

#include "plain_wins.hpp"

using plain::Verdict;
using plain::WinProver;

namespace {

// A board after some random moves; the game may be over.
plain::CountedBoard random_board(const plain::Game& game, std::mt19937_64& random, int stones) {
    plain::CountedBoard board(game);
    while (static_cast<int>(board.moves().size()) < stones && !board.is_won()) {
        const auto legal = board.legal_moves();
        board.place(legal[random() % legal.size()], static_cast<int>(board.moves().size() % 2));
    }
    return board;
}

std::string text_of(const plain::CountedBoard& board) {
    std::string text;
    for (const int stone : board.stones()) text += stone < 0 ? '.' : stone == 0 ? 'x' : 'o';
    return text;
}

}  // namespace

TEST_CASE("the plain prover finds the wins that are there, and no others") {
    int wins = 0, losses = 0;
    for (const plain::Game& game : {plain::Game{3, 3, 3}, plain::Game{3, 4, 3}, plain::Game{4, 3, 3}, plain::Game{4, 4, 3, true}, plain::Game{3, 5, 3, true}, plain::Game{4, 4, 4, true}}) {
        plain::Exhaustive truth(game);
        WinProver prover(game);
        std::mt19937_64 random(9);
        for (int round = 0; round < 60; ++round) {
            CAPTURE(round);
            const plain::CountedBoard board = random_board(game, random, 2 + static_cast<int>(random() % 5));
            if (board.is_won()) continue;
            const auto [value, plies] = truth.solve(text_of(board));
            wins += value == 1;
            losses += value == -1;
            constexpr std::int64_t budget = 1 << 22;
            if (value == 1) {
                CHECK(prover.prove_win(board.moves(), plies, WinProver::Width::all, budget) == Verdict::proven);
                CHECK(prover.prove_win(board.moves(), plies - 2, WinProver::Width::all, budget) == Verdict::refuted);
                CHECK(prover.find_win(board.moves(), game.cells(), WinProver::Width::all, budget) == plies);
            } else if (value == -1) {
                CHECK(prover.prove_loss(board.moves(), plies, WinProver::Width::all, budget) == Verdict::proven);
                CHECK(prover.prove_loss(board.moves(), plies - 2, WinProver::Width::all, budget) == Verdict::refuted);
            } else {
                CHECK(prover.prove_win(board.moves(), game.cells(), WinProver::Width::all, budget) == Verdict::refuted);
                CHECK(prover.prove_loss(board.moves(), game.cells(), WinProver::Width::all, budget) == Verdict::refuted);
            }
            const int found = prover.find_win(board.moves(), game.cells(), WinProver::Width::threes, budget);
            CHECK((found == 0 || (value == 1 && found >= plies)));
            const int by_fours = prover.find_win(board.moves(), game.cells(), WinProver::Width::fours, budget);
            CHECK((by_fours == 0 || (found > 0 && by_fours >= found)));
        }
    }
    CHECK(wins > 60);
    CHECK(losses > 20);
}

TEST_CASE("who is lost by parity is lost") {
    int lost = 0;
    for (const plain::Game& game : {plain::Game{4, 4, 3, true}, plain::Game{4, 5, 4, true}, plain::Game{5, 4, 4, true}, plain::Game{5, 4, 3, true}}) {
        plain::Exhaustive truth(game);
        const plain::ParityRule parity(game);
        std::mt19937_64 random(4);
        for (int round = 0; round < 400; ++round) {
            const plain::CountedBoard board = random_board(game, random, game.cells() / 2 + static_cast<int>(random() % 6));
            const int loser = static_cast<int>(board.moves().size() % 2);
            if (board.is_won() || !board.wins(loser).empty()) continue;
            const int within = parity.lost_within(board.stones(), loser);
            if (within == plain::ParityRule::not_lost) continue;
            ++lost;
            const auto [value, plies] = truth.solve(text_of(board));
            CHECK(value == -1);
            CHECK(plies <= within);
        }
    }
    CHECK(lost > 30);
}

TEST_CASE("hints help, and a wrong one does no harm") {
    WinProver prover({15, 15, 5});
    // Two stones in a row and two in a column that crosses it: a double three.
    const std::vector<int> moves{112, 0, 113, 20, 129, 44, 144, 60};
    constexpr std::int64_t budget = 1 << 22;
    const int plies = prover.find_win(moves, 9, WinProver::Width::threes, budget);
    REQUIRE(plies > 3);
    int asked = 0;
    const auto nowhere = [&](const std::vector<int>&) { return ++asked, -1; };
    CHECK(prover.prove_win(moves, plies, WinProver::Width::threes, budget, nowhere) == Verdict::proven);
    CHECK(asked > 0);
    CHECK(prover.prove_win(moves, plies - 2, WinProver::Width::threes, budget, nowhere) == Verdict::unknown);
}
