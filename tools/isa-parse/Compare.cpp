// The figures by which two texts of a kernel are compared, as a table, Markdown or rows of JSON.

#include "Document.h"

#include <fmt/format.h>

#include <cmath>

namespace rdna::isaparse {

namespace {

/// What a smaller number means.
enum class Better : uint8_t { Neither, Less, More };

struct Figure {
  const char *group, *what, *unit;
  const char *at; ///< Where it is in the kernel's JSON.
  Better better = Better::Neither;
  const char *low = nullptr, *high = nullptr;
};

constexpr const char *launch = "launch", *whole = "kernel", *loop = "hot loop";

const Figure figures[] = {
    {launch, "predicted time", "ms", "/predicted/predicted_ms", Better::Less,
     "/predicted/predicted_low_ms", "/predicted/predicted_high_ms"},
    {launch, "predicted rate", "GFLOP/s", "/predicted/predicted_gflops", Better::More,
     "/predicted/predicted_low_gflops", "/predicted/predicted_high_gflops"},
    {launch, "predicted share of peak", "%", "/predicted/predicted_percent_of_peak", Better::More,
     "/predicted/predicted_low_percent_of_peak", "/predicted/predicted_high_percent_of_peak"},
    {whole, "VGPRs declared", "", "/vgprs"},
    {whole, "waves per SIMD", "", "/waves_per_simd", Better::More},
    {whole, "LDS", "bytes", "/lds_bytes"},
    {whole, "scratch per lane", "bytes", "/scratch_bytes", Better::Less},
    {whole, "code", "bytes", "/code_bytes"},
    {whole, "instructions", "", "/totals/instructions"},
    {whole, "VALU instructions", "", "/totals/valu"},
    {whole, "dual FMACs", "", "/totals/dual_fmac"},
    {whole, "single FMACs", "", "/totals/single_fmac", Better::Less},
    {whole, "bank conflicts", "", "/totals/source_bank_conflicts", Better::Less},
    {whole, "parity hazards", "", "/totals/parity_hazards", Better::Less},
    {whole, "LDS loads", "", "/totals/ds_loads"},
    {whole, "global loads", "", "/totals/global_loads"},
    {loop, "instructions", "", "/hot/instructions"},
    {loop, "VALU instructions", "", "/hot/valu"},
    {loop, "dual FMACs", "", "/hot/dual_fmac"},
    {loop, "single FMACs", "", "/hot/single_fmac", Better::Less},
    {loop, "bank conflicts", "", "/hot/source_bank_conflicts", Better::Less},
};

Json valueAt(const Json &kernel, const char *at) {
  const Json::json_pointer pointer(at);
  return at != nullptr && kernel.contains(pointer) ? kernel[pointer] : Json();
}

/// Loops that are written out hold several iterations: only figures for a piece of work compare.
Json perFmac(const Json &kernel, const char *what) {
  const Json &hot = kernel["hot"];
  const double work = 2 * hot["dual_fmac"].get<double>() + hot["single_fmac"].get<double>();
  return work == 0 ? Json() : Json(hot[what].get<double>() / work);
}

const char *verdictOf(const Json &before, const Json &after, Better better) {
  if (better == Better::Neither || before == after)
    return "";
  return (after.get<double>() < before.get<double>()) == (better == Better::Less) ? "better"
                                                                                  : "worse";
}

struct Row {
  const char *group, *what, *unit;
  Better better;
};

void addRow(Json &rows, const Row &of, Json value, const Json *old) {
  if (value.is_null() && (old == nullptr || old->is_null()))
    return;
  Json row = {
      {"group", of.group}, {"what", of.what}, {"unit", of.unit}, {"value", std::move(value)}};
  if (old != nullptr) {
    row["before"] = *old;
    row["verdict"] = row["value"].is_number() && old->is_number()
                         ? verdictOf(*old, row["value"], of.better)
                         : "";
  }
  rows.push_back(std::move(row));
}

/// Three or four digits that count, so that columns stay narrow.
std::string numberText(const Json &value) {
  if (value.is_null())
    return "-";
  if (!value.is_number_float())
    return value.dump();
  const double number = value.get<double>(), size = std::abs(number);
  if (size == 0)
    return "0";
  const int digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 0.1 ? 3 : 5;
  return fmt::format("{:.{}f}", number, digits);
}

std::string rangeText(const Json &row, const char *key) {
  return row.contains(key) && !row[key][0].is_null()
             ? fmt::format("{} to {}", numberText(row[key][0]), numberText(row[key][1]))
             : "";
}

std::string changeText(const Json &row) {
  if (!row["value"].is_number() || !row["before"].is_number() || row["value"] == row["before"])
    return "";
  const double before = row["before"], after = row["value"];
  if (before == 0)
    return fmt::format("{:+g}", after);
  const double percent = (after / before - 1) * 100;
  return fmt::format("{:+.{}f} %", percent, std::abs(percent) >= 999.95 ? 0 : 1);
}

/// Cells of a table; a row below a predicted figure has its interval.
std::vector<std::vector<std::string>> cellsOf(const Json &rows) {
  std::vector<std::vector<std::string>> cells;
  for (const Json &row : rows) {
    const std::string unit = row["unit"];
    cells.push_back({row["what"].get<std::string>() + (unit.empty() ? "" : ", " + unit),
                     numberText(row["before"]), numberText(row["value"]), changeText(row),
                     row["verdict"].get<std::string>()});
    if (row.contains("interval"))
      cells.push_back(
          {"  interval", rangeText(row, "interval_before"), rangeText(row, "interval"), "", ""});
  }
  return cells;
}

/// The rows of one group after the other: the group's name and its cells.
std::vector<std::pair<std::string, std::vector<std::vector<std::string>>>>
groupsOf(const Json &rows) {
  std::vector<std::pair<std::string, Json>> groups;
  for (const Json &row : rows) {
    if (groups.empty() || groups.back().first != row["group"].get<std::string>())
      groups.emplace_back(row["group"].get<std::string>(), Json::array());
    groups.back().second.push_back(row);
  }
  std::vector<std::pair<std::string, std::vector<std::vector<std::string>>>> cells;
  for (const auto &[name, some] : groups)
    cells.emplace_back(name, cellsOf(some));
  return cells;
}

constexpr const char *predictedNote = "Predicted figures are the timing model's, with the interval "
                                      "of its\ndoubtful constants; nothing was measured.\n";

bool hasPrediction(const Json &document) {
  for (const Json &kernel : document["kernels"])
    if (kernel.contains("predicted"))
      return true;
  return false;
}

/// A word that cannot end the cell, the line or the text around it.
std::string markdownWord(const std::string &text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>|#&").find(c) != std::string_view::npos)
      out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

/// "kernel.hip:57"
std::string sourceText(const Json &source) {
  const std::string file = source["file"];
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), source["line"].get<unsigned>());
}

bool looksAtPart(const Json &kernel) { return kernel["hot"]["name"] != kernel["name"]; }

bool isCompared(const Json &summary) {
  return !summary["rows"].empty() && summary["rows"][0].contains("before");
}

const Json *kernelOf(const Json &file, const std::string &name) {
  for (const Json &kernel : file["kernels"])
    if (kernel["name"] == name)
      return &kernel;
  return nullptr;
}

/// What the hot loops are: their labels in the row of the group's name, and below it their places
/// in the source, if there are any.
std::vector<std::vector<std::string>> hotLoopRows(const Json &document, const std::string &name) {
  const Json *kernels[] = {kernelOf(document["against"], name), kernelOf(document, name)};
  std::vector<std::string> labels{loop}, sources{"  source"};
  for (const Json *kernel : kernels) {
    const Json hot = kernel == nullptr ? Json() : (*kernel)["hot"];
    labels.push_back(hot.is_null() ? "" : hot["name"].get<std::string>());
    const Json source = hot.is_null() ? Json() : hot["source"];
    sources.push_back(source.is_null() ? "-" : sourceText(source));
  }
  std::vector<std::vector<std::string>> rows{std::move(labels)};
  if (sources[1] != "-" || sources[2] != "-")
    rows.push_back(std::move(sources));
  for (auto &row : rows)
    row.resize(5);
  return rows;
}

/// The rows that begin a group.
std::vector<std::vector<std::string>> headOf(const std::string &group, const Json &document,
                                             const std::string &kernel) {
  if (group == loop)
    return hotLoopRows(document, kernel);
  return {{group, "", "", "", ""}};
}

} // namespace

