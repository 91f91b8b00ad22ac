// Of what the predicted time is made.

function drawStalls(host, view, sides, width) {
  host.replaceChildren();
  const names = view.details.stalls;
  const left = sides.length > 1 ? 60 : 10, right = 20, height = 40 * sides.length + 40;
  const most = d3.max(sides, side => side.kernel.predicted.predicted_ms);
  const x = d3.scaleLinear([0, most], [left, width - right]);
  const svg = svgOf(host, width, height, "Predicted time by what limits it; the table below has the numbers");
  sides.forEach((side, index) => {
    const {predicted_limiters_ms: parts, predicted_ms: whole} = side.kernel.predicted;
    const y = 6 + 40 * index;
    if (sides.length > 1) svg.append("text").attr("x", 4).attr("y", y + 19).text(side.title);
    let from = 0;
    names.forEach((name, number) => {
      const to = from + parts[name];
      if (to <= from) return;
      const wide = x(to) - x(from);
      const group = svg.append("g");
      group.append("rect").attr("x", x(from)).attr("y", y).attr("height", 28)
        .attr("width", Math.max(.5, wide - (wide > 3 ? 1 : 0))).attr("fill", colorOf(stallColors, number));
      const share = percent(parts[name], whole);
      group.on("mousemove", () => tip.show(d3.event, `${name}: ${withUnit(parts[name], "ms")}, ${share}`))
        .on("mouseleave", tip.hide);
      from = to;
    });
  });
  svg.append("g").attr("transform", `translate(0,${height - 36})`)
    .call(d3.axisBottom(x).ticks(Math.max(3, Math.floor(width / 110))));
  svg.append("text").attr("class", "soft").attr("x", width - right).attr("y", height - 3)
    .attr("text-anchor", "end").text("predicted time in ms");
}

function stallTable(view, sides) {
  const isPair = sides.length > 1;
  const head = ["limited by", ...sides.flatMap(side => isPair
    ? [`#${side.title}`, `#share ${side.title}`] : ["#time", "#share"])];
  const of = (side, name) => side.kernel.predicted.predicted_limiters_ms[name];
  const rows = view.details.stalls.filter(name => sides.some(side => of(side, name) > 0)).map(name => [name,
    ...sides.flatMap(side => {
      const predicted = side.kernel.predicted;
      return [{...numberCell(of(side, name), "ms"),
        range: rangeText([predicted.predicted_limiters_low_ms[name], predicted.predicted_limiters_high_ms[name]], "ms")},
      {text: percent(of(side, name), predicted.predicted_ms), kind: "number"}];
    })]);
  return tableOf("Predicted time by what limits it, with the interval of each part", head, rows);
}

function stallSection(view) {
  const sides = view.sides.filter(side => side.kernel.predicted);
  const section = sectionOf("stalls", "What limits it", "Predicted: the vector ALU's own time, then what waves " +
    "waited for where no vector instruction was executed. The parts add up to the predicted time.");
  const parts = view.details.stalls.map((name, number) => [name, number])
    .filter(([name]) => sides.some(side => side.kernel.predicted.predicted_limiters_ms[name] > 0.0005 * side.kernel.predicted.predicted_ms));
  const host = element("div", {class: "chart"}), key = element("div");
  section.append(drawn(host, width => {
    drawStalls(host, view, sides, width);
    key.replaceChildren(legend(parts, stallColors));
  }), key, behind("The numbers", stallTable(view, sides)));
  return section;
}
