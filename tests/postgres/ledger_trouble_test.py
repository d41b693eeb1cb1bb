"""A server that fails while a ledger is used: ledger_trouble_test.py LASTBIT SPEND_FROM_LEDGER READS_FILES."""

import sys
import threading
import time
import unittest

from ledger_case import Proxy, ServerCase, drawn, spend, start_spending


class LostReplyTest(ServerCase):
    """The connection ends while the client waits for the reply to COMMIT."""

    def through(self, plan, patience=3000):
        ledger = self.made_ledger()
        spend(ledger)
        with Proxy(self.server.port, plan) as network:
            address = self.address(tcp=True, port=network.port, sslmode="disable")
            start = time.monotonic()
            lines = spend(address, 1, 1, patience, PGPASSFILE=self.server.passfile())
            self.assertEqual(network.happened.is_set(), plan != "pass")
            self.time = time.monotonic() - start
        self.check_covered(ledger, ["drawn 1"] + lines)
        (line,) = lines
        return line, self.contents(ledger)["spendings"]

    def test_without_trouble(self):
        self.assertEqual(self.through("pass"), ("drawn 2", 2))

    def test_carried_out(self):
        self.assertEqual(self.through("cut"), ("drawn 2", 2))

    def test_never_arrived(self):
        line, booked = self.through("lose")
        self.assertRegex(line, "^storage failure: .*nothing was booked")
        self.assertEqual(booked, 1)

    def test_arrives_after_the_client_asks_what_became_of_it(self):
        # A lookup that did not wait for the lock would find nothing, and the record would come later.
        self.assertEqual(self.through("late"), ("drawn 2", 2))
        self.assertGreater(self.time, 0.9)

    def test_a_network_that_stalls(self):
        line, booked = self.through("stall", patience=500)
        self.assertRegex(line, "^storage failure: .*nobody knows")
        self.assertEqual(booked, 1)
        self.assertLess(self.time, 15)


class ServerTest(ServerCase):
    def test_a_server_that_stops_in_the_middle(self):
        address = self.made_ledger()
        with start_spending(address, 10, 40, 1000) as clients:
            lines = [clients.stdout.readline().strip() for _ in range(30)]
            self.server.stop()
            self.server.start()
            lines += clients.communicate(timeout=60)[0].splitlines()
        self.assertEqual(len(lines), 400)
        self.check_covered(address, lines)
        self.assertGreater(sum(line.startswith("storage failure: ") for line in lines), 0)

    def test_a_server_that_is_gone(self):
        address = self.made_ledger()
        self.server.stop()
        self.addCleanup(self.server.start)
        start = time.monotonic()
        self.expect_refused(74, "ledger", "show", address, mentions=["cannot be reached"])
        self.assertLess(time.monotonic() - start, 10)

    def test_a_wrong_password(self):
        self.made_ledger()
        passfile = self.server.passfile("hush-hush", name="wrong")
        address = self.address(tcp=True)
        said = self.expect_refused(74, "ledger", "show", address, mentions=["password"], PGPASSFILE=passfile)
        self.assertNotIn("hush", said)
        self.run_well("ledger", "show", address, PGPASSFILE=self.server.passfile())

    def test_a_lock_that_is_held_too_long(self):
        address = self.made_ledger()
        with start_spending(address, 1, 1, 1) as impatient:
            self.assertEqual(drawn(impatient.communicate()[0].splitlines()), [1])
        blocker = "BEGIN; SELECT 1 FROM lastbit.ledger FOR UPDATE; SELECT pg_sleep(1.5);"
        holder = threading.Thread(target=self.sql, args=(blocker,))
        holder.start()
        time.sleep(0.4)
        lines = spend(address, 1, 20, 200)
        holder.join()
        # The same ledger can be used again when the lock is free.
        self.assertRegex(lines[0], "^storage failure: .*55P03")
        self.assertRegex(lines[-1], "^drawn")
        self.check_covered(address, ["drawn 1"] + lines)


class DurabilityTest(ServerCase):
    def test_a_server_that_does_not_wait_for_its_disk_is_refused(self):
        address = self.made_ledger()
        self.sql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf(); SELECT pg_sleep(0.2)")
        self.addCleanup(self.sql, "ALTER SYSTEM RESET fsync; SELECT pg_reload_conf()")
        (line,) = spend(address)
        self.assertRegex(line, "^storage failure: .*fsync = off")
        self.run_well("ledger", "show", address)

    def test_a_commit_waits_for_the_disk_whatever_the_default_is(self):
        address = self.made_ledger()
        self.sql(
            f"ALTER DATABASE {self.database} SET synchronous_commit = off; CREATE TABLE seen (setting text);"
            "CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN INSERT INTO public.seen VALUES "
            "(current_setting('synchronous_commit')); RETURN NULL; END$$;"
            "CREATE TRIGGER look AFTER INSERT ON lastbit.record EXECUTE FUNCTION look()"
        )
        spend(address)
        self.sql(f"ALTER DATABASE {self.database} SET synchronous_commit = remote_apply")
        spend(address)
        self.assertEqual(self.sql("SELECT setting FROM seen").split(), ["on", "remote_apply"])


class TamperedTest(ServerCase):
    """What somebody with rights in the database did to a ledger stops spending, before noise."""

    FORGED = """
        INSERT INTO lastbit.record SELECT ledger, id + 1, 'completion', entry, time, '', '', '', '', '', '',
          'epsilon 0', hash, encode(sha256('forged'), 'hex'), 'nonce' FROM lastbit.record WHERE id = 1"""

    def refusal(self, change):
        address = self.made_ledger()
        self.assertEqual(drawn(spend(address)), [1])
        self.sql(change)
        (line,) = spend(address)
        self.assertEqual(self.sql("SELECT count(*) FROM lastbit.record WHERE kind = 'spending'").strip(), "1")
        return line

    def test_a_trigger_that_drops_records(self):
        line = self.refusal(
            "CREATE FUNCTION drop_it() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NULL; END$$;"
            "CREATE TRIGGER first BEFORE INSERT ON lastbit.record FOR EACH ROW EXECUTE FUNCTION drop_it()")
        self.assertIn("stored another record", line)

    def test_tables_that_a_crash_empties(self):
        self.assertIn("its tables are not as", self.refusal("ALTER TABLE lastbit.record SET UNLOGGED"))

    def test_a_trigger_of_ours_that_is_off(self):
        change = "ALTER TABLE lastbit.record DISABLE TRIGGER never_changed"
        self.assertIn("its tables are not as", self.refusal(change))

    def test_a_record_with_a_smaller_total(self):
        self.assertIn("damaged", self.refusal(self.FORGED))

    def test_a_database_that_is_set_to_read_only(self):
        line = self.refusal(f"ALTER DATABASE {self.database} SET default_transaction_read_only = on")
        self.assertIn("accepts no writing", line)

    def test_a_database_that_would_change_texts(self):
        name = self.database + "j"
        self.server.sql(f"CREATE DATABASE {name} ENCODING 'EUC_JP' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
        address = self.server.address(name)
        self.expect_refused(64, "ledger", "init", address, "--epsilon", "1", mentions=["not in UTF-8"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
