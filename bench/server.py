#!/usr/bin/env python3
"""`tumble serve` under load and behind nginx; writes nothing, prints what bench/server.md keeps.

    cargo build --release -p tumble-cli
    python3 bench/server.py speed      wrk on loopback: odds of 4d6kh3 and rolls
    python3 bench/server.py worst      how long the costliest requests take that are allowed
    python3 bench/server.py hostile    what a 21st client sees beside 20 that send those all the time
    python3 bench/server.py nginx      real nginx, with the text of docs/book/src/serve.md; needs root
    python3 bench/server.py lan        from another network namespace, with nothing but the printed address; needs root
    python3 bench/server.py start      start of `tumble 4d6kh3`, and sizes; further arguments are other programs

Needs wrk, nginx and iproute2, all from Debian.
"""

import asyncio, contextlib, json, os, re, signal, statistics, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TUMBLE = os.environ.get("TUMBLE", f"{ROOT}/target/release/tumble")


class Served:
    """A server on a free port, until the end of the block."""

    def __init__(self, *words, before=(), database=None):
        self.words = [*before, TUMBLE, "serve", *words]
        self.folder = tempfile.TemporaryDirectory()
        self.database = database or f"{self.folder.name}/tumble.db"

    def __enter__(self):
        env = {**os.environ, "TUMBLE_LOG": "off", "DATABASE_URL": self.database}
        self.process = subprocess.Popen(self.words, stdout=subprocess.PIPE, text=True, env=env)
        self.lines = []
        while not self.lines or not self.lines[-1].startswith("http://127.0.0.1:"):
            self.lines.append(self.process.stdout.readline().strip())
        self.port = int(re.search(r":(\d+)/$", self.lines[-1])[1])
        return self

    def __exit__(self, *_):
        start = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        print(f"SIGTERM: ended in {time.monotonic() - start:.2f} s")


