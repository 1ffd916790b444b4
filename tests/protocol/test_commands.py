"""Lines, commands and settings: no thread, no clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inarow import Cell, FormatError, Limit
from inarow.adapters.gomocup.brain import in_turn
from inarow.adapters.gomocup.commands import (
    MAX_LINE,
    About,
    Begin,
    Command,
    CommandReader,
    End,
    Info,
    Lines,
    NBest,
    Restart,
    SetBoard,
    Start,
    Stop,
    Swap2,
    TakeBack,
    Turn,
    Unknown,
    Wrong,
    format_cell,
    parse_cell,
)
from inarow.adapters.gomocup.settings import DEFAULT_SECONDS, NO_LIMIT, Settings


def read(*lines: str) -> list[Command]:
    reader = CommandReader()
    return [command for line in lines for command in reader.feed(line)]


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("START 15", Start(15, 15)),
        ("start 20 and more", Start(20, 20)),
        ("RECTSTART 30,20", Start(rows=20, columns=30)),
        ("RectStart 30 , 20", Start(rows=20, columns=30)),
        ("RESTART", Restart()),
        ("BEGIN now", Begin()),
        ("TURN 7,2", Turn((2, 7))),
        ("turn   7,2 17 extra", Turn((2, 7))),
        ("TURN 7,2,1", Turn((2, 7))),
        ("TAKEBACK 7,2", TakeBack((2, 7))),
        ("INFO timeout_turn 5000", Info("timeout_turn", "5000")),
        ("INFO FOLDER C:\\My files\\", Info("folder", "C:\\My files\\")),
        ("INFO", Info("", "")),
        ("about", About()),
        ("end", End()),
        ("YXSTOP", Stop()),
        ("yxnbest 4", NBest(4)),
        ("PLAY 1,1", Unknown("PLAY 1,1")),
        ("7,7", Unknown("7,7")),
    ],
)
def test_a_line_is_a_command(line: str, command: Command) -> None:
    assert read(line) == [command]


@pytest.mark.parametrize("line", ["START", "START x", "RECTSTART 5", "TURN", "TURN 7", "TURN -1,2", "TURN a,b", "DONE"])
def test_a_command_without_what_it_takes_is_wrong(line: str) -> None:
    (command,) = read(line)
    assert isinstance(command, Wrong) and line.partition(" ")[0] in command.text


def test_blocks() -> None:
    stones = (((2, 7), 1), ((3, 8), 2))
    assert read("BOARD", "7,2,1", "8,3,2", "DONE") == [SetBoard(stones, wants_move=True)]
    assert read("yxboard", "7,2,1", " 8, 3, 2 ", "done") == [SetBoard(stones, wants_move=False)]
    assert read("SWAP2BOARD", "7,2", "8,3", "9,4", "DONE") == [Swap2(((2, 7), (3, 8), (4, 9)))]
    assert read("BOARD", "DONE", "BEGIN") == [SetBoard((), wants_move=True), Begin()]


def test_a_block_with_nonsense_is_wrong_as_a_whole() -> None:
    for nonsense in ("7,2", "7;2;1", "-1,2,1", "*", "7,2,x"):
        commands = read("BOARD", nonsense, "1,1,1", "DONE", "ABOUT")
        assert isinstance(commands[0], Wrong) and commands[1:] == [About()]


def test_a_command_breaks_a_block_off() -> None:
    assert read("BOARD", "7,2,1", "END") == [Wrong("BOARD ended by END instead of DONE"), End()]
    first, second = read("YXBOARD", "BOARD", "DONE")
    assert isinstance(first, Wrong) and second == SetBoard((), wants_move=True)


def test_line_ends_of_every_kind() -> None:
    assert Lines().feed(b"START 15\r\nBEGIN\nTURN 1,1\r\r\n\n  \nEND\r") == ["START 15", "BEGIN", "TURN 1,1", "END"]


def test_endless_lines_take_no_memory() -> None:
    lines = Lines()
    for _ in range(100):
        assert lines.feed(b"x" * 100_000) == []
    assert lines.feed(b"\nABOUT\n") == ["x" * MAX_LINE, "ABOUT"]


@given(st.binary(max_size=400) | st.text(alphabet="SsTtARB 0123456789,\r\nDONE").map(str.encode), st.data())
def test_how_bytes_are_cut_does_not_matter(data: bytes, draw: st.DataObject) -> None:
    places = sorted(draw.draw(st.lists(st.integers(0, len(data)))))
    lines = Lines()
    pieces = [data[begin:end] for begin, end in zip([0, *places], [*places, len(data)], strict=True)]
    assert [line for piece in pieces for line in lines.feed(piece)] == Lines().feed(data)


words = st.sampled_from(
    ["START", "RECTSTART", "BOARD", "YXBOARD", "SWAP2BOARD", "DONE", "TURN", "TAKEBACK", "INFO", "YXNBEST", "END", ""]
)
arguments = st.text(max_size=20) | st.from_regex(r"-?\d{1,20}(,-?\d{1,20}){0,3}.?", fullmatch=True)


@given(st.lists(st.builds("{} {}".format, words, arguments) | st.text(max_size=50)))
def test_any_lines_are_commands(lines: list[str]) -> None:
    reader = CommandReader()
    for line in lines:
        for command in reader.feed(line):
            if isinstance(command, Wrong | Unknown):
                assert command.text.isprintable()


@given(st.tuples(st.integers(0, 127), st.integers(0, 127)))
def test_cells_read_back(cell: Cell) -> None:
    assert parse_cell(format_cell(cell)) == cell
    assert read(f"TURN {format_cell(cell)}") == [Turn(cell)]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), unique=True, max_size=40), st.randoms())
def test_a_board_in_any_order_is_played_in_turn(cells: list[Cell], random: st.randoms) -> None:  # type: ignore[valid-type]
    """Whoever moved first, the sides alternate, the brain is to move, and each side's stones keep their order."""
    brain = len(cells) % 2
    stones = [(cell, 1 if ply % 2 == brain else 2) for ply, cell in enumerate(cells)]
    random.shuffle(stones)  # type: ignore[attr-defined]
    order = in_turn(tuple(stones))
    owner = dict(stones)
    assert [owner[cell] for cell in order] == [1 if ply % 2 == brain else 2 for ply in range(len(cells))]
    for whose in (1, 2):
        assert [cell for cell in order if owner[cell] == whose] == [cell for cell, other in stones if other == whose]


