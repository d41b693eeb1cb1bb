// PostgresRows: a table on a server as a source of rows for the kernel. For this module only.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lastbit/engines/kernel/row_source.h"
#include "lastbit/engines/kernel/summed_rows.h"
#include "lastbit/engines/postgres/table_catalogue.h"
#include "lastbit/postgres/address.h"

namespace lastbit::engine {

// Ensures   every reading gives the same rows: those of one snapshot, which the transaction that
//           the constructor begins keeps, if require_unchanged accepts them. It can only read.
class PostgresRows final : public RowSource {
 public:
  // While: called now and then while rows are read or waited for, with the part of the rows that
  // has come, as far as the server can guess it. What it throws ends the query and the connection.
  using While = std::function<void(double)>;

  // Fails  as Connection and read_catalogue.
  PostgresRows(const postgres::Address& address, postgres::TableName table, While reading);
  ~PostgresRows() override;

  std::string name() const override { return name_; }
  std::vector<SchemaColumn> schema() const override;
  // Limits  kNotSupported for kByUnit: the server would have to sort, which takes longer than what
  //         the kernel does instead.
  void give_rows(std::span<const RowColumn> columns, RowOrder order,
                 const TakeBatch& take) const override;
  // can_merge: whether the server compares the keys as the kernel does, adds up numbers, and knows
  // about how many rows there are.
  bool can_merge(const MergePlan& plan) const;
  // give_merged_rows: gives rows with the same keys once: the keys, how many rows there are, and
  // for each sum how many fields are present, and the sum of their steps as a wide number.
  // Requires  checked: can_merge; else kInternal.
  void give_merged_rows(const MergePlan& plan, const TakeBatch& take) const;

  // Whether commands that rewrite a table, which PostgreSQL's snapshots do not cover, came between
  // the beginning of the transaction and the first rows. It ends the transaction.
  void require_unchanged() const override;

 private:
  const TableColumn& find(const RowColumn& wanted) const;
  CopyColumn sent_as(const RowColumn& wanted) const;
  // copy: what the server selects from the table.
  void copy(const std::string& selected, const std::string& end,
            const std::vector<CopyColumn>& columns, const CopyReader::TakeBatch& take) const;

  postgres::TableName table_;
  std::string name_;
  While reading_;
  mutable double part_ = 0;
  std::unique_ptr<postgres::Connection> connection_;
  CatalogueTable catalogue_;
};

}  // namespace lastbit::engine
