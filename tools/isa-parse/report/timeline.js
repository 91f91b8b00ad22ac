// What the waves of one SIMD issue and wait for, clock by clock. Dark: an issue; pale: a wait.

const fields = 4; // clock, waited, stall, instruction

function drawTimeline(stage, side, readout, width) {
  stage.querySelectorAll("svg, canvas").forEach(old => old.remove());
  const {timeline, code} = side.details;
  const waves = timeline.waves, row = 20, left = 66, right = 26, top = 24;
  const height = top + waves.length * row + 6;
  const [canvas, context] = canvasOf(width, height, `Timeline of ${waves.length} waves over ${timeline.clocks} clocks; ` +
    "the table below has the sums");
  const base = d3.scaleLinear([timeline.first_clock, timeline.first_clock + timeline.clocks], [left, width - right]);
  const svg = svgOf(stage, width, top, "Clocks of the simulation").style("position", "absolute").style("pointer-events", "none");
  const axis = svg.append("g").attr("transform", `translate(0,${top - 2})`);
  stage.append(canvas);
  let x = base;
  function paint() {
    context.clearRect(0, 0, width, height);
    context.save();
    context.beginPath();
    context.rect(left, top, width - left - right, height - top);
    context.clip();
    const [from, to] = x.domain();
    const clock = x(from + 1) - x(from);
    waves.forEach((wave, number) => {
      const y = top + number * row + 2;
      for (let n = 0; n < wave.events.length; n += fields) {
        const at = wave.events[n] + timeline.first_clock, waited = wave.events[n + 1];
        if (at + 1 < from || at - waited > to) continue;
        if (waited > 0) {
          context.globalAlpha = .55;
          context.fillStyle = colorOf(stallColors, wave.events[n + 2]);
          context.fillRect(x(at - waited), y + 3, x(at) - x(at - waited), row - 10);
        }
        context.globalAlpha = 1;
        context.fillStyle = colorOf(kindColors, wave.events[n + 3] < 0 ? 14 : code.kind[wave.events[n + 3]]);
        context.fillRect(x(at), y, Math.max(clock - (clock > 6 ? 1 : 0), .6), row - 4);
      }
    });
    context.restore();
    context.fillStyle = styleColor("--ink");
    context.font = "12px system-ui, 'DejaVu Sans', sans-serif";
    context.fillText("clock", 4, 15);
    waves.forEach((wave, number) => context.fillText(`wave ${wave.wave}`, 4, top + number * row + 15));
    axis.call(d3.axisTop(x).ticks(Math.max(2, Math.floor(width / 120)), "d"));
    stage.dataset.clocks = Math.round(to - from);
    stage.dataset.from = Math.round(from);
  }
  const zoom = d3.zoom().scaleExtent([1, Math.max(1, timeline.clocks / 24)])
    .extent([[left, 0], [width - right, height]]).translateExtent([[left, 0], [width - right, height]])
    .filter(() => !d3.event.button && (d3.event.type !== "wheel" || d3.event.ctrlKey || d3.event.metaKey))
    .on("zoom", () => { x = d3.event.transform.rescaleX(base); paint(); });
  const selected = d3.select(canvas).call(zoom).on("dblclick.zoom", null);
  stage.zoomBy = factor => selected.call(zoom.scaleBy, factor);
  stage.panBy = share => {
    const [from, to] = x.domain();
    selected.call(zoom.translateBy, -share * (to - from) * (base(1) - base(0)), 0);
  };
  stage.reset = () => selected.call(zoom.transform, d3.zoomIdentity);
  const find = event => eventAt(waves[Math.floor((event.clientY - canvas.getBoundingClientRect().top - top) / row)],
    x.invert(event.clientX - canvas.getBoundingClientRect().left) - timeline.first_clock);
  canvas.addEventListener("mousemove", event => {
    const found = find(event);
    if (found) tip.show(event, eventText(side, found));
    else tip.hide();
  });
  canvas.addEventListener("mouseleave", tip.hide);
  canvas.addEventListener("click", event => {
    const found = !event.defaultPrevented && find(event);
    if (found && found.wave.events[found.n + 3] >= 0)
      readout.replaceChildren(instructionLink(side, found.wave.events[found.n + 3]));
  });
  paint();
}

// What a wave did at a clock: the number of the event that ends there or next.
function eventAt(wave, clock) {
  for (let n = 0; wave && n < wave.events.length; n += fields)
    if (wave.events[n] + 1 > clock) return {wave, n};
  return null;
}