async def ask(port, path, body, client=None, timeout=30):
    """The status, the headers and the body of one reply on a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
    if client:
        head += f"X-Forwarded-For: {client}\r\n"
    writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
    reply = await asyncio.wait_for(reader.read(), timeout)
    writer.close()
    head, _, text = reply.partition(b"\r\n\r\n")
    return int(head.split()[1]), head.decode().lower(), text


def load():
    return "load " + " ".join(f"{n:.1f}" for n in os.getloadavg())


def speed():
    for name, path, body in [
        ("odds of 4d6kh3", "/api/v1/odds", {"text": "4d6kh3"}),
        ("a roll of 4d6kh3", "/api/v1/roll", {"text": "4d6kh3"}),
    ]:
        with Served("--listen", "0", "--rate", "1000000") as server, tempfile.NamedTemporaryFile("w", suffix=".lua") as lua:
            lua.write(f'wrk.method="POST"\nwrk.body={json.dumps(json.dumps(body))}\n'
                      'wrk.headers["Content-Type"]="application/json"\n')
            lua.flush()
            words = ["wrk", "-t1", "-c8", "-d10s", "--latency", "-s", lua.name, f"http://127.0.0.1:{server.port}{path}"]
            print(f"{name} ({load()})")
            print(subprocess.run(words, capture_output=True, text=True).stdout)


TWICE = 'x = roll("3d6"); if (userOption("Again?")) { x = roll("3d6"); }'
WORST = [
    ("/api/v1/odds", {"notation": "troll", "text": "different 40d40"}),
    ("/api/v1/odds", {"notation": "troll", "text": "sum different 30d30"}),
    ("/api/v1/odds", {"notation": "troll", "text": "9d12"}),
    ("/api/v1/odds", {"notation": "troll", "text": "sum minimal 200d100"}),
    ("/api/v1/odds", {"text": "400d100"}),
    ("/api/v1/odds", {"text": "100d1000kh50"}),
    ("/api/v1/odds", {"text": "40d20kh10!"}),
    ("/api/v1/odds", {"text": "5d10!!kh3"}),
    ("/api/v1/odds", {"text": "d1000000 * d1000000"}),
    ("/api/v1/odds", {"text": "200d200 * 200d200"}),
    ("/api/v1/odds", {"notation": "troll", "text": "different 40d40", "approx": True}),
    ("/api/v1/odds", {"notation": "troll", "text": "different 40d40", "approx": True, "samples": 10_000_000}),
    ("/api/v1/odds", {"text": "(@n)d100kh5", "sweep": {"n": "1..999"}}),
    ("/api/v1/odds", {"text": "(@n)d1000", "sweep": {"n": "1..100"}, "at_least": 5}),
    ("/api/v1/odds", {"text": "100d100", "verify": True, "explain": True}),
    ("/api/v1/odds", {"text": "200d100", "format": "svg"}),
    ("/api/v1/roll", {"text": "9999d6"}),
    ("/api/v1/roll", {"text": "1d6", "times": 10_000}),
    ("/api/v1/roll", {"text": "99d6!", "times": 10_000}),
    ("/api/v1/roll", {"notation": "troll", "text": "sum 9999d6", "times": 10_000, "luck": True}),
    ("/api/v1/roll", {"text": "400d100", "luck": True}),
    ("/api/v1/translate", {"text": "200d100kh100", "to": "troll"}),
    ("/api/v1/script/odds", {"program": 'defroll "R" r() { s = 0; for (i : [1, 2, 3, 4, 5, 6, 7, 8, 9]) { ' + TWICE + " s = s + x; } return s; }"}),
    ("/api/v1/script/best", {"program": 'defroll "R" r() { ' + TWICE + TWICE + TWICE + " return x; }", "decisions": 1000}),
    ("/api/v1/script/run", {"program": 'defroll "R" r() { s = 0; while (s >= 0) { s = s + roll("d6"); } return s; }'}),
    ("/api/v1/script/run", {"program": 'defroll "R" r() { s = 0; while (s >= 0) { s = s + 1; } return s; }'}),
    ("/api/v1/check", {"text": "+".join(["1d6"] * 15_000)}),
    ("/api/v1/odds", {"text": "+".join(["1d6"] * 15_000)}),
    ("/api/v1/script/check", {"program": "x = 1;" * 80_000}),
]


def worst():
    async def one_by_one(port):
        found = []
        for path, body in WORST:
            start = time.monotonic()
            status, _, text = await ask(port, path, body)
            found.append((time.monotonic() - start, status, len(text), path, json.dumps(body)[:90], text[:150].decode()))
        return sorted(found, reverse=True)

    with Served("--listen", "0", "--rate", "1000000") as server:
        print(load())
        for took, status, size, path, body, text in asyncio.run(one_by_one(server.port)):
            print(f"{took * 1000:8.0f} ms  {status}  {size:8} B  {path}  {body}\n{'':24}{text if status != 200 else ''}")


def hostile(seconds=20):
    counts = {}

    async def attack(port, client, end):
        async def stream(offset):
            at = offset
            while time.monotonic() < end:
                path, body = WORST[at % len(WORST)]
                at += 7
                try:
                    status, _, _ = await ask(port, path, body, client)
                except (OSError, asyncio.TimeoutError, IndexError):
                    status = "none"
                counts[status] = counts.get(status, 0) + 1
                if status in (429, 503):
                    await asyncio.sleep(0.05)
        await asyncio.gather(*(stream(n) for n in range(12)))

    async def bystander(port, end):
        times, statuses = [], {}
        while time.monotonic() < end:
            start = time.monotonic()
            status, _, _ = await ask(port, "/api/v1/odds", {"text": "4d6kh3"}, "203.0.113.99")
            times.append(time.monotonic() - start)
            statuses[status] = statuses.get(status, 0) + 1
            await asyncio.sleep(0.2)
        return times, statuses

    async def all_at_once(port):
        end = time.monotonic() + seconds
        attacks = [attack(port, f"198.51.100.{n}", end) for n in range(1, 21)]
        found, *_ = await asyncio.gather(bystander(port, end), *attacks)
        return found

    with Served("--listen", "0", "--trusted-proxy", "127.0.0.1") as server:
        times, statuses = asyncio.run(all_at_once(server.port))
        with open(f"/proc/{server.process.pid}/status") as status:
            memory = re.search(r"VmHWM:\s+(\d+)", status.read())[1]
        print(load())
        print(f"20 hostile clients of 12 connections each: {sum(counts.values())} replies, {counts}")
        print(f"the 21st: {len(times)} requests, {statuses}, median {statistics.median(times) * 1000:.0f} ms, "
              f"slowest {max(times) * 1000:.0f} ms; peak memory of the server {int(memory) // 1024} MB")


@contextlib.contextmanager
def proxied(port):
    """nginx on port 2443 in front of a server, with the text of the book; gives a command to it."""
    page = open(f"{ROOT}/docs/book/src/serve.md").read()
    text = re.search(r"```nginx\n(.*?)```", page, re.S)[1]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=dice.example.org",
                        "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"], check=True, capture_output=True)
        text = text.replace("listen 443 ssl", "listen 0.0.0.0:2443 ssl").replace("127.0.0.1:2020", f"127.0.0.1:{port}")
        text = re.sub(r"/etc/\S+fullchain.pem", f"{folder}/cert.pem", text)
        text = re.sub(r"/etc/\S+privkey.pem", f"{folder}/key.pem", text)
        conf = f"{folder}/nginx.conf"
        with open(conf, "w") as file:
            file.write(f"user root; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
                       f"http {{ access_log off; client_body_temp_path {folder}; proxy_temp_path {folder};\n{text}}}\n")
        tell = lambda *words: subprocess.run(["nginx", "-c", conf, *words], check=True, capture_output=True)
        tell()
        time.sleep(0.5)
        try:
            yield tell
        finally:
            tell("-s", "stop")
            time.sleep(0.5)


BEHIND = ["--trusted-proxy", "127.0.0.1", "--public-url", "https://dice.example.org"]


def nginx():
    with Served("--listen", "0", *BEHIND) as server, proxied(server.port) as tell:
        url = "https://dice.example.org:2443"
        def rolls(address, count):
            """So many rolls on one connection from this address of the loopback; what the client says about itself is a lie."""
            words = ["curl", "-sk", "--noproxy", "*", "--resolve", "dice.example.org:2443:127.0.0.1", "--interface", address,
                     "-w", "%{http_code}\n", "-H", "Content-Type: application/json", "-H", "X-Forwarded-For: 9.9.9.9", "-d", '{"text":"d6"}']
            words += ["-o", "/dev/null", f"{url}/api/v1/roll"] * count
            seen = subprocess.run(words, text=True, capture_output=True).stdout.split()
            return {code: seen.count(code) for code in sorted(set(seen))}

        for address in ["127.0.0.2", "127.0.0.3", "127.0.0.2"]:
            print(f"60 rolls at once from {address}: {rolls(address, 60)}")
        codes, reloads, end = {}, 0, time.monotonic() + 8
        while time.monotonic() < end:
            tell("-s", "reload")
            reloads += 1
            for n in range(5):
                for code, count in rolls(f"127.0.{reloads % 200}.{n + 1}", 1).items():
                    codes[code] = codes.get(code, 0) + count
        print(f"{reloads} reloads of nginx meanwhile: {codes}")


def lan():
    run = lambda line: subprocess.run(line, shell=True, check=True, capture_output=True, text=True).stdout
    run("ip netns add tumble-phone && ip link add tumble-a type veth peer name tumble-b netns tumble-phone && "
        "ip addr add 192.168.77.1/24 dev tumble-a && ip link set tumble-a up && "
        "ip -n tumble-phone addr add 192.168.77.2/24 dev tumble-b && ip -n tumble-phone link set tumble-b up")
    try:
        with Served("--lan", "--listen", "0") as server:
            print("\n".join(server.lines))
            address = next(line for line in server.lines if line.startswith("http://192.168.77.1:"))
            phone = "ip netns exec tumble-phone curl --noproxy '*' -s -o /tmp/tumble-lan -w '%{http_code} %{content_type} %{size_download}'"
            print("from the other namespace:", address)
            print("  page: ", run(f"{phone} {address}"))
            print("  chart:", run(f"{phone} '{address}odds.svg?text=4d6kh3'"))
            print("  a foreign host:", run(f"{phone} -H 'Host: evil.example' {address}"))
    finally:
        run("ip netns del tumble-phone; ip link del tumble-a 2>/dev/null || true")


def start(*programs):
    for program in [TUMBLE, *programs]:
        times = []
        for _ in range(60):
            begin = time.perf_counter()
            subprocess.run([program, "4d6kh3"], stdout=subprocess.DEVNULL, check=True)
            times.append((time.perf_counter() - begin) * 1000)
        times.sort()
        print(f"{program}: {os.path.getsize(program) / 1e6:.1f} MB, start best {times[0]:.1f} ms, median {times[30]:.1f} ms ({load()})")


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    commands = {name: globals()[name] for name in ["speed", "worst", "hostile", "nginx", "lan", "start"]}
    if wanted not in commands:
        sys.exit(__doc__)
    commands[wanted](*sys.argv[2:])