@pytest.mark.parametrize("fields", [(1,), (2, 2), (1, 1, 2), (1, 2, 3), (1, 2, 0), (3,)])
def test_boards_that_are_nobodys_turn_are_refused(fields: tuple[int, ...]) -> None:
    with pytest.raises(FormatError, match="BOARD has"):
        in_turn(tuple(((0, column), field) for column, field in enumerate(fields)))


# ── settings ────────────────────────────────────────────────────────────────────────────────────────────────────────


def told(**infos: object) -> Settings:
    settings = Settings()
    for key, value in infos.items():
        assert settings.tell(key, str(value))
    return settings


def test_nothing_told() -> None:
    limit = Settings().limit(0.0)
    assert limit.seconds is not None and 0.9 * DEFAULT_SECONDS < limit.seconds < DEFAULT_SECONDS
    assert limit.clock is limit.nodes is limit.depth is None


def test_the_time_of_a_turn_has_a_margin_and_counts_the_wait() -> None:
    for milliseconds in (1, 20, 50, 1000, 30_000):
        seconds = told(timeout_turn=milliseconds).limit(0.0).seconds
        assert (seconds is not None and seconds < milliseconds / 1000) or milliseconds == 1
    waiting = told(timeout_turn=1000)
    at_once, late = waiting.limit(0.0).seconds, waiting.limit(0.5).seconds
    assert at_once is not None and late is not None and at_once - late == pytest.approx(0.5)
    assert waiting.limit(100.0).seconds == pytest.approx(0.001)


def test_as_fast_as_possible_and_as_long_as_it_likes() -> None:
    fast = told(timeout_turn=0).limit(0.0).seconds
    assert fast is not None and fast <= 0.01
    assert told(timeout_turn=NO_LIMIT, max_depth=5).limit(0.0) == Limit(depth=5)


def test_the_time_of_a_game() -> None:
    assert told(timeout_match=60_000, timeout_turn=NO_LIMIT).limit(0.0) == Limit(clock=60)
    assert told(timeout_match=60_000, time_left=5_000, timeout_turn=NO_LIMIT).limit(1.0) == Limit(clock=4)
    assert told(time_left=-1, timeout_turn=5000).limit(0.0).clock == 0
    assert told(time_left=NO_LIMIT, timeout_turn=5000).limit(0.0).clock is None
    assert told(timeout_match=0, timeout_turn=5000).limit(0.0).clock is None


def test_the_clock_runs_when_nobody_tells_it() -> None:
    settings = told(timeout_match=60_000, timeout_turn=NO_LIMIT)
    settings.used = 10.0
    assert settings.limit(0.0) == Limit(clock=50)
    settings.tell("time_left", "45000")
    assert settings.limit(0.0) == Limit(clock=45)
    settings.used = 5.0
    settings.new_game()
    assert settings.limit(0.0) == Limit(clock=60)


def test_the_other_limits() -> None:
    assert told(max_depth=7, max_node=1000).limit(0.0) == Limit(nodes=1000, depth=7)
    assert told(max_depth=0, max_node=-5, timeout_turn=NO_LIMIT, time_left=9000).limit(0.0) == Limit(clock=9)
    assert told(max_depth=10**17, max_node=10**17).limit(0.0).depth is not None


def test_memory() -> None:
    assert told(max_memory=0).most_memory_mb is None
    small, large = told(max_memory=83_886_080).most_memory_mb, told(max_memory=2**30).most_memory_mb
    assert small is not None and large is not None and 2 <= small < 80 < large < 1024
    assert told(max_memory=1).most_memory_mb == 2
    assert told(max_memory=2**30, hash_size=16_384).most_memory_mb == 16
    assert told(thread_num=4).wanted_threads == 4 and told(thread_num=0).wanted_threads is None


def test_what_is_refused_and_what_is_ignored() -> None:
    settings = Settings()
    assert not settings.tell("game_type", "1") and not settings.tell("folder", "/") and not settings.tell("x", "")
    for key, value in (("rule", "1"), ("rule", "4"), ("k", "0"), ("k", "129"), ("timeout_turn", "soon"), ("k", "")):
        with pytest.raises(FormatError):
            settings.tell(key, value)


@given(st.text(max_size=20) | st.integers().map(str), st.sampled_from(["timeout_turn", "timeout_match", "time_left"]))
def test_any_time_makes_a_limit(value: str, key: str) -> None:
    settings = Settings()
    try:
        settings.tell(key, value)
    except FormatError:
        return
    settings.limit(0.0)
