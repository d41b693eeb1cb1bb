// What a server says about a table: whether a release can use it, and the types of its columns. For
// this module only.
//
// Names in statements are resolved under search_path = pg_catalog, which Connection sets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lastbit/engines/postgres/copy_reader.h"
#include "lastbit/postgres/connection.h"
#include "lastbit/postgres/table_name.h"
#include "lastbit/release/file/schema.h"

namespace lastbit::engine {

// Grouping: how a server puts equal fields of a column together.
enum class Grouping {
  kPlain,     // as its type compares them
  kCollated,  // under the collation "C", which compares bytes
  kNone,      // in a way that may take different fields for equal, or not by a type of its own
};

struct TableColumn {
  SchemaColumn schema;  // without a type: no release can use it
  WireForm form = WireForm::kText;
  Grouping grouping = Grouping::kNone;
};

struct CatalogueTable {
  std::vector<TableColumn> columns;
  bool partitioned = false;
  // All that was asked, and which files of the server hold the rows: if it is the same later,
  // nobody has rewritten the table meanwhile.
  postgres::Rows facts;
  // About how many rows there are, as the server guesses; 0 if it does not.
  double guessed_rows = 0;
};

// read_catalogue: the table as it is for the user of this connection.
// Fails  kBadInput if there is no such table (names are compared exactly); if it is a view, a
//        foreign table or something else that is no table, if it has children that inherit from it
//        or partitions that are no tables, or if row-level security hides rows from this user;
//        kNotSupported if the database is not in UTF-8.
CatalogueTable read_catalogue(postgres::Connection& connection, const postgres::TableName& table);

// bytes_of: how many bytes the rows of the table take on the server at the moment.
double bytes_of(postgres::Connection& connection, const postgres::TableName& table);

}  // namespace lastbit::engine
