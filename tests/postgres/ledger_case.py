"""What the tests of ledgers on a server share: TEST.py LASTBIT SPEND_FROM_LEDGER READS_FILES."""

import atexit
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from server import Server

LASTBIT, SPEND = sys.argv[1:3]
READS_FILES = sys.argv[3] == "1"


def lastbit(*arguments, **environment):
    return subprocess.run(
        [LASTBIT, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False,
        env=os.environ | environment,
    )


def start_spending(ledger, clients=1, spendings=1, patience=2000, *, fork=False, **environment):
    command = [SPEND, str(ledger), str(clients), str(spendings), str(patience)] + (["fork"] if fork else [])
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | environment)


def spend(ledger, *arguments, **options):
    """The lines of a run of spend_from_ledger."""
    with start_spending(ledger, *arguments, **options) as process:
        return process.communicate(timeout=120)[0].splitlines()


def drawn(lines):
    """The entries for which noise would have been drawn."""
    return [int(line.split()[1]) for line in lines if line.startswith("drawn ")]


class ServerCase(unittest.TestCase):
    """One server for all tests of a program, one database for each."""

    server: Server

    @classmethod
    def setUpClass(cls):
        if not hasattr(ServerCase, "server"):
            ServerCase.server = Server()
            atexit.register(ServerCase.server.__exit__)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.database = "d" + str(time.monotonic_ns())
        self.server.sql(f"CREATE DATABASE {self.database}")

    def address(self, **parameters):
        return self.server.address(self.database, **parameters)

    def sql(self, text, user="postgres"):
        return self.server.sql(text, self.database, user)

    def made_ledger(self, epsilon="100", **parameters):
        address = self.address(**parameters)
        self.run_well("ledger", "init", address, "--epsilon", epsilon)
        return address

    def run_well(self, *arguments, **environment):
        done = lastbit(*arguments, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def expect_refused(self, exit_code, *arguments, mentions=(), **environment):
        done = lastbit(*arguments, **environment)
        self.assertEqual(done.returncode, exit_code, done.stderr + done.stdout)
        for text in mentions:
            self.assertIn(text, done.stderr)
        return done.stderr

    def contents(self, address):
        return json.loads(self.run_well("ledger", "export", address, "--json"))

    def check_covered(self, address, lines):
        """The chain is whole, nothing was drawn that is not booked, and nothing booked that was refused."""
        contents = self.contents(address)
        ids = drawn(lines)
        booked = {entry["id"] for entry in contents["entries"]}
        self.assertEqual(len(set(ids)), len(ids))
        self.assertLessEqual(set(ids), booked)
        unclear = sum("nobody knows" in line for line in lines)
        self.assertLessEqual(len(booked), len(ids) + unclear)
        return contents


class Proxy:
    """The network between a client and the server: passes everything on until it sees COMMIT, then does as `plan` says.

    lose: ends the connection, and the server never hears of it. cut: lets the server carry it out, and loses its reply.
    late: ends the client's connection at once, and passes COMMIT on a second later. stall: passes nothing on any more,
    and neither do new connections. pass: does nothing.
    """

    def __init__(self, port, plan):
        self.plan = plan
        self.target = port
        self.happened = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.plan = "pass"
        shut(self.listener)
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            quiet = threading.Event()
            threading.Thread(target=self._to_server, args=(client, server, quiet), daemon=True).start()
            threading.Thread(target=self._to_client, args=(server, client, quiet), daemon=True).start()

    def _is_stalled(self):
        return self.plan == "stall" and self.happened.is_set()

    def _to_server(self, client, server, quiet):
        try:
            while part := client.recv(65536):
                if b"COMMIT\0" in part and not self.happened.is_set() and self.plan != "pass":
                    self.happened.set()
                    self._intervene(part, client, server, quiet)
                elif not self._is_stalled():
                    server.sendall(part)
        except OSError:
            pass
        if not quiet.is_set():
            shut(server)

    def _intervene(self, part, client, server, quiet):
        if self.plan == "stall":
            return
        if self.plan == "lose":
            shut(client)
            shut(server)
            return
        quiet.set()  # the other direction ends when the server has answered
        if self.plan == "late":
            shut(client)
            time.sleep(1)
        server.sendall(part)

    def _to_client(self, server, client, quiet):
        try:
            while part := server.recv(65536):
                if quiet.is_set():
                    break
                if not self._is_stalled():
                    client.sendall(part)
        except OSError:
            pass
        shut(client)
        client.close()
        if quiet.is_set():
            shut(server)
        server.close()


def shut(end):
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
