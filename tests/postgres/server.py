#!/usr/bin/env python3
"""A private PostgreSQL server for tests: in a new folder, on a Unix socket and on a port of the loopback.

As a program it starts a server, prints one line of JSON about it, obeys lines on its standard input (`stop`, `start`),
and ends the server and removes its folder when that input ends. So whatever happens to a test, even SIGKILL, its server
ends with it. `server.py --run PROGRAM ARGS…` runs a program with the line of JSON in LASTBIT_TEST_POSTGRES instead.

In tests: with Server() as server: server.sql("SELECT 1"). Without Debian's package postgresql-15, Server() and the program
end with the exit code 77 and one line, which ctest counts as skipped.
"""

import ctypes
import glob
import json
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

SKIPPED = 77
BINARIES = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]))


def require_package():
    if BINARIES and os.path.exists(BINARIES[-1] + "/initdb"):
        return BINARIES[-1]
    print("skipped: this test needs a PostgreSQL server (apt-get install postgresql-15)")
    sys.exit(SKIPPED)


def server_user():
    """Who runs the server: it refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = [entry.pw_name for entry in pwd.getpwall()]
    return pwd.getpwnam("postgres" if "postgres" in names else "nobody")


def become(user):
    def prepare():
        if user is not None:
            os.setgroups([])
            os.setgid(user.pw_gid)
            os.setuid(user.pw_uid)
        # The server gets SIGQUIT, its word for stopping at once, if this process is killed.
        ctypes.CDLL(None).prctl(1, signal.SIGQUIT)

    return prepare


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster:
    """The server as its keeper sees it: the process that starts it, and waits for it."""

    def __init__(self, settings):
        self.bin = require_package()
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = tempfile.mkdtemp(prefix="lastbit-pg-", dir=memory)
        self.user = server_user()
        if self.user is not None:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        os.chmod(self.folder, 0o755)
        self.password = secrets.token_hex(8)
        self.settings = settings
        self.process = None
        self.port = None
        self._initialize()

    def _initialize(self):
        words = self.folder + "/password"
        with open(words, "w", encoding="utf-8") as file:
            file.write(self.password)
        os.chmod(words, 0o644)
        command = [self.bin + "/initdb", "-D", self.folder + "/data", "-U", "postgres", "--pwfile", words, "-E", "UTF8"]
        command += ["--locale=C.UTF-8", "--auth-local=trust", "--auth-host=scram-sha-256", "--no-sync"]
        done = subprocess.run(
            command, preexec_fn=become(self.user), cwd=self.folder, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise RuntimeError(done.stderr)

    def start(self):
        for _ in range(5):
            port = self.port or free_port()
            options = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": self.folder}
            options |= {"shared_buffers": "16MB", "max_connections": "120", "log_min_messages": "info"} | self.settings
            command = [self.bin + "/postgres", "-D", self.folder + "/data"]
            for name, value in options.items():
                command += ["-c", f"{name}={value}"]
            with open(self.folder + "/log", "a", encoding="utf-8") as log:
                self.process = subprocess.Popen(
                    command, preexec_fn=become(self.user), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log
                )
            if self._is_ready(port):
                self.port = port
                return
        with open(self.folder + "/log", encoding="utf-8") as log:
            raise RuntimeError("the server does not start:\n" + log.read())

    def _is_ready(self, port):
        command = [self.bin + "/pg_isready", "-q", "-h", self.folder, "-p", str(port), "-U", "postgres"]
        for _ in range(600):
            if self.process.poll() is not None:
                return False
            if subprocess.run(command, check=False).returncode == 0:
                return True
            time.sleep(0.05)
        return False

    def stop(self):
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
        self.process.wait()
        self.process = None

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def facts(self):
        pid = self.process.pid if self.process else None
        known = {"folder": self.folder, "port": self.port, "password": self.password, "pid": pid, "bin": self.bin}
        return json.dumps(known | {"log": self.folder + "/log"})


def keep(settings):
    cluster = Cluster(settings)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        cluster.start()
        print(cluster.facts(), flush=True)
        for line in sys.stdin:
            {"stop": cluster.stop, "start": cluster.start}[line.strip()]()
            print(cluster.facts(), flush=True)
    finally:
        cluster.remove()


class Server:
    """A server, kept by another process; `settings` are those of postgresql.conf."""

    def __init__(self, **settings):
        require_package()
        command = [sys.executable, os.path.abspath(__file__), json.dumps(settings)]
        # A group of its own: an interrupt from the keyboard ends the test, and only thereby the keeper.
        self._keeper = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        self._read_facts()

    def _read_facts(self):
        line = self._keeper.stdout.readline()
        if not line:
            raise RuntimeError("the server ended")
        facts = json.loads(line)
        self.folder, self.port, self.password = facts["folder"], facts["port"], facts["password"]
        self.pid, self.bin, self.log = facts["pid"], facts["bin"], facts["log"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._keeper.stdin.close()
        self._keeper.wait()
        self._keeper.stdout.close()

    def stop(self):
        """Stops at once, as a crash does: clients see their connection end."""
        self._order("stop")

    def start(self):
        self._order("start")

    def _order(self, word):
        self._keeper.stdin.write(word + "\n")
        self._keeper.stdin.flush()
        self._read_facts()

    def address(self, database="postgres", user="postgres", tcp=False, port=None, **parameters):
        """A URL: over the socket, where no password is asked for, or over the port, where one is."""
        fields = {"user": user} | parameters
        if not tcp:
            fields |= {"host": self.folder, "port": str(self.port)}
            return f"postgresql:///{database}?" + urllib.parse.urlencode(fields, quote_via=urllib.parse.quote)
        place = f"127.0.0.1:{port or self.port}"
        return f"postgresql://{place}/{database}?" + urllib.parse.urlencode(fields, quote_via=urllib.parse.quote)

    def passfile(self, password=None, name="passfile"):
        """A password file for libpq (PGPASSFILE), which is right for user postgres unless told otherwise."""
        path = os.path.join(self.folder, name)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(f"*:*:*:*:{password or self.password}\n")
        return path

    def sql(self, text, database="postgres", user="postgres"):
        """Runs SQL with psql, each statement on its own; returns what it prints, fields divided by |."""
        command = [self.bin + "/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.folder]
        command += ["-p", str(self.port), "-U", user, "-d", database]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()


def run(command):
    with Server() as server:
        facts = {"socket": server.address(), "port": server.address(tcp=True), "log": server.log}
        return subprocess.run(command, env=os.environ | {"LASTBIT_TEST_POSTGRES": json.dumps(facts)}, check=False).returncode


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        sys.exit(run(sys.argv[2:]))
    keep(json.loads(sys.argv[1]) if len(sys.argv) > 1 else {})
