"""A small server of files on 127.0.0.1, for the tests of URLs, and all that
can go wrong with one.

A path is /FAULT/NAME: NAME in the directory given, and a FAULT by its name,
"ok" for none.  What was asked for is in the list 'log', all of their paths in
'paths', what each fault has done so far in 'seen', and in 'most' how many were
asked for at once.
"""
import http.server
import os
import socketserver
import threading
import time

HOLD = 10               # seconds, at most
LATE = 16 << 20         # bytes, and those behind wait


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, folder, latency=0):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.latency = latency
        self.log = []
        self.paths = set()
        self.seen = {}
        self.lock = threading.Lock()
        self.released = threading.Event()
        self.at_once = self.most = 0
        self.hold, self.gave_up = 0, False
        threading.Thread(target=self.serve_forever, args=(0.02,),
                         daemon=True).start()

    def url(self, fault, name, user=""):
        return "http://%s127.0.0.1:%d/%s/%s" % (
            user, self.server_address[1], fault, name)

    def count(self, key):
        """How often this has been asked before."""
        with self.lock:
            n = self.seen.get(key, 0)
            self.seen[key] = n + 1
            return n

    def wait_for_release(self):
        if not self.released.wait(HOLD):
            self.gave_up = True
            self.released.set()

    def ranges(self):
        """What was asked for since the last time."""
        with self.lock:
            log, self.log = self.log, []
        return [line[1] for line in log]

    def handle_error(self, request, client_address):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *args):
        pass

    def do_GET(self):
        fault, name = self.path.split("?")[0].lstrip("/").split("/", 1)
        with self.server.lock:
            self.server.log.append((self.path, self.headers.get("Range"),
                                    dict(self.headers)))
            self.server.paths.add(self.path)
            self.server.at_once += 1
            self.server.most = max(self.server.most, self.server.at_once)
        if self.server.latency:
            time.sleep(self.server.latency)
        with self.server.lock:
            self.server.at_once -= 1
        try:
            self.answer(fault, name, self.server.count(self.path))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def say(self, code, text, **headers):
        body = text.encode()
        self.send_response(code)
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer(self, fault, name, n):
        path = os.path.join(self.server.folder, name)
        special = getattr(self, "fault_" + fault.replace("-", "_"), None)
        if special and special(path, name, n):
            return
        if not os.path.isfile(path):
            self.say(404, "no such thing here\n", Content_Type="text/plain")
            return
        self.serve(path, fault, n)

    def bounds(self, size):
        value = self.headers.get("Range")
        if not value:
            return None
        first, last = value[len("bytes="):].split("-")
        return int(first), min(int(last), size - 1)

    def etag(self, fault, n):
        if fault in ("dated", "changed-date", "bare"):
            return None
        if fault == "weak":
            return 'W/"1"'
        return '"%d"' % (n > 1 if fault.startswith("changed") else 0)

    def serve(self, path, fault, n):
        size = os.path.getsize(path)
        bounds = self.bounds(size)
        if fault == "ok" and size == 0:
            self.say(416, "", Content_Range="bytes */0")
            return
        etag = self.etag(fault, n)
        if fault in ("whole", "stream", "late-whole") or (
                fault == "changed-if" and n > 1):
            bounds = None
        self.send_response(206 if bounds else 200)
        if etag:
            self.send_header("ETag", etag)
        if fault != "bare":
            second = n > 1 if fault == "changed-date" else 0
            self.send_header("Last-Modified",
                             "Sun, 22 Nov 2026 10:00:%02d GMT" % second)
        first, last = bounds or (0, size - 1)
        told = (first + (fault == "wrong-range" and n > 0),
                last, size + (fault == "wrong-size" and n > 0))
        if fault == "encoded":
            self.send_header("Content-Encoding", "gzip")
        if bounds:
            self.send_header("Content-Range", "bytes %d-%d/%d" % told)
        length = last - first + 1
        if fault == "stream":
            self.close_connection = True
        else:
            self.send_header("Content-Length",
                             str(length + (fault == "long-promise")))
        if fault == "huge-header":
            for i in range(3000):
                self.send_header("X-%d" % i, "x" * 60)
        self.end_headers()
        if fault in ("cut", "whole-cut") and n % 2 == 1:
            length //= 2
            self.close_connection = True
        with open(path, "rb") as f:
            f.seek(first)
            while length > 0:
                if fault.startswith("late") and f.tell() >= LATE:
                    self.server.wait_for_release()
                data = f.read(min(length, 65536))
                self.wfile.write(data)
                length -= len(data)
        if fault == "long-promise":
            self.close_connection = True

    # Each returns whether it has answered.

    def fault_busy(self, path, name, n):
        if n % 3 == 2:
            return False
        self.say(503 if n % 2 else 429, "later\n", Retry_After="0")
        return True

    def fault_down(self, path, name, n):
        self.say(503, "on fire\n", Retry_After="0", Content_Type="text/plain")
        return True

    def fault_gone(self, path, name, n):
        if n == 0:
            return False
        self.say(404, "gone\n", Content_Type="text/plain")
        return True

    def fault_precondition(self, path, name, n):
        if n == 0:
            return False
        self.say(412, "")
        return True

    def fault_held(self, path, name, n):
        """The first range waits until all others have been asked for."""
        limit = time.monotonic() + HOLD
        while n == 1 and self.server.seen[self.path] < self.server.hold:
            time.sleep(0.01)
            if time.monotonic() > limit:
                self.server.gave_up = True
                break
        return False

    def fault_silent(self, path, name, n):
        self.server.released.wait(60)
        self.close_connection = True
        return True

    def fault_redirect(self, path, name, n):
        self.say(302, "", Location="/ok/" + name)
        return True

    def fault_loop(self, path, name, n):
        self.say(302, "", Location="/loop/" + name)
        return True

    def fault_to_file(self, path, name, n):
        self.say(302, "", Location="file://" + path)
        return True

    def fault_private(self, path, name, n):
        # ada:lovelace
        if self.headers.get("Authorization") == "Basic YWRhOmxvdmVsYWNl":
            return False
        self.say(401, "who are you?\n", WWW_Authenticate='Basic realm="x"',
                 Content_Type="text/plain")
        return True

    def fault_xml(self, path, name, n):
        self.say(403, "<?xml version='1.0'?><Error><Code>AccessDenied</Code>"
                 "<Message>Access \x1b[31mDenied</Message>"
                 "<AWSAccessKeyId>AKIDSECRET</AWSAccessKeyId></Error>",
                 Content_Type="application/xml")
        return True

    def fault_refuse_all(self, path, name, n):
        self.connection.close()
        self.close_connection = True
        return True
