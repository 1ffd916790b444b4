"""A brain for the tests of the host: plays the first free cell, but for what its arguments say. Needs no inarow.

    fake_brain.py [--log FILE] [MODE]

It writes what it is told into the file, and its process's number when it begins.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path


class Brain:
    def __init__(self, mode: str, log: Path | None) -> None:
        self.mode = mode
        self.log = log
        self.width = self.height = 0
        self.taken: set[tuple[int, int]] = set()
        self.moves = 0

    def note(self, text: str) -> None:
        if self.log is not None:
            with self.log.open("a") as file:
                file.write(f"{text}\n")

    def say(self, text: str) -> None:
        end = {"cr": "\r", "crlf": "\r\n"}.get(self.mode, "\n")
        sys.stdout.write(text + end)
        sys.stdout.flush()

    def read(self) -> str:
        line = sys.stdin.readline()
        if not line:
            sys.exit(0)
        self.note(line.strip())
        return line.strip()

    def run(self) -> None:
        self.note(f"process {os.getpid()}")
        if self.mode == "greets":
            self.say("Good day to you")
        while True:
            self.obey(self.read())

    def obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "END":
            if self.mode != "immortal":
                sys.exit(0)
        elif word == "INFO":
            if self.mode == "unknown_info":
                self.say(f"UNKNOWN {line}")
        elif word == "ABOUT":
            self.say('name="fake", k="any"' if self.mode == "any_k" else 'name="fake", version="1"')
        elif word in ("START", "RECTSTART", "RESTART"):
            self.start(word, rest)
        elif word in ("BEGIN", "TURN", "BOARD"):
            if word == "TURN":
                self.take(rest)
            elif word == "BOARD":
                if self.mode == "unknown_board":
                    self.say("UNKNOWN BOARD")
                    return
                self.taken.clear()
                while (stone := self.read()) != "DONE":
                    self.take(stone)
            self.move()
        else:
            self.say(f"UNKNOWN {line}")

    def start(self, word: str, rest: str) -> None:
        if self.mode == "silent_start":
            return
        if self.mode == "refuses":
            self.say("ERROR the size is not mine")
            return
        if word != "START" and self.mode == "plain":
            self.say(f"UNKNOWN {word}")
            return
        if word != "RESTART":
            numbers = [int(number) for number in rest.split(",")]
            self.width, self.height = numbers[0], numbers[-1]
        self.taken.clear()
        self.moves = 0
        if self.mode == "chatty":
            self.say("MESSAGE a new game")
        self.say("OK")

    def take(self, text: str) -> None:
        x, y = text.split(",")[:2]
        self.taken.add((int(x), int(y)))

    def move(self) -> None:
        self.moves += 1
        if self.moves == 2 or (self.mode == "at_once" and self.moves == 1):
            self.misbehave()
        cells = ((x, y) for y in range(self.height) for x in range(self.width))
        x, y = next(cell for cell in cells if cell not in self.taken)
        if self.mode == "chatty":
            self.say("DEBUG thinking\nMESSAGE I like it")
        if self.mode == "suggest":
            self.say(f"SUGGEST {x},{y}")
            assert self.read() == f"PLAY {x},{y}"
        self.taken.add((x, y))
        self.say(f"{x},{y}")
        if self.mode == "twice" and self.moves == 2:
            self.say("0,1")

    def misbehave(self) -> None:
        """In its second move of a game."""
        match self.mode:
            case "silent" | "immortal":
                time.sleep(1000)
            case "slow":
                time.sleep(0.6)
            case "exits":
                self.say("MESSAGE goodbye")
                sys.exit(3)
            case "crashes":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "closes":
                os.close(1)
                time.sleep(1000)
            case "off":
                self.say(f"{self.width},0")
            case "taken":
                x, y = next(iter(self.taken))
                self.say(f"{x},{y}")
            case "nonsense":
                self.say("what a nice game")
            case "error":
                self.say("ERROR I do not feel well")
            case "eats":
                held = bytearray(200 * 2**20)
                time.sleep(1000)
                del held
            case "family":
                child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
                self.note(f"child {child.pid}")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    log = Path(arguments[1]) if arguments[:1] == ["--log"] else None
    modes = arguments[2:] if log is not None else arguments
    Brain(modes[0] if modes else "", log).run()
