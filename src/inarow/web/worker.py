"""A worker process: reads requests from its standard input, answers on its standard output, one line of JSON a message.

                                                        {"ready": true}
    {"job": 7, "do": "move", "position": "3x3x3", …}    {"job": 7, "say": {"type": "moved", …}}
                                                        {"job": 7, "end": null}
    {"job": 8, "do": "analyse", …}                      {"job": 8, "say": {"type": "report", …}}, …
    {"stop": 8}                                         {"job": 8, "end": null}
    {"forget": true}                                    it gives its memory back, and says nothing

An error is {"job": 7, "end": {"kind": "bad message", "text": "…"}}. The server's death ends the process, in whatever
way it comes: the input ends, and should the process hang, the kernel kills it.
"""

import json
import os
import queue
import resource
import sys
import threading
import time
from typing import Any

from inarow.errors import InarowError, PlayerError
from inarow.executors import enter_crew
from inarow.web.tasks import Desk

STOP_EVERY = 0.005  # seconds from one try to stop to the next
MIB = 1024 * 1024


class Worker:
    """One job at a time, in the main thread; another thread reads, so that a stop is heard meanwhile."""

    def __init__(self, requests: int, answers: int) -> None:
        self._desk = Desk()
        self._requests = requests
        self._answers = answers
        self._jobs: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._current: int | None = None
        self._last_done = 0

    def run(self) -> None:
        threading.Thread(target=self._listen, daemon=True).start()
        self._send({"ready": True})
        while True:
            request = self._jobs.get()
            if "forget" in request:
                self._desk.forget()
            else:
                self._do(request)

    def _do(self, request: dict[str, Any]) -> None:
        job = request["job"]
        with self._lock:
            self._current = job
        end: dict[str, str] | None = None
        try:
            for message in self._desk.work(request):
                self._send({"job": job, "say": message})
        except PlayerError as error:
            end = {"kind": "player", "text": str(error)}
            self._desk.forget()
        except InarowError as error:
            end = {"kind": "bad message", "text": str(error)}
        except MemoryError:
            end = {"kind": "limit", "text": "there is not enough memory for this"}
            self._desk.forget()
        with self._lock:
            self._current, self._last_done = None, job
        self._send({"job": job, "end": end})

    def _listen(self) -> None:
        with os.fdopen(self._requests, encoding="utf-8") as lines:
            for line in lines:
                request = json.loads(line)
                if "stop" in request:
                    threading.Thread(target=self._stop, args=[request["stop"]], daemon=True).start()
                else:
                    self._jobs.put(request)
        os._exit(0)  # the server is gone; whatever is being searched is of no use to anybody

    def _stop(self, job: int) -> None:
        """Until the job has ended: a search that has not begun, or only just, would not have heard a single stop."""
        while True:
            with self._lock:
                if self._last_done >= job:
                    return
                if self._current == job:
                    self._desk.stop()
            time.sleep(STOP_EVERY)

    def _send(self, message: dict[str, Any]) -> None:
        data = (json.dumps(message) + "\n").encode()
        try:
            while data:
                data = data[os.write(self._answers, data) :]
        except BrokenPipeError:
            os._exit(0)


def main() -> None:
    """`worker.py SERVER MEMORY`: the server's process id, and the megabytes that this process may have."""
    enter_crew(int(sys.argv[1]))
    most = int(sys.argv[2]) * MIB
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):  # what a player prints is not an answer
        os.dup2(nothing, stream)
    Worker(requests, answers).run()


if __name__ == "__main__":
    main()
