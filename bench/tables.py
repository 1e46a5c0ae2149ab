#!/usr/bin/env python3
"""Tables of `tumble serve` under load and behind nginx; writes nothing, prints what bench/server.md keeps.

    cargo build --release -p tumble-cli
    python3 bench/tables.py rolls      wrk on loopback: rolls into one table and into 16
    python3 bench/tables.py listeners  500 listeners of one table: when the last has a roll, and the memory of one
    python3 bench/tables.py nginx      real nginx: a roll arrives at once; reloads, restarts and lost connections; needs root
    python3 bench/tables.py disk       what is acknowledged is on the disk, and a full one; needs root; fails if it is not so

Needs wrk, nginx and strace, all from Debian.
"""

import http.client, json, os, re, secrets, signal, socket, ssl, statistics, subprocess, sys, tempfile, threading, time

from server import BEHIND, Served, load, proxied

FAST = ["--member-rate", "1000000", "--trusted-proxy", "127.0.0.1"]


def connect(port, tls=False):
    if tls:
        context = ssl._create_unverified_context()
        return http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=60)
    return http.client.HTTPConnection("127.0.0.1", port, timeout=60)


def ask(port, path, body, headers=(), method="POST", tls=False, key=None):
    """The status, the headers and the body of one reply."""
    connection = connect(port, tls)
    sent = {"Host": "dice.example.org" if tls else "localhost", "Content-Type": "application/json",
            "Idempotency-Key": key or secrets.token_hex(16), **dict(headers)}
    connection.request(method, path, json.dumps(body) if body is not None else None, sent)
    reply = connection.getresponse()
    text = reply.read()
    connection.close()
    return reply.status, reply.headers, json.loads(text) if text else None


def table(port, number, tls=False):
    """A new table, made from an address of its own: its path, and what lets a bot roll there."""
    client = [("X-Forwarded-For", f"203.0.113.{number + 1}")]
    _, headers, made = ask(port, "/api/v1/tables", {"name": f"Table {number}", "you": "Mia"}, client, tls=tls)
    path = f"/api/v1/tables/{made['table']['id']}"
    cookie = headers["Set-Cookie"].split(";")[0]
    origin = "https://dice.example.org" if tls else "http://localhost"
    _, _, key = ask(port, f"{path}/keys", {"name": "Bot", "role": "player"}, [("Cookie", cookie), ("Origin", origin)], tls=tls)
    return path, f"Bearer {key['token']}", made["invites"]["player"]


LUA = """
local places = { %s }
local at = 0
request = function()
  at = at + 1
  local place = places[at %% #places + 1]
  local key = ""
  for i = 1, 4 do key = key .. string.format("%%08x", math.random(0, 2^31 - 1)) end
  local headers = { ["Content-Type"] = "application/json", ["Authorization"] = place[2], ["Idempotency-Key"] = key }
  return wrk.format("POST", place[1] .. "/rolls", headers, '{"text":"4d6kh3"}')
end
local wrong = 0
response = function(status) if status ~= 201 then wrong = wrong + 1; if wrong < 4 then print("status", status) end end end
"""


def rolls():
    for count in (1, 16):
        with Served("--listen", "0", *FAST) as server, tempfile.NamedTemporaryFile("w", suffix=".lua") as lua:
            places = [table(server.port, number)[:2] for number in range(count)]
            lua.write(LUA % ", ".join(f'{{"{path}", "{key}"}}' for path, key in places))
            lua.flush()
            words = ["wrk", "-t1", "-c16", "-d10s", "--latency", "-s", lua.name, f"http://127.0.0.1:{server.port}"]
            print(f"rolls into {count} table(s), {load()}")
            print(subprocess.run(words, capture_output=True, text=True).stdout)


