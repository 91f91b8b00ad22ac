// What kinds of instructions there are.

const mixOf = (side, scope) => scope === "hot" ? side.kernel.hot.mix : side.kernel.mix;
const shareOf = (side, scope, name) => mixOf(side, scope)[name] / (d3.sum(Object.values(mixOf(side, scope))) || 1) * 100;

// Shares, because a loop that is written out holds several iterations.
function drawMix(host, view, scope, width) {
  host.replaceChildren();
  const {sides} = view;
  const kinds = view.details.kinds.map((name, number) => ({name, number}))
    .filter(kind => sides.some(side => mixOf(side, scope)[kind.name] > 0));
  const bar = sides.length > 1 ? 12 : 16, step = bar * sides.length + 8;
  const left = 112, right = 100, height = kinds.length * step + 40;
  const most = d3.max(kinds, kind => d3.max(sides, side => shareOf(side, scope, kind.name))) || 1;
  const x = d3.scaleLinear([0, most], [left, width - right]);
  const svg = svgOf(host, width, height, "Instructions by kind; the table below has the numbers");
  kinds.forEach((kind, index) => {
    const top = 4 + index * step;
    svg.append("text").attr("x", left - 8).attr("y", top + (step - 8) / 2 + 4).attr("text-anchor", "end")
      .text(kind.name);
    sides.forEach((side, n) => {
      const count = mixOf(side, scope)[kind.name], share = shareOf(side, scope, kind.name);
      const isOld = sides.length > 1 && n === 0;
      svg.append("rect").attr("x", left).attr("y", top + n * bar).attr("height", bar - 1)
        .attr("width", Math.max(count > 0 ? 1 : 0, x(share) - left))
        .attr("fill", colorOf(kindColors, kind.number)).attr("opacity", isOld ? .45 : 1);
      svg.append("text").attr("class", "soft").attr("x", x(share) + 5).attr("y", top + n * bar + bar / 2 + 4)
        .attr("style", "font-size:11px").text(`${numberText(count)} (${share.toFixed(1)} %)`);
    });
  });
  svg.append("g").attr("transform", `translate(0,${height - 36})`)
    .call(d3.axisBottom(x).ticks(Math.max(3, Math.floor(width / 130))));
  svg.append("text").attr("class", "soft").attr("x", width - 4).attr("y", height - 3).attr("text-anchor", "end")
    .text(`% of the instructions${sides.length > 1 ? "; upper, pale bar: before" : ""}`);
}

function mixSection(view) {
  const {sides} = view;
  const section = sectionOf("mix", "Instruction mix", "Instructions of the text, each counted once. A loop that is written out holds several iterations.");
  const scope = element("select", {}, element("option", {value: "hot"}, "the hot loop"),
    element("option", {value: "all"}, "the whole kernel"));
  if (!sides.some(side => side.kernel.hot.is_loop)) scope.value = "all";
  const host = element("div", {class: "chart"}), tables = element("div");
  const fill = () => {
    const head = ["kind", ...sides.flatMap(side => sides.length > 1
      ? [`#${side.title}`, `#share ${side.title}`] : ["#instructions", "#share"])];
    const rows = view.details.kinds.filter(name => sides.some(side => mixOf(side, scope.value)[name] > 0))
      .map(name => [name, ...sides.flatMap(side => [numberCell(mixOf(side, scope.value)[name]),
        {text: `${shareOf(side, scope.value, name).toFixed(1)} %`, kind: "number"}])]);
    tables.replaceChildren(tableOf("Instructions by kind", head, rows));
  };
  scope.addEventListener("change", () => {
    fill();
    drawMix(host, view, scope.value, Math.floor(host.clientWidth));
  });
  fill();
  section.append(element("div", {class: "controls"}, element("label", {}, "Of ", scope)),
    drawn(host, width => drawMix(host, view, scope.value, width)), behind("The numbers", tables));
  return section;
}
