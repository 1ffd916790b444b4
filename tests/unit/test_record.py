"""Records as JSON lines, PSQ, SGF and PGN."""

import json
from dataclasses import replace

import pytest

from inarow import (
    Board,
    FormatError,
    Game,
    Limit,
    Outcome,
    Reason,
    Record,
    Seat,
    from_psq,
    parse_move,
    parse_position,
    to_psq,
    to_sgf,
)
from inarow.game.exchange import to_pgn
from inarow.game.record import FORMAT


def finished() -> Record:
    board = parse_position("3x4x3:a1.b1.a2.b2.a3")
    return Record.of(board, ("telos", "random:seed=1"), (0.1, 0.25, 0.0, 1.5, 0.001), Limit(seconds=2, nodes=1000))


def test_a_record_is_one_json_line_that_reads_back() -> None:
    record = finished()
    line = record.to_json()
    assert "\n" not in line
    assert Record.from_json(line) == record
    assert record.board().moves == record.moves
    fields = json.loads(line)
    assert fields["format"] == FORMAT
    assert fields["position"] == "3x4x3:a1.b1.a2.b2.a3"
    assert fields["outcome"] == {"winner": "first", "reason": "line"}
    assert fields["limit"] == {"seconds": 2, "nodes": 1000}


def test_notes_read_back_and_are_checked() -> None:
    record = replace(finished(), notes=((0, "MESSAGE hello"), (5, "DEBUG ∞")))
    line = record.to_json()
    assert Record.from_json(line) == record
    assert "notes" not in json.loads(finished().to_json())
    for notes in ("x", [[6, "late"]], [[-1, "early"]], [[True, "x"]], [[1]], [[1, 2]], [["1", "x"]], None):
        with pytest.raises(FormatError, match="note"):
            Record.from_json(json.dumps(json.loads(line) | {"notes": notes}))


def test_a_game_without_times_or_end_reads_back() -> None:
    for text in ("6x7x4g:d.d", "3x3x3", "1x1x2:a1"):
        record = Record.of(parse_position(text), ("ä", "你"))
        assert Record.from_json(record.to_json()) == record


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "a record says format 'inarow-record-1'"),
        ({"position": "3x4x3:a1.a1"}, "move 2 of the position"),
        ({"position": 7}, "a record's position is a text, not 7"),
        ({"players": ["one"]}, "a record names two players"),
        ({"outcome": None}, "the record's outcome is None, its moves say"),
        ({"outcome": {"winner": "second", "reason": "line"}}, "its moves say"),
        ({"seconds": [1]}, "one time a move: 5 moves, 1 times"),
        ({"seconds": "fast"}, "a list of numbers"),
        ({"limit": {"hours\n": 1}}, "a record's limit has seconds, nodes, depth, clock, increment, not"),
        ({"limit": {"seconds": 10**400}}, "a record's limit cannot be read"),
        ({"seconds": [0, 0, 0, 0, 10**400]}, "a list of numbers"),
        ({"seconds": [0, 0, 0, 0, float("inf")]}, "a list of numbers"),
        ({"players": ["\ud800", "b"]}, "is not a text that can be written"),
        ({"limit": {"seconds": -1}}, "seconds must be more than 0"),
        ({"date": 3}, "a record's date is a text, not 3"),
    ],
)
def test_a_record_that_is_wrong_is_refused(change: dict[str, object], message: str) -> None:
    fields = json.loads(finished().to_json()) | change
    with pytest.raises(FormatError, match=message) as caught:
        Record.from_json(json.dumps(fields))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("line", ["", "{", "[]", "7", "null", "[" * 100_000])
def test_what_is_not_a_record_is_refused(line: str) -> None:
    with pytest.raises(FormatError, match="a record"):
        Record.from_json(line)


def test_psq_there_and_back() -> None:
    record = finished()
    text = to_psq(record)
    assert text.splitlines()[:3] == ["Piskvorky 4x3, 11:11, 0", "1,1,100", "2,1,250"]
    again = from_psq(text, k=3)
    assert (again.game, again.players, again.moves, again.outcome) == (
        record.game,
        record.players,
        record.moves,
        record.outcome,
    )
    assert again.seconds == record.seconds


def test_psq_as_other_programs_write_it() -> None:
    text = "Piskvorky 20x15, 0:11, 1\r\n20,15,0\r\n1,1\r\nbrain-a.exe\r\nbrain-b.zip\r\n-1\r\n1,Freestyle\r\n"
    record = from_psq(text)
    assert record.game == Game(15, 20, 5)
    assert record.moves == ((14, 19), (0, 0))
    assert record.players == ("brain-b.zip", "brain-a.exe"), "1 in the head: the second of the named began"
    assert from_psq("Piskvorky 20x20, 11:11, 0\n10,10,0\n").players == ("first", "second")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "begins with 'Piskvorky"),
        ("Gomoku 20x20", "begins with 'Piskvorky"),
        ("Piskvorky 20x20, 11:11, 0\n21,1,0\n", "off the board"),
        ("Piskvorky 20x20, 11:11, 0\n1,1,0\n1,1,0\n", "is taken"),
        ("Piskvorky 200x20, 11:11, 0\n", "columns must be 1 to 128, not 200"),
    ],
)
def test_a_broken_psq_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_psq(text)


def test_psq_names_that_look_like_moves() -> None:
    record = Record(Game(3, 3, 3), ("1,1", "7"), ((1, 1),))
    assert from_psq(to_psq(record), k=3).players == ("player 1,1", "player 7")
    assert from_psq(to_psq(record), k=3).moves == record.moves
    assert from_psq("Piskvorky 3x3, 11:11, 0\na  b\nc\n").players == ("a b", "c")


