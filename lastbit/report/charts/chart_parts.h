// Pieces that all charts are made of. For the sources of this folder only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lastbit/base/html.h"
#include "lastbit/report/charts/chart.h"
#include "lastbit/report/charts/chart_scale.h"

namespace lastbit::report::chart_internal {

std::string percent(double value);
// named: a mark in words, as text.
std::string named(const ChartMark& mark);
// ends_of: all numbers that a scale must include.
std::vector<double> ends_of(const std::vector<ChartMark>& marks);
std::vector<double> ends_of(const std::vector<ChartPanel>& panels);

// Tick: a label at a place, in percent.
struct Tick {
  double at;
  std::string label;
};
// ticks_of: the round numbers of a scale, about `parts` + 1.
std::vector<Tick> ticks_of(const ChartScale& scale, int parts = 4);
// across_axis: the labels below a picture. Long ones near an edge stay inside.
Html across_axis(const std::vector<Tick>& ticks);

// panel_of: a picture below its title. side_by_side: several of them.
Html panel_of(const std::string& title, const Html& content);
Html side_by_side(const Html& panels, std::size_t count);

}  // namespace lastbit::report::chart_internal