function eventText(side, {wave, n}) {
  const {timeline, stalls, code} = side.details;
  const [clock, waited, stall, at] = wave.events.slice(n, n + fields);
  return `wave ${wave.wave}, workgroup ${wave.workgroup}, clock ${clock + timeline.first_clock}\n` +
    (at < 0 ? "" : `line ${code.line[at]}: ${code.text[at]}\n`) +
    (waited > 0 ? `waited ${waited} clocks: ${stalls[stall]}` : "did not wait");
}

function instructionLink(side, at) {
  const {code} = side.details;
  const link = element("a", {href: "#banks"}, `line ${code.line[at]}`);
  link.addEventListener("click", event => { event.preventDefault(); side.choose(at); });
  return element("span", {}, link, `: ${code.text[at]}`);
}

function timelineTable(side) {
  const {timeline, stalls} = side.details;
  const used = new Set();
  const sums = timeline.waves.map(wave => {
    const sum = {wave, issues: 0, waits: stalls.map(() => 0)};
    for (let n = 0; n < wave.events.length; n += fields) {
      ++sum.issues;
      sum.waits[wave.events[n + 2]] += wave.events[n + 1];
      if (wave.events[n + 1] > 0) used.add(wave.events[n + 2]);
    }
    return sum;
  });
  const columns = [...used].sort((a, b) => a - b);
  return tableOf(`Issues, and clocks waited before them by reason, of SIMD ${timeline.simd}, ${side.title}`,
    ["wave", "#workgroup", "#issues", ...columns.map(number => `#${stalls[number]}`)],
    sums.map(sum => [String(sum.wave.wave), numberCell(sum.wave.workgroup), numberCell(sum.issues),
      ...columns.map(number => numberCell(sum.waits[number]))]));
}

function timelineBlock(side, isPair) {
  const {timeline, stalls, kinds, code} = side.details;
  const stage = element("div", {class: "stage timeline", tabindex: 0, role: "group",
    "aria-label": `Timeline, ${side.title}. Plus and minus zoom, arrow keys pan, 0 shows all.`});
  const readout = element("p", {class: "readout code", "aria-live": "polite"}), key = element("div");
  const acts = {"+": () => stage.zoomBy(2), "=": () => stage.zoomBy(2), "-": () => stage.zoomBy(.5), "0": () => stage.reset(),
    ArrowLeft: () => stage.panBy(-.25), ArrowRight: () => stage.panBy(.25)};
  stage.addEventListener("keydown", event => {
    if (!acts[event.key] || event.ctrlKey || event.metaKey) return;
    acts[event.key]();
    say();
    event.preventDefault();
  });
  const say = () => { shown.textContent = `clocks ${stage.dataset.from} to ${Number(stage.dataset.from) + Number(stage.dataset.clocks)}`; };
  const shown = element("output", {"aria-live": "polite"});
  const button = (text, label, act) => {
    const made = element("button", {type: "button", "aria-label": `${label}, ${side.title}`, "data-act": label}, text);
    made.addEventListener("click", () => { acts[act](); say(); });
    return made;
  };
  const events = timeline.waves.flatMap(wave => d3.range(0, wave.events.length, fields).map(n => wave.events.slice(n, n + fields)));
  const seenKinds = new Set(events.map(event => event[3] < 0 ? 14 : code.kind[event[3]]));
  const seenStalls = new Set(events.filter(event => event[1] > 0).map(event => event[2]));
  drawn(stage, width => {
    drawTimeline(stage, side, readout, width - 2);
    say();
    key.replaceChildren(element("span", {class: "note"}, "Tall: issues"),
      legend(kinds.map((name, number) => [name, number]).filter(([, number]) => seenKinds.has(number)), kindColors),
      element("span", {class: "note"}, "Low and pale: waits for"),
      legend(stalls.map((name, number) => [name, number]).filter(([, number]) => seenStalls.has(number)), stallColors));
  });
  return element("div", {}, isPair ? sideHeading(side) : null,
    element("div", {class: "controls"}, button("+", "Zoom in", "+"), button("−", "Zoom out", "-"),
      button("←", "Earlier", "ArrowLeft"), button("→", "Later", "ArrowRight"), button("all", "Show all", "0"), shown),
    stage, readout, key,
    element("p", {class: "note"}, `${numberText(timeline.clocks)} clocks of the ${numberText(timeline.simulated_clocks)} that were ` +
      "simulated of one compute unit, from their middle. One simulation with the constants' likely values: no interval."),
    behind("The numbers", timelineTable(side)));
}

function timelineSection(view) {
  const sides = view.sides.filter(side => side.details.timeline);
  const section = sectionOf("timeline", "Timeline of one SIMD", "Predicted. Drag to pan; Ctrl and the wheel, the buttons or + and − " +
    "zoom; click an instruction to find it in the code.");
  section.append(...sides.map(side => timelineBlock(side, view.sides.length > 1)));
  return section;
}
