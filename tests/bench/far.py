"""Inputs as URLs, of a server that waits a while before each answer.

It does little else, so that of 64 requests at once the last is not kept waiting
by the others; what a server may do wrong, that of the tests does.
"""
import asyncio
import os
import re
import selectors
import threading

LATENCY = 0.02          # seconds
RANGE = re.compile(rb"^range: bytes=(\d+)-(\d+)\r$", re.I | re.M)

ports = {}              # by directory


class Files(asyncio.Protocol):
    """A connection; it asks for one thing at a time."""

    def __init__(self, folder):
        self.folder, self.head, self.transport = folder, b"", None

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.head += data
        if self.head.endswith(b"\r\n\r\n"):
            asyncio.get_running_loop().call_later(LATENCY, self.answer,
                                                  self.head)
            self.head = b""

    def answer(self, head):
        name = head.split(b" ", 2)[1].decode().lstrip("/")
        with open(os.path.join(self.folder, name), "rb", buffering=0) as f:
            size = os.fstat(f.fileno()).st_size
            wanted = RANGE.search(head)
            first, last = map(int, wanted.groups() if wanted else (0, size))
            last = min(last, size - 1)
            status = (f"206 Partial Content\r\nContent-Range: bytes {first}-"
                      f"{last}/{size}" if wanted else "200 OK")
            self.transport.write(
                f'HTTP/1.1 {status}\r\nETag: "1"\r\nContent-Length: '
                f"{last + 1 - first}\r\n\r\n".encode()
                + os.pread(f.fileno(), last + 1 - first, first))


def run(folder, ready):
    async def main():
        server = await asyncio.get_running_loop().create_server(
            lambda: Files(folder), "127.0.0.1", 0, backlog=256)
        ports[folder] = server.sockets[0].getsockname()[1]
        ready.set()
        await server.serve_forever()

    # epoll waits for whole milliseconds, and so for one too many.
    selector = selectors.SelectSelector()
    asyncio.SelectorEventLoop(selector).run_until_complete(main())


def url(path):
    folder, name = os.path.split(os.path.abspath(path))
    if folder not in ports:
        ready = threading.Event()
        threading.Thread(target=run, args=(folder, ready), daemon=True).start()
        ready.wait()
    return f"http://127.0.0.1:{ports[folder]}/{name}"
