#include "lastbit/accounting/server_tables.h"

#include <array>

namespace lastbit::accounting_internal {
namespace {

// A record cannot be added twice, whatever happens to locks. Nobody updates a ledger's row; the
// right to update its name is the right to lock it.
constexpr std::array<const char*, 6> kServerTables = {
    "CREATE TABLE lastbit.ledger (name text COLLATE \"C\" PRIMARY KEY, format integer NOT NULL, "
    "cap text NOT NULL, description text NOT NULL, created text NOT NULL, nonce text NOT NULL, "
    "hash text NOT NULL)",
    "CREATE TABLE lastbit.record (ledger text COLLATE \"C\" NOT NULL REFERENCES lastbit.ledger, "
    "id bigint NOT NULL CHECK (id > 0), kind text NOT NULL, "
    "entry bigint NOT NULL CHECK (entry > 0 AND entry <= id), time text NOT NULL, plan text NOT "
    "NULL, data text NOT NULL, description text NOT NULL, mechanisms text NOT NULL, "
    "unit text NOT NULL, cost text NOT NULL, total text NOT NULL, previous text NOT NULL, "
    "hash text NOT NULL, nonce text NOT NULL UNIQUE, PRIMARY KEY (ledger, id), "
    "UNIQUE (ledger, entry, kind))",
    "CREATE FUNCTION lastbit.refuse() RETURNS trigger LANGUAGE plpgsql "
    "SET search_path = pg_catalog, pg_temp AS "
    "$$BEGIN RAISE EXCEPTION 'what a ledger holds is never changed'; END$$",
    "CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON lastbit.ledger "
    "FOR EACH STATEMENT EXECUTE FUNCTION lastbit.refuse()",
    "CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON lastbit.record "
    "FOR EACH STATEMENT EXECUTE FUNCTION lastbit.refuse()",
    "CREATE INDEX by_plan ON lastbit.record (ledger, plan)",
};

}  // namespace

std::span<const char* const> server_tables() { return kServerTables; }

const char* intact_tables() {
  return R"(
SELECT count(*) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = 'lastbit' AND c.relname IN ('ledger', 'record') AND c.relkind = 'r'
  AND c.relpersistence = 'p' AND NOT c.relhasrules AND NOT c.relrowsecurity
  AND EXISTS (SELECT FROM pg_trigger AS t WHERE t.tgrelid = c.oid AND t.tgname = 'never_changed'
              AND t.tgenabled IN ('O', 'A')))";
}

}  // namespace lastbit::accounting_internal
