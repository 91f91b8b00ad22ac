// The figures of the kernel, before and after, and the predicted time with its interval.

function verdictNode(row) {
  const text = changeText(row.before, row.value);
  if (!row.verdict) return element("span", {}, text);
  return element("span", {class: row.verdict === "better" ? "good" : "bad"},
    `${row.verdict === "better" ? "✓" : "✗"} ${text || "changed"} (${row.verdict})`);
}

function valueCell(row, key, rangeKey) {
  const cell = numberCell(row[key]);
  if (row[rangeKey] && row[rangeKey][0] !== null) cell.range = rangeText(row[rangeKey]);
  return cell;
}

function summaryTable(summary, hasBefore) {
  const head = hasBefore ? ["figure", "#before", "#after", "change"] : ["figure", "#value"];
  const rows = [];
  for (const row of summary.rows) {
    if (rows.group !== row.group)
      rows.push([{text: rows.group = row.group, span: head.length, kind: "group"}]);
    const value = valueCell(row, "value", "interval"), what = row.what + (row.unit ? `, ${row.unit}` : "");
    rows.push(hasBefore
      ? [what, valueCell(row, "before", "interval_before"), value, {node: verdictNode(row)}]
      : [what, value]);
  }
  return tableOf(`Figures of the kernel${summary.rows.some(row => row.interval) ? "; below a predicted one its interval" : ""}`, head, rows);
}

const cardFigures = ["predicted time", "predicted rate", "single FMACs", "bank conflicts",
  "VALU instructions", "VGPRs declared", "waves per SIMD"];

const cardOf = (summary, what) => summary.rows.find(row => row.what === what && row.group !== "hot loop");

function summaryCards(summary, hasBefore) {
  const cards = cardFigures.map(what => cardOf(summary, what)).filter(row => row);
  return element("div", {class: "cards"}, ...cards.map(row => element("div", {class: "card"},
    element("div", {class: "what"}, row.what),
    element("div", {class: "value"}, numberText(row.value), row.unit ? element("small", {}, `\u00a0${row.unit}`) : ""),
    row.interval && row.interval[0] !== null
      ? element("div", {class: "more"}, rangeText(row.interval, row.unit)) : null,
    hasBefore ? element("div", {class: "more"}, `before ${withUnit(row.before, row.unit)} `, verdictNode(row))
      : null)));
}

// A dot for each prediction and a line for its interval, on one axis from 0.
function drawTimes(host, sides, width) {
  host.replaceChildren();
  const left = 70, right = 20, height = 34 * sides.length + 44;
  const most = d3.max(sides, side => side.kernel.predicted.predicted_high_ms);
  const x = d3.scaleLinear([0, most * 1.05], [left, width - right]);
  const label = sides.map(side => `${side.title}: ${withUnit(side.kernel.predicted.predicted_ms, "ms")}`).join("; ");
  const svg = svgOf(host, width, height, `Predicted time with interval. ${label}`);
  sides.forEach((side, index) => {
    const {predicted_ms: at, predicted_low_ms: low, predicted_high_ms: high} = side.kernel.predicted;
    const y = 20 + 34 * index, color = styleColor(`--${side.key}`);
    svg.append("text").attr("x", 4).attr("y", y + 4).text(side.title);
    svg.append("line").attr("x1", x(low)).attr("x2", x(high)).attr("y1", y).attr("y2", y)
      .attr("stroke", color).attr("stroke-width", 2);
    for (const end of [low, high])
      svg.append("line").attr("x1", x(end)).attr("x2", x(end)).attr("y1", y - 6).attr("y2", y + 6)
        .attr("stroke", color).attr("stroke-width", 2);
    svg.append("circle").attr("cx", x(at)).attr("cy", y).attr("r", 6).attr("fill", color);
  });
  svg.append("g").attr("transform", `translate(0,${height - 42})`)
    .call(d3.axisBottom(x).ticks(Math.max(3, Math.floor(width / 110))));
  svg.append("text").attr("class", "soft").attr("x", width - right).attr("y", height - 4)
    .attr("text-anchor", "end").text("predicted time in ms, dot; line: interval");
}

function sensitivityTable(side) {
  const {sensitivity, predicted_ms: time} = side.kernel.predicted;
  const at = share => numberCell((share - 1) * 100, "%");
  return tableOf(`Doubtful constants of the model and what they do to ${withUnit(time, "ms")}, ${side.title}`,
    ["constant", "#value", "range", "#time at its low end", "#time at its high end", "certainty", "source"],
    sensitivity.map(row => [row.constant, numberCell(row.value, row.unit),
      `${row.low} to ${row.high} ${row.unit}`, at(row.time_at_low), at(row.time_at_high), row.certainty,
      row.source]));
}

function hotName({hot, name}) {
  const source = hot.source ? ` (${baseName(hot.source.file)}:${hot.source.line})` : "";
  if (hot.is_loop) return `loop ${hot.name || "(no label)"}${source}`;
  return hot.name === name ? "the whole kernel, because it has no loop" : `region ${hot.name}`;
}

function summarySection(view) {
  const {summary, sides} = view;
  const hasBefore = sides.length > 1;
  const predicted = sides.filter(side => side.kernel.predicted);
  const section = sectionOf("summary", "Summary", null);
  section.append(summaryCards(summary, hasBefore));
  if (predicted.length > 0) {
    const launch = predicted[0].kernel.predicted;
    const parameters = Object.entries(launch.parameters || {}).map(([name, value]) => `${name} = ${value}`);
    section.append(element("p", {}, `Predicted for ${launch.device}` +
      (parameters.length > 0 ? `, ${parameters.join(", ")}` : "") +
      ` at ${numberText(launch.clock_mhz)} MHz. Not measured.` +
      (cardOf(summary, "predicted share of peak") ? " The share of peak is of the peak at the boost clock." : "")));
    const host = element("div", {class: "chart"});
    section.append(drawn(host, width => drawTimes(host, predicted, width)));
    section.append(...predicted.map(side =>
      behind(`What the interval comes from${hasBefore ? ` (${side.title})` : ""}`, sensitivityTable(side))));
  } else {
    section.append(element("p", {class: "note"}, "No time is predicted: the page was made without a launch " +
      "of this kernel (--launch FILE)."));
  }
  section.append(summaryTable(summary, hasBefore));
  for (const side of sides)
    section.append(element("p", {class: "note"}, `${hasBefore ? `${side.title}: ` : ""}` +
      `${side.kernel.waves_per_simd} waves per SIMD, limited by ${side.kernel.occupancy_limit}` +
      (side.kernel.occupancy_lift ? `; ${side.kernel.occupancy_lift}` : "") +
      `. Looked at as the hot loop: ${hotName(side.kernel)}, lines ${side.kernel.hot.first_line} to ${side.kernel.hot.last_line}.`));
  return section;
}
