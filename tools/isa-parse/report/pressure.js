// VGPRs in use over the code.

function drawPressure(stage, side, most, readout, width) {
  stage.replaceChildren();
  const {code, loops, vgpr_steps: steps} = side.details;
  const count = code.vgprs.length, left = 44, right = 12, top = 10, bottom = 44, height = 260;
  const x = d3.scaleLinear([0, count], [left, width - right]);
  const y = d3.scaleLinear([0, most], [height - bottom, top]);
  const peak = d3.max(code.vgprs);
  const svg = svgOf(stage, width, height, `VGPRs in use over ${plural(count, "instruction")}, at most ${peak}`);
  for (const loop of loops)
    svg.append("rect").attr("x", x(loop.first)).attr("width", Math.max(1, x(loop.last + 1) - x(loop.first)))
      .attr("y", top).attr("height", height - bottom - top).attr("fill", styleColor("--warn-back")).attr("opacity", .6);
  const shown = steps.filter(step => step.vgprs <= most);
  const drawSteps = () => {
    let lastY = Infinity;
    for (const step of shown) {
      const at = y(step.vgprs);
      svg.append("line").attr("x1", left).attr("x2", width - right).attr("y1", at).attr("y2", at)
        .attr("stroke", styleColor("--soft")).attr("stroke-dasharray", "3 4");
      if (Math.abs(at - lastY) < 14) continue;
      lastY = at;
      svg.append("text").attr("class", "soft halo").attr("x", width - right - 4).attr("y", at - 3)
        .attr("text-anchor", "end").attr("style", "font-size:11px").text(`${step.waves} waves: ${step.vgprs} or fewer`);
    }
  };
  const area = d3.area().curve(d3.curveStepAfter).x((value, index) => x(index)).y0(y(0)).y1(value => y(value));
  const color = styleColor(`--${side.key}`);
  svg.append("path").attr("d", area([...code.vgprs, code.vgprs[count - 1]])).attr("fill", color).attr("opacity", .35)
    .attr("stroke", color);
  drawSteps();
  svg.append("line").attr("x1", left).attr("x2", width - right).attr("y1", y(side.kernel.vgprs)).attr("y2", y(side.kernel.vgprs))
    .attr("stroke", color).attr("stroke-width", 1.5);
  svg.append("g").attr("transform", `translate(0,${height - bottom})`).call(d3.axisBottom(x).ticks(Math.max(3, Math.floor(width / 110))));
  svg.append("g").attr("transform", `translate(${left},0)`).call(d3.axisLeft(y).ticks(6));
  svg.append("text").attr("class", "soft").attr("x", width - right).attr("y", height - 4).attr("text-anchor", "end")
    .text("instruction of the kernel");
  svg.append("text").attr("class", "soft").attr("x", 4).attr("y", height - 4).text("VGPRs");
  const cursor = svg.append("line").attr("y1", top).attr("y2", height - bottom).attr("stroke", styleColor("--ink"))
    .attr("visibility", "hidden");
  stage.point = at => {
    stage.at = Math.max(0, Math.min(count - 1, at));
    cursor.attr("visibility", "visible").attr("x1", x(stage.at + .5)).attr("x2", x(stage.at + .5));
    readout.textContent = `line ${code.line[stage.at]}: ${code.vgprs[stage.at]} VGPRs in use, ${code.text[stage.at]}`;
  };
  svg.on("mousemove", () => stage.point(Math.floor(x.invert(d3.mouse(svg.node())[0]))))
    .on("click", () => side.choose(stage.at));
}

function pressureTable(side) {
  const {code, loops} = side.details;
  const most = (first, last) => d3.max(code.vgprs.slice(first, last + 1));
  const row = (name, first, last) => [name, `${code.line[first]} to ${code.line[last]}`, numberCell(last - first + 1),
    numberCell(most(first, last))];
  return tableOf(`VGPRs in use, ${side.title}`, ["part", "lines", "#instructions", "#most VGPRs in use"],
    [row("whole kernel", 0, code.line.length - 1),
      ...loops.map(loop => row(`loop ${loop.header || "(no label)"}, depth ${loop.depth}`, loop.first, loop.last))]);
}

function pressureSection(view) {
  const {sides} = view;
  const section = sectionOf("pressure", "Register pressure", "VGPRs that hold a value which is still read. Solid line: declared; " +
    "dashed: with so many or fewer another wave fits; shaded: loops. Arrow keys move along the code, Enter shows the instruction.");
  const most = Math.min(260, 12 + d3.max(sides, side => Math.max(side.kernel.vgprs, d3.max(side.details.code.vgprs))));
  section.append(element("div", {class: "sides"}, ...sides.map(side => {
    const stage = element("div", {class: "stage", tabindex: 0, role: "group", "aria-label": `Register pressure, ${side.title}`});
    const readout = element("p", {class: "readout code", "aria-live": "polite"});
    drawn(stage, width => drawPressure(stage, side, most, readout, width - 2));
    stage.addEventListener("keydown", event => {
      const by = {ArrowLeft: -1, ArrowRight: 1, PageUp: -50, PageDown: 50}[event.key];
      if (by) stage.point((stage.at === undefined ? 0 : stage.at) + by);
      else if (event.key === "Enter" && stage.at !== undefined) side.choose(stage.at);
      else return;
      event.preventDefault();
    });
    return element("div", {}, sides.length > 1 ? sideHeading(side) : null, stage, readout,
      behind("The numbers", pressureTable(side)));
  })));
  return section;
}