Json summaryOf(const Json &kernel, const Json *before) {
  // Without loops the kernel's own counts say it all.
  const bool hasPart = looksAtPart(kernel) || (before != nullptr && looksAtPart(*before));
  Json rows = Json::array();
  for (const Figure &figure : figures) {
    if (figure.group == loop && !hasPart)
      continue;
    const Json old = before != nullptr ? valueAt(*before, figure.at) : Json();
    const size_t count = rows.size();
    addRow(rows, {figure.group, figure.what, figure.unit, figure.better},
           valueAt(kernel, figure.at), before != nullptr ? &old : nullptr);
    if (figure.low == nullptr || rows.size() == count)
      continue;
    rows.back()["interval"] = {valueAt(kernel, figure.low), valueAt(kernel, figure.high)};
    if (before != nullptr)
      rows.back()["interval_before"] = {valueAt(*before, figure.low),
                                        valueAt(*before, figure.high)};
  }
  const auto addPerFmac = [&](const char *what, const char *key) {
    const Json old = before != nullptr ? perFmac(*before, key) : Json();
    addRow(rows, {hasPart ? loop : whole, what, "", Better::Less}, perFmac(kernel, key),
           before != nullptr ? &old : nullptr);
  };
  addPerFmac("instructions per FMAC", "instructions");
  addPerFmac("VALU instructions per FMAC", "valu");
  addPerFmac("bank conflicts per FMAC", "source_bank_conflicts");
  return rows;
}

