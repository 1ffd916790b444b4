"""The page in the browser: `inarow serve`. docs/web.md tells how it is used and what its messages are.

    browser ──HTTP──▶ app.py      guard.py before it: who may come in, how much, with which headers
            ◀─socket─▶ socket.py  one session: requests in, reports out
                         │
                      workers.py  the processes, who gets one, what happens when one dies
                         │  a pipe each, one line of JSON a message
                      worker.py   in a process of its own: tasks.py does the work

Nothing is computed in the server's own process but what takes milliseconds.
"""