def memory(process):
    with open(f"/proc/{process.pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])


def listeners(count=500, times=40):
    count = int(count)
    with Served("--listen", "0", *FAST) as server:
        path, key, invite = table(server.port, 0)
        seats = []
        for number in range(-(-count // 4)):
            client = [("X-Forwarded-For", f"198.51.{number // 200}.{number % 200 + 1}")]
            _, headers, _ = ask(server.port, f"{path}/join", {"token": invite, "name": f"P{number}"}, client)
            seats.append(headers["Set-Cookie"].split(";")[0])
        before, streams = memory(server.process), []
        for number in range(count):
            stream = socket.create_connection(("127.0.0.1", server.port))
            stream.sendall(f"GET {path}/events HTTP/1.1\r\nHost: localhost\r\nCookie: {seats[number // 4]}\r\n\r\n".encode())
            streams.append(stream)
        time.sleep(3)
        after = memory(server.process)
        import selectors
        waiting = selectors.DefaultSelector()
        for stream in streams:
            stream.setblocking(False)
            waiting.register(stream, selectors.EVENT_READ, bytearray())

        def until_all(label):
            left, seen = set(range(len(streams))), {stream: n for n, stream in enumerate(streams)}
            first = None
            while left:
                for ready, _ in waiting.select(timeout=20):
                    ready.data.extend(ready.fileobj.recv(1 << 16))
                    if label in ready.data:
                        left.discard(seen[ready.fileobj])
                        first = first or time.monotonic()
                        ready.data.clear()
            return first

        firsts, lasts, replies = [], [], []
        for turn in range(int(times)):
            label = f"turn-{turn}-end"
            begin = time.monotonic()
            done = []
            sender = threading.Thread(target=lambda: done.append((ask(
                server.port, f"{path}/rolls", {"text": "4d6kh3", "label": label}, [("Authorization", key)]), time.monotonic())))
            sender.start()
            firsts.append(until_all(label.encode()) - begin)
            lasts.append(time.monotonic() - begin)
            sender.join()
            replies.append(done[0][1] - begin)
            time.sleep(0.1)
        ms = lambda times: f"median {statistics.median(times) * 1000:.0f} ms, slowest {max(times) * 1000:.0f} ms"
        print(f"{count} listeners, {times} rolls, {load()}")
        print(f"  who rolled has the reply: {ms(replies)}\n  the first listener: {ms(firsts)}\n  the last one: {ms(lasts)}")
        print(f"  memory: {before / 1024:.1f} MB before, {after / 1024:.1f} MB with them: {(after - before) / count:.1f} KB each")


class Listener(threading.Thread):
    """Follows a table through nginx, and resumes where it was cut off."""

    def __init__(self, path, key):
        super().__init__(daemon=True)
        self.path, self.key, self.last, self.seen, self.cuts, self.stop = path, key, 0, [], 0, False

    def run(self):
        while not self.stop:
            try:
                self.follow()
            except (OSError, http.client.HTTPException):
                pass
            self.cuts += 1
            time.sleep(0.1)

    def follow(self):
        self.connection = connect(2443, tls=True)
        headers = {"Host": "dice.example.org", "Authorization": self.key, "Last-Event-ID": str(self.last)}
        self.connection.request("GET", f"{self.path}/events", None, headers)
        reply, event = self.connection.getresponse(), {}
        if reply.status != 200:
            return
        while line := reply.readline():
            name, _, value = line.decode().strip().partition(":")
            if name:
                event[name] = value.strip()
                continue
            if "id" in event:
                self.last = int(event["id"])
                data = json.loads(event.get("data") or "{}")
                label = data.get("execution", {}).get("shown", {}).get("label")
                self.seen.append((self.last, label, time.monotonic()))
            event = {}

    def cut(self):
        self.connection.sock.shutdown(socket.SHUT_RDWR)


def insist(path, key, label):
    """Rolls, with the same key until there is an answer."""
    once, attempts = secrets.token_hex(16), 0
    while True:
        attempts += 1
        try:
            status, _, _ = ask(2443, f"{path}/rolls", {"text": "4d6kh3", "label": label}, [("Authorization", key)], tls=True, key=once)
            if status == 201:
                return attempts
            if status not in (502, 503, 504):
                sys.exit(f"a roll got status {status}")
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(0.05)


def nginx(seconds=30):
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/tumble.db"
        server = Served("--listen", "0", "--member-rate", "1000", *BEHIND, database=database).__enter__()
        with proxied(server.port) as tell:
            path, key, _ = table(2443, 0, tls=True)
            listener = Listener(path, key)
            listener.start()
            time.sleep(1)
            delays = []
            for turn in range(50):
                begin = time.monotonic()
                insist(path, key, f"calm-{turn}")
                while not listener.seen or listener.seen[-1][1] != f"calm-{turn}":
                    time.sleep(0.0005)
                delays.append(listener.seen[-1][2] - begin)
            print(f"through nginx, {load()}: 50 rolls arrive after {statistics.median(delays) * 1000:.1f} ms (median), "
                  f"{max(delays) * 1000:.1f} ms (slowest)")
            told, retries, reloads, restarts, lost, end = [], 0, 0, 0, 0, time.monotonic() + float(seconds)
            turn = 0
            while time.monotonic() < end:
                turn += 1
                if turn % 10 == 3:
                    tell("-s", "reload")
                    reloads += 1
                if turn % 10 == 6:
                    listener.cut()
                    lost += 1
                if turn % 20 == 9:
                    server.process.send_signal(signal.SIGKILL if restarts % 2 else signal.SIGTERM)
                    server.process.wait()
                    server = Served("--listen", str(server.port), "--member-rate", "1000", *BEHIND, database=database).__enter__()
                    restarts += 1
                retries += insist(path, key, f"wild-{turn}") - 1
                told.append(f"wild-{turn}")
                time.sleep(0.05)
            time.sleep(2)
            ids = [id for id, _, _ in listener.seen]
            labels = [label for _, label, _ in listener.seen if label and label.startswith("wild")]
            print(f"{reloads} reloads of nginx, {restarts} restarts of the server (every second one by SIGKILL), {lost} lost connections, "
                  f"{listener.cuts} resumed streams, {retries} retries: {len(told)} rolls, all seen in order: {labels == told}; "
                  f"events 1 to {ids[-1]} each once: {ids == list(range(ids[0], ids[0] + len(ids)))}")
            listener.stop = True
        server.__exit__()


def history(port, path, key):
    return ask(port, f"{path}/export.json", None, [("Authorization", key)], method="GET")[2]["executions"]


def syncs(count=100):
    """A kill leaves what the kernel has; that it is on the disk is seen in what was asked of the kernel."""
    with tempfile.TemporaryDirectory() as folder:
        # As a child of the server (-D), so that it ends with it.
        traced = ["strace", "-D", "-f", "-qq", "-e", "trace=fsync,fdatasync", "-o", f"{folder}/syncs"]
        with Served("--listen", "0", *FAST, before=traced) as server:
            path, key, _ = table(server.port, 0)
            seen = lambda: sum("sync(" in line for line in open(f"{folder}/syncs"))
            before = seen()
            for _ in range(count):
                ask(server.port, f"{path}/rolls", {"text": "d6"}, [("Authorization", key)])
            found = seen() - before
    print(f"{count} rolls were acknowledged, with {found} syncs")
    return found >= count


def full():
    """Who rolls into a full disk is told so, and nothing of it is stored; where there is room again, all goes on."""
    mount = lambda *words: subprocess.run(["mount", *words], check=True)
    with tempfile.TemporaryDirectory() as folder:
        mount("-t", "tmpfs", "-o", "size=3000k", "tmpfs", folder)
        try:
            database = f"{folder}/tumble.db"
            with Served("--listen", "0", *FAST, database=database) as server:
                path, key, _ = table(server.port, 0)
                roll = lambda once: ask(server.port, f"{path}/rolls", {"text": "200d1000"}, [("Authorization", key)], key=once)
                stored, once = 0, secrets.token_hex(16)
                while (reply := roll(once))[0] == 201:
                    stored, once = stored + 1, secrets.token_hex(16)
                status, headers, problem = reply
                there = len(history(server.port, path, key))
            with Served("--listen", "0", *FAST, database=database) as server:
                again = len(history(server.port, path, key))
                mount("-o", "remount,size=20000k", folder)
                retried = roll(once)[0]
                after = len(history(server.port, path, key))
        finally:
            subprocess.run(["umount", "--lazy", folder])
    print(f"a full disk after {stored} rolls: {status} {headers['Content-Type']} {problem['detail']!r}; there are {there}, after a restart "
          f"{again}; with more room {retried}, and there are {after}")
    return (status, problem["code"], there, again, retried, after) == (507, "limit", stored, stored, 201, stored + 1) and stored > 10


def disk():
    well = [syncs(), full()]
    sys.exit(not all(well))


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    commands = {"rolls": rolls, "listeners": listeners, "nginx": nginx, "disk": disk}
    if wanted not in commands:
        sys.exit(__doc__)
    commands[wanted](*sys.argv[2:])