std::string comparisonText(const Json &document) {
  const std::string before = document["against"]["file"], after = document["file"];
  std::string text = fmt::format("before: {}\nafter:  {}\n", before, after);
  for (const Json &kernel : document["summary"]) {
    const std::string name = kernel["kernel"];
    if (!isCompared(kernel)) {
      text += fmt::format("\nkernel {}: only in {}\n", name, after);
      continue;
    }
    std::vector<std::vector<std::string>> cells{{"", "before", "after", "change", ""}};
    for (auto &[group, rows] : groupsOf(kernel["rows"])) {
      for (auto &row : headOf(group, document, name))
        cells.push_back(std::move(row));
      for (auto &row : rows) {
        row[0] = "  " + row[0];
        cells.push_back(std::move(row));
      }
    }
    text +=
        fmt::format("\nkernel {}\n{}", name,
                    layOut(cells, {{}, {Align::Right}, {Align::Right}, {Align::Right}, {}}, "  "));
  }
  return text + (hasPrediction(document) ? fmt::format("\n{}", predictedNote) : "");
}

std::string comparisonMarkdown(const Json &document) {
  const std::string before = document["against"]["file"], after = document["file"];
  std::string text =
      fmt::format("Before: {}  \nAfter: {}\n", markdownWord(before), markdownWord(after));
  for (const Json &kernel : document["summary"]) {
    const std::string symbol = kernel["kernel"], name = markdownWord(symbol);
    if (!isCompared(kernel)) {
      text += fmt::format("\n### {}\n\nOnly in {}.\n", name, markdownWord(after));
      continue;
    }
    text += fmt::format("\n### {}\n\n| | before | after | change | |\n| --- | ---: | ---: | ---: | "
                        "--- |\n",
                        name);
    for (const auto &[group, rows] : groupsOf(kernel["rows"])) {
      for (const auto &row : headOf(group, document, symbol))
        text += fmt::format("| {} | {} | {} | | |\n",
                            row[0] == group ? fmt::format("**{}**", group) : row[0],
                            markdownWord(row[1]), markdownWord(row[2]));
      for (const auto &row : rows)
        text += fmt::format("| {} | {} | {} | {} | {} |\n", row[0], row[1], row[2], row[3], row[4]);
    }
  }
  return text + (hasPrediction(document) ? fmt::format("\n{}", predictedNote) : "");
}

} // namespace rdna::isaparse
