"""Files of a hub repository, fetched so that no interruption costs more than a few megabytes.

`request.py` says what is wanted, `transfer.py` fetches it, `progress.py` is what a watcher sees of it. No message and
no worker starts a transfer yet.

    request ─▶ FileTransfer (one a file): resolve ─▶ fetch segments ─▶ verify ─▶ rename
                  │ plan of segments, journal, part file, lock
               Transfer: connections, watchdog, back-off, disk space, speed
                  │
               Line ─▶ the only sockets the engine opens, and the switch that forbids them
"""
