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
// scale_values: all numbers that a scale must include: every value, and the ends of intervals that
// are not much wider than most.
std::vector<double> scale_values(const std::vector<ChartPanel>& panels);

// Ends: where the ends of an interval lie on a scale, in percent, and whether it goes on.
struct Ends {
  double low = 0;
  double high = 0;
  bool below = false;
  bool above = false;
  bool cut() const { return below || above; }
};
Ends ends_on(const ChartScale& scale, const ChartMark::Interval& interval);
// count_cut: how many intervals go on beyond the scale.
std::size_t count_cut(const ChartScale& scale, const std::vector<ChartPanel>& panels);
// arrow: a head at a place of a picture, in percent or pixels as SVG writes them.
enum class Heading : std::uint8_t { kLeft, kRight, kUp, kDown };
Html arrow(const std::string& x, const std::string& y, Heading heading);

// Tick: a label at a place, in percent.
struct Tick {
  double at;
  std::string label;
};
// ticks_of: the round numbers of a scale, about `parts` + 1.
std::vector<Tick> ticks_of(const ChartScale& scale, const Numerals& numerals, int parts = 4);
// across_axis: the labels below a picture. Long ones near an edge stay inside.
Html across_axis(const std::vector<Tick>& ticks);

// Points of pictures with two axes, in percent, upwards.
Html relative_line(std::string_view css, double x1, double y1, double x2, double y2);
Html dot(std::string_view css, double x, double y, double radius, const std::string& tip);
// error_bar: an interval above x; its ends are `reach` wide on both sides.
Html error_bar(const ChartScale& scale, const ChartMark& mark, double x, double reach);
// framed: a picture with an axis on its left and one below it.
Html framed(const Html& content, const std::vector<Tick>& up, const Html& across,
            const std::string& description);

// in_language: a text, marked with its language if that is known.
Html in_language(const std::string& language, const std::string& text);
// panel_of: a picture below its title. side_by_side: several of them.
Html panel_of(const ChartPanel& panel, const Html& content);
Html side_by_side(const Html& panels, std::size_t count);

}  // namespace lastbit::report::chart_internal
