// Text for terminals: colours, where they are wanted, and aligned tables.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lastbit::report {

enum class Colour { kNone, kBold, kDim, kGreen, kRed, kYellow };

// Paint: puts colours around text, or leaves it as it is.
class Paint {
 public:
  explicit Paint(bool colours) : colours_(colours) {}
  // for_terminal: colours if `descriptor` is a terminal that shows them and the user did not set
  // NO_COLOR.
  static Paint for_terminal(int descriptor);
  std::string operator()(Colour colour, std::string_view text) const;

 private:
  bool colours_;
};

// indented: moves every nonempty line of `text` to the right by `spaces`.
std::string indented(const std::string& text, std::size_t spaces);

// cut: the text if it takes at most `width` cells, otherwise its beginning and ….
std::string cut(std::string_view text, std::size_t width);

// wrapped: words in lines of at most `width` cells, each ended by a line feed.
std::string wrapped(std::string_view text, std::size_t width);

// terminal_width: the number of cells in a line of the terminal, or kNoLimit if there is no
// terminal.
inline constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
std::size_t terminal_width(int descriptor);

enum class Align { kLeft, kRight };

// Table: a header and rows in aligned columns, two spaces apart. Every row has one cell per column.
class Table {
 public:
  struct Column {
    std::string title;
    Align align = Align::kLeft;
  };
  struct Cell {
    Cell(std::string text_, Colour colour_ = Colour::kNone)  // NOLINT(google-explicit-constructor)
        : text(std::move(text_)), colour(colour_) {}
    Cell(const char* text_) : text(text_) {}  // NOLINT(google-explicit-constructor)
    std::string text;
    Colour colour = Colour::kNone;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<Cell> row);
  // render: the table, indented by two spaces, with a line feed after every line and no trailing
  // spaces. If lines would be longer than `limit` cells, the widest columns are cut, with … at the
  // end.
  std::string render(const Paint& paint, std::size_t limit = kNoLimit) const;

 private:
  std::vector<std::size_t> widths_within(std::size_t limit) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace lastbit::report
