// Pieces that all charts are made of. Only chart.cc and chart_frame.cc include it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lastbit/report/charts/chart.h"

namespace lastbit::report::chart_internal {

std::string percent(double value);
// bidi: a text of others, escaped, whose direction of writing stays its own.
std::string bidi(std::string_view text);
// named: a mark in words, as text.
std::string named(const ChartMark& mark);
// ends_of: all numbers that a scale must hold.
std::vector<double> ends_of(const std::vector<ChartMark>& marks);
std::vector<double> ends_of(const std::vector<ChartPanel>& panels);

// Tick: a label at a place, in percent.
struct Tick {
  double at;
  std::string label;
};
// across_axis: the labels below a picture. Long ones near an edge stay inside.
std::string across_axis(const std::vector<Tick>& ticks);

// panel_of: a picture below its title. side_by_side: so many of them.
std::string panel_of(const std::string& title, const std::string& content);
std::string side_by_side(const std::string& panels, std::size_t count);

}  // namespace lastbit::report::chart_internal
