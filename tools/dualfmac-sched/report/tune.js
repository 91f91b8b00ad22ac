// The report of one study: what was tried, the best, how far the estimate leads, what time costs in
// registers and LDS, and what limits whom.

const report = JSON.parse(document.getElementById("data").textContent);

function sectionOf(id, title, intro, ...children) {
  return element("section", {id, "aria-labelledby": `${id}-title`},
    element("h2", {id: `${id}-title`}, title), intro ? element("p", {}, intro) : null, ...children);
}

function tableOf(caption, heads, rows) {
  return element("div", {class: "scroll"}, element("table", {}, element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...heads.map(head => element("th", {scope: "col"}, head)))),
    element("tbody", {}, ...rows.map(row => element("tr", {}, ...row.map((cell, n) =>
      n === 0 ? element("th", {scope: "row"}, cell) : element("td", {}, cell)))))));
}

const pointCells = row => [row.point, withUnit(row.model_ms, "ms"),
  rangeText([row.model_low_ms, row.model_high_ms], "ms"), numberText(row.tflops),
  withUnit(row.estimate_ms, "ms"), numberText(row.vgprs), numberText(row.lds_bytes),
  numberText(row.waves_per_simd), row.limited_by];
const pointHeads = ["point", "model", "interval", "TFLOP/s", "estimate", "VGPRs", "LDS bytes",
  "waves a SIMD", "limited by"];

function bestSection(study) {
  const best = study.best === null ? null : study.rows[study.best];
  const modelled = study.rows.filter(row => row.model_ms !== null);
  return sectionOf("best", `${study.size} on ${study.device}`,
    `${plural(study.points, "point")}, ${numberText(study.modelled)} by the timing model. ` +
    (best ? `Best: ${best.point}, ${withUnit(best.model_ms, "ms")} predicted, and right on the ` +
      "emulator. " : "No point has been checked on the emulator. ") + `Layout ${study.base}.`,
    best ? element("p", {class: "code"}, `dualfmac-sched generate kernel ${best.options}`) : null,
    tableOf("The first twenty by the model", pointHeads, modelled.slice(0, 20).map(pointCells)));
}

function axes(svg, x, y, width, height, margin, xName, yName) {
  svg.append("g").attr("transform", `translate(0,${height - margin.bottom})`).call(d3.axisBottom(x).ticks(6, "~s"));
  svg.append("g").attr("transform", `translate(${margin.left},0)`).call(d3.axisLeft(y).ticks(6));
  svg.append("text").attr("x", width - margin.right).attr("y", height - 4).attr("text-anchor", "end")
    .attr("fill", "currentColor").attr("font-size", 12).text(xName);
  svg.append("text").attr("x", 4).attr("y", 12).attr("fill", "currentColor").attr("font-size", 12).text(yName);
}

function curveSection(study) {
  const host = element("div", {class: "chart"});
  drawn(host, width => {
    host.replaceChildren();
    const height = 260, margin = {left: 48, right: 16, top: 20, bottom: 36};
    const svg = svgOf(host, width, height, "Best in the first k by the estimate, as a share of the best");
    const x = d3.scaleLog([1, Math.max(2, d3.max(study.curve, c => c.k))], [margin.left, width - margin.right]);
    const y = d3.scaleLinear([0, 100], [height - margin.bottom, margin.top]);
    axes(svg, x, y, width, height, margin, "k", "% of the best");
    svg.append("path").attr("fill", "none").attr("stroke", styleColor("--accent")).attr("stroke-width", 2)
      .attr("d", d3.line().x(c => x(c.k)).y(c => y(c.share * 100)).curve(d3.curveStepAfter)(study.curve));
  });
  const whole = study.modelled === study.estimated_fit;
  return sectionOf("curve", "How far the estimate leads",
    "The best by the model among the first k by the analytical estimate, as a share of the best of " +
    (whole ? "all points." : `the ${study.modelled} points that the model has seen; others may be faster.`),
    host, tableOf("Best in the first k", ["k", "best", "share"], study.curve.map(c =>
      [numberText(c.k), withUnit(c.best_ms, "ms"), `${(c.share * 100).toFixed(1)} %`])));
}

function scatter(study, field, name) {
  const host = element("div", {class: "chart"});
  const rows = study.rows.filter(row => row.model_ms !== null);
  const front = new Set(study.pareto);
  drawn(host, width => {
    host.replaceChildren();
    const height = 320, margin = {left: 56, right: 16, top: 20, bottom: 36};
    const svg = svgOf(host, width, height, `Time against ${name}`);
    const x = d3.scaleLinear([0, d3.max(rows, row => row[field]) || 1], [margin.left, width - margin.right]);
    const y = d3.scaleLog(d3.extent(rows, row => row.model_ms), [height - margin.bottom, margin.top]).nice();
    axes(svg, x, y, width, height, margin, name, "ms");
    svg.selectAll("circle").data(rows).enter().append("circle")
      .attr("cx", row => x(row[field])).attr("cy", row => y(row.model_ms))
      .attr("r", row => front.has(row.number) ? 5 : 3)
      .attr("fill", row => colorOf(stallColors, report.stalls.indexOf(row.limited_by)))
      .attr("stroke", row => front.has(row.number) ? styleColor("--ink") : "none")
      .on("mousemove", row => tip.show(d3.event, `${row.point}\n${numberText(row.model_ms)} ms, ` +
        `${row.vgprs} VGPRs, ${row.lds_bytes} bytes of LDS, limited by ${row.limited_by}`))
      .on("mouseleave", () => tip.hide());
  });
  return host;
}

function paretoSection(study) {
  const names = study.limiters.map(l => [l.limiter, report.stalls.indexOf(l.limiter)]);
  return sectionOf("pareto", "Time against VGPRs and LDS",
    "With an outline: no other point is as fast with as few VGPRs and as little LDS. Colours: what " +
    "limits the point most.", legend(names, stallColors), element("div", {class: "sides"},
      scatter(study, "vgprs", "VGPRs"), scatter(study, "lds_bytes", "LDS bytes")),
    tableOf("The points with an outline", pointHeads, study.pareto.map(n => pointCells(study.rows[n]))),
    tableOf("What limits whom", ["limited by", "points", "best"],
      study.limiters.map(l => [l.limiter, numberText(l.points), withUnit(l.best_ms, "ms")])));
}

function show(study) {
  drawings.length = 0;
  const sections = [bestSection(study)];
  if (study.modelled > 0) sections.push(curveSection(study), paretoSection(study));
  document.getElementById("main").replaceChildren(...sections);
  redraw(true);
}

function start() {
  const choice = document.getElementById("study");
  choice.append(...report.studies.map((study, n) =>
    element("option", {value: n}, `${study.size}, ${study.device}, ${study.base}`)));
  document.getElementById("files").textContent = report.file;
  const chosen = () => report.studies[Number(choice.value)];
  choice.addEventListener("change", () => show(chosen()));
  document.getElementById("theme").addEventListener("change", event => {
    document.documentElement.dataset.theme = event.target.value;
    redraw(true);
  });
  addEventListener("resize", () => redraw(false));
  if (report.studies.length > 0) show(chosen());
}
start();
