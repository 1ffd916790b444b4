"""Any position reads back; any text is read or refused, never worse."""

from hypothesis import given
from hypothesis import strategies as st

from inarow import (
    Board,
    Game,
    InarowError,
    Move,
    Record,
    cell_name,
    format_connect4,
    format_position,
    from_psq,
    parse_connect4,
    parse_game,
    parse_move,
    parse_picture,
    parse_position,
    to_psq,
)

sides = st.integers(1, 128)
games = st.builds(Game, sides, sides, sides, st.booleans())
small_games = st.builds(Game, st.integers(1, 9), st.integers(1, 9), st.integers(1, 9), st.booleans())


@st.composite
def boards(draw: st.DrawFn, games: st.SearchStrategy[Game] = games) -> Board:
    board = Board(draw(games))
    game = board.game
    rows, columns = st.integers(0, game.rows - 1), st.integers(0, game.columns - 1)
    moves: st.SearchStrategy[Move] = columns if game.gravity else st.tuples(rows, columns)
    for move in draw(st.lists(moves, max_size=30)):
        if board.is_legal(move):
            board.push(move)
    return board


@given(games)
def test_games_read_back(game: Game) -> None:
    assert parse_game(str(game)) == game


@given(boards())
def test_positions_read_back(board: Board) -> None:
    again = parse_position(format_position(board))
    assert again == board and again.moves == board.moves and again.outcome == board.outcome


@given(boards(small_games))
def test_pictures_read_back(board: Board) -> None:
    assert parse_picture(board.game, str(board)) == board


@given(boards())
def test_records_read_back(board: Board) -> None:
    record = Record.of(board, ("a", "b"), tuple(0.5 for _ in board.moves))
    assert Record.from_json(record.to_json()) == record
    if not board.game.gravity:
        again = from_psq(to_psq(record), k=board.game.k)
        assert (again.game, again.moves, again.seconds) == (record.game, record.moves, record.seconds)


@given(boards(st.builds(Game, st.integers(1, 9), st.integers(1, 9), st.integers(1, 9), st.just(True))))
def test_connect4_strings_read_back(board: Board) -> None:
    assert parse_connect4(board.game, format_connect4(board)) == board


@given(st.tuples(st.integers(0, 127), st.integers(0, 127)))
def test_cells_read_back(cell: tuple[int, int]) -> None:
    assert parse_move(Game(128, 128, 5), cell_name(cell)) == cell


broken_positions = st.text() | st.from_regex(
    r"\d{1,3}x\d{1,3}x\d{1,3}g?(:([a-z]{0,3}\d{0,4}[.,;]?){0,9})?", fullmatch=True
)


@given(broken_positions)
def test_any_text_is_a_position_or_refused(text: str) -> None:
    try:
        board = parse_position(text)
    except InarowError as error:
        assert str(error) and "\n" not in str(error)
    else:
        assert parse_position(format_position(board)) == board


@given(small_games, st.text(alphabet="XO.123abc \n#", max_size=60))
def test_any_text_is_a_picture_or_refused(game: Game, text: str) -> None:
    try:
        board = parse_picture(game, text)
    except InarowError:
        return
    assert parse_picture(game, str(board)) == board


@given(st.text() | st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=5).map(repr))
def test_any_text_is_a_record_or_refused(text: str) -> None:
    for parse in (Record.from_json, from_psq):
        try:
            record = parse(text)
        except InarowError:
            continue
        assert record.board().moves == record.moves


@given(
    boards(),
    st.one_of(
        st.none(), st.integers(), st.floats(), st.text(), st.tuples(st.integers()), st.tuples(sides, sides, sides)
    )
    | st.tuples(st.integers(), st.integers()),
)
def test_any_move_is_played_or_refused(board: Board, move: object) -> None:
    before = board.key, board.moves
    try:
        board.push(move)  # type: ignore[arg-type]
    except InarowError as error:
        assert "\n" not in str(error)
    else:
        assert board.pop() == move
    assert (board.key, board.moves) == before
