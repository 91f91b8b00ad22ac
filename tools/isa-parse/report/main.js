// Reads the report and builds the sections of the chosen kernel.

const report = JSON.parse(document.getElementById("data").textContent);

function sectionOf(id, title, intro) {
  return element("section", {id, "aria-labelledby": `${id}-title`}, element("h2", {id: `${id}-title`}, title),
    intro ? element("p", {}, intro) : null);
}

function viewOf(name) {
  const of = file => file.kernels.find(kernel => kernel.name === name);
  const sides = [];
  const old = report.against && of(report.against);
  if (old) sides.push({key: "before", title: "before", file: report.against.file, kernel: old, details: old.details});
  const kernel = of(report);
  sides.push({key: "after", title: old ? "after" : "kernel", file: report.file, kernel, details: kernel.details});
  const summary = report.summary.find(entry => entry.kernel === name) ||
    {kernel: name, rows: []};
  const details = (sides.find(side => side.details.stalls) || sides[0]).details;
  return {name, sides, summary, details};
}

function show(name) {
  const view = viewOf(name);
  const main = document.getElementById("main");
  drawings.length = 0;
  document.title = `${name} – isa-parse report`;
  document.getElementById("heading").textContent = name;
  document.getElementById("files").textContent = view.sides.map(side =>
    view.sides.length > 1 ? `${side.title}: ${side.file}` : side.file).join(" · ");
  const sections = [summarySection(view)];
  const hasCode = view.sides.every(side => side.details.code.line.length > 0);
  if (hasCode) sections.push(mixSection(view));
  if (view.sides.some(side => side.kernel.predicted)) sections.push(stallSection(view));
  if (hasCode) sections.push(bankSection(view), pressureSection(view));
  if (view.sides.some(side => side.details.timeline)) sections.push(timelineSection(view));
  if (hasCode && view.sides.some(side => side.details.sources)) sections.push(sourceSection(view));
  main.replaceChildren(...sections);
  document.getElementById("contents").replaceChildren(...sections.map(section => element("li", {},
    element("a", {href: `#${section.id}`}, section.querySelector("h2").textContent))));
  redraw(true);
}

function start() {
  const names = report.kernels.map(kernel => kernel.name);
  const choice = document.getElementById("kernel");
  choice.append(...names.map(name => element("option", {value: name}, name)));
  document.getElementById("kernel-choice").hidden = names.length < 2;
  choice.addEventListener("change", () => show(choice.value));
  const predicted = report.kernels.find(kernel => kernel.predicted);
  choice.value = predicted ? predicted.name : names[0];
  const theme = document.getElementById("theme");
  theme.addEventListener("change", () => {
    document.documentElement.dataset.theme = theme.value;
    redraw(true);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => redraw(true));
  new ResizeObserver(() => requestAnimationFrame(() => redraw(false))).observe(document.getElementById("main"));
  show(choice.value);
}

start();