def test_psq_has_no_gravity() -> None:
    with pytest.raises(FormatError, match="PSQ has no gravity"):
        to_psq(Record.of(parse_position("6x7x4g:d"), ("a", "b")))


def test_sgf() -> None:
    text = to_sgf(finished())
    assert text.startswith("(;GM[4]FF[4]CA[UTF-8]AP[inarow:")
    assert "SZ[4:3]PB[telos]PW[random\\:seed=1]GN[3x4x3]" in text
    assert "RE[B+]" in text
    assert text.split("\n;")[1:] == ["B[aa]", "W[ba]", "B[ab]", "W[bb]", "B[ac])\n"]
    falling = to_sgf(Record.of(parse_position("6x7x4g:d.d"), ("a]b\\", "\n")))
    assert "PB[a\\]b\\\\]PW[?]" in falling
    assert falling.endswith(";B[df]\n;W[de])\n")
    assert "RE[0]" in to_sgf(Record.of(parse_position("1x1x2:a1"), ("a", "b")))
    with pytest.raises(FormatError, match="a side over 52"):
        to_sgf(Record.of(Board(Game(53, 53, 5)), ("a", "b")))


def test_outcome_of_a_record_names_the_seat() -> None:
    outcome = finished().outcome
    assert outcome is not None and outcome.winner is Seat.FIRST


def test_a_forfeited_game_says_what_the_loser_did() -> None:
    outcome = Outcome(Seat.SECOND, Reason.FORFEIT, detail="late: 1.2 s of 1 s")
    record = Record(Game(3, 3, 3), ("a", "b"), ((1, 1), (0, 0)), outcome, opening=1)
    assert Record.from_json(record.to_json()) == record
    assert str(outcome) == "second wins by forfeit: late: 1.2 s of 1 s"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"outcome": {"winner": None, "reason": "forfeit"}}, "a forfeited game has a winner"),
        ({"outcome": {"winner": "first", "reason": "forfeit", "detail": 3}}, "detail is a text"),
        ({"opening": 3}, "at most 2"),
        ({"opening": True}, "number of moves"),
    ],
)
def test_forfeits_and_openings_are_checked(changes: dict[str, object], message: str) -> None:
    entries = json.loads(Record(Game(3, 3, 3), ("a", "b"), ((1, 1), (0, 0))).to_json())
    with pytest.raises(FormatError, match=message):
        Record.from_json(json.dumps(entries | changes))


def forfeited(winner: Seat = Seat.SECOND) -> Record:
    outcome = Outcome(winner, Reason.FORFEIT, detail='late: "1.2 s" of 1 s')
    return Record(Game(3, 3, 3), ("a", "b"), ((1, 1), (0, 0)), outcome, (0.5, 0.25), date="2026-01-31T23:59:59+00:00")


def test_psq_and_sgf_of_a_forfeited_game() -> None:
    assert to_psq(forfeited()).splitlines() == ["Piskvorky 3x3, 11:11, 0", "2,2,500", "1,1,250", "a", "b", "-1"]
    assert "DT[2026-01-31]RE[W+F]\n;B[bb]\n;W[aa])" in to_sgf(forfeited())
    assert "RE[B+F]" in to_sgf(forfeited(Seat.FIRST))


def test_pgn() -> None:
    assert to_pgn(forfeited()).splitlines() == [
        '[Event "inarow"]',
        '[Site "?"]',
        '[Date "2026.01.31"]',
        '[Round "?"]',
        '[White "a"]',
        '[Black "b"]',
        '[Result "0-1"]',
        '[Board "3x3x3"]',
        '[Termination "forfeit: late: \\"1.2 s\\" of 1 s"]',
        "",
        "{b2 a1}",
        "0-1",
    ]


@pytest.mark.parametrize(
    ("position", "result", "termination"),
    [
        ("3x4x3:a1.b1.a2.b2.a3", "1-0", "normal"),
        ("3x3x3:a1.b1.a2.b2.c3.b3", "0-1", "normal"),
        ("1x1x2:a1", "1/2-1/2", "normal"),
        ("6x7x4g", "*", "unterminated"),
    ],
)
def test_results_in_pgn(position: str, result: str, termination: str) -> None:
    text = to_pgn(Record.of(parse_position(position), ("a", "b")))
    assert f'[Result "{result}"]' in text
    assert f'[Termination "{termination}"]' in text
    assert text.endswith(f"}}\n{result}\n")


def test_names_in_pgn_stay_between_their_quotes() -> None:
    text = to_pgn(Record(Game(3, 3, 3), ('cmd:"a b" \\x]', "\x00ä\n[Result \x1b"), ()))
    assert '[White "cmd:\\"a b\\" \\\\x]"]\n[Black "ä [Result"]\n[Result "*"]\n' in text
    assert '[White "?"]' in to_pgn(Record(Game(3, 3, 3), ("\n", "b"), ()))


def test_long_games_in_pgn_have_short_lines() -> None:
    board = Board(Game(20, 20, 20))
    while not board.is_over:
        board.push(board.legal_moves[0])
    lines = to_pgn(Record.of(board, ("a", "b"))).splitlines()
    assert max(map(len, lines)) < 80
    moves = " ".join(lines[10:-1])
    assert moves[0] + moves[-1] == "{}"
    assert [parse_move(board.game, name) for name in moves.strip("{}").split()] == list(board.moves)
