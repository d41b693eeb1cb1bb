#!/usr/bin/env python3
"""Servers that die, stall, refuse or change their tables while a release reads: a clear error in bounded time, and
nothing booked."""

import signal
import socket
import subprocess
import threading
import time

from source_case import SourceCase, main

MANY = """
CREATE TABLE clinic.many (person integer, region text, age smallint);
INSERT INTO clinic.many SELECT i / 3, 'north', i % 90 FROM generate_series(1, 2000000) AS i;
"""


class Proxy:
    """Passes bytes between clients and the server, until it is told to stop, so that a network seems to stall."""

    def __init__(self, port):
        self.port_behind = port
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.passed = 0
        self.stop_after = None
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listening.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.port_behind))
            for source, target in ((client, server), (server, client)):
                threading.Thread(target=self.carry, args=(source, target), daemon=True).start()

    def carry(self, source, target):
        while True:
            try:
                data = source.recv(65536)
            except OSError:
                return
            self.passed += len(data)
            while self.stop_after is not None and self.passed > self.stop_after:
                time.sleep(0.1)
            if not data:
                target.close()
                return
            target.sendall(data)


class TroubleTest(SourceCase):
    prepared = SourceCase.prepared + MANY

    def setUp(self):
        super().setUp()
        self.make_ledger()
        self.before = self.spent()

    def start_reading(self):
        process = self.start_tool("release", self.write(self.url("clinic.many")))
        for _ in range(400):
            if self.copies() != "0":
                return process
            time.sleep(0.01)
        self.fail("the release does not read")

    def copies(self):
        return self.server.sql("SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'COPY%'")

    def test_an_interrupt_ends_the_query(self):
        process = self.start_reading()
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertLess(time.monotonic() - start, 5)
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(self.copies(), "0")
        self.assertEqual(self.spent(), self.before)

    def test_a_server_that_dies(self):
        process = self.start_reading()
        self.server.stop()
        try:
            _, words = process.communicate(timeout=30)
        finally:
            self.server.start()
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("the connection to the server was lost", words)
        self.assertEqual(self.spent(), self.before)

    def test_a_backend_that_is_ended(self):
        process = self.start_reading()
        self.server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY%' "
                        "AND pid <> pg_backend_pid()")
        _, words = process.communicate(timeout=30)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("lost", words)
        self.assertEqual(self.spent(), self.before)

    def test_an_interrupt_while_the_network_stalls(self):
        proxy = Proxy(self.server.port)
        proxy.stop_after = 100_000
        url = self.server.address(tcp=True, port=proxy.port, table="clinic.many", passfile=self.server.passfile())
        process = self.start_tool("release", self.write(url))
        for _ in range(300):
            if proxy.passed > proxy.stop_after:
                break
            time.sleep(0.02)
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertLess(time.monotonic() - start, 8)
        self.assertEqual(self.spent(), self.before)
        proxy.listening.close()

    def test_a_server_that_does_not_answer(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            port = silent.getsockname()[1]
            url = self.server.address(tcp=True, port=port, table="clinic.many", connect_timeout="1")
            start = time.monotonic()
            self.refuse("did not answer within 1 second", "plan", self.write(url))
            self.assertLess(time.monotonic() - start, 10)

    def test_a_table_that_is_rewritten_before_the_first_row(self):
        # Whoever holds this lock keeps the rows back, but not the catalogue.
        for change in ("TRUNCATE clinic.visits", "ALTER TABLE clinic.visits ALTER age TYPE bigint"):
            words = [f"{self.server.bin}/psql", "-X", "-q", "-h", self.server.folder, "-p", str(self.server.port)]
            writer = subprocess.Popen([*words, "-U", "postgres"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                      text=True)
            with writer:
                writer.stdin.write("BEGIN; LOCK TABLE clinic.visits IN ACCESS EXCLUSIVE MODE;\n")
                writer.stdin.flush()
                process = self.start_tool("release", self.write(self.url()))
                for _ in range(400):
                    if self.copies() != "0":
                        break
                    time.sleep(0.01)
                writer.stdin.write(f"{change}; COMMIT;\n")
                writer.stdin.close()
                writer.wait()
            _, words = process.communicate(timeout=30)
            self.assertNotEqual(process.returncode, 0)
            self.assertIn("was rewritten while it was read", words)
            self.assertEqual(self.spent(), self.before)

    def test_nobody_there(self):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        self.refuse("cannot be reached", "plan", self.write(self.server.address(tcp=True, port=port, table="a")))

    def test_no_such_database(self):
        self.refuse("does not exist", "plan", self.write(self.server.address(database="nowhere", table="a")))

    def test_a_table_that_changes_meanwhile_is_read_as_it_was(self):
        # Rows that others add while a release reads belong to another snapshot; neither side waits.
        process = self.start_reading()
        self.server.sql("INSERT INTO clinic.many SELECT 1, 'north', 1 FROM generate_series(1, 1000)")
        _, words = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, words)


if __name__ == "__main__":
    main()
