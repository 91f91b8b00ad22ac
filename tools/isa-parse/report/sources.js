// Source lines by .loc: what each became, and where that is.

function sourceLines(side) {
  const {code, sources, banks} = side.details;
  const clashes = new Map(banks.map(row => [row.at, (row.conflicts || []).length]));
  const lines = new Map();
  code.source_line.forEach((line, at) => {
    if (line === 0) return;
    const key = `${code.source_file[at]}:${line}`;
    if (!lines.has(key))
      lines.set(key, {key, file: sources[code.source_file[at]], line, first: at, instructions: 0, conflicts: 0, clocks: 0});
    const entry = lines.get(key);
    ++entry.instructions;
    entry.conflicts += clashes.get(at) || 0;
    if (code.issues) entry.clocks += code.issues[at] + code.stalled_clocks[at];
  });
  const weight = entry => code.issues ? entry.clocks : entry.instructions;
  return [...lines.values()].sort((a, b) => weight(b) - weight(a));
}

function sourceBlock(side, isPair) {
  const {code} = side.details;
  const lines = sourceLines(side), all = d3.sum(lines, line => line.clocks);
  const table = pagedTable({
    caption: `Source lines, ${code.issues ? "most clocks" : "most instructions"} first${isPair ? `, ${side.title}` : ""}`,
    head: ["source line", "instructions", "conflicts in the hot loop", ...code.issues ? ["share of wave clocks, predicted"] : []],
    filters: ["all lines"], size: 25, rows: () => d3.range(lines.length),
    rowOf: number => {
      const line = lines[number];
      const link = element("a", {href: "#banks", title: line.file}, `${baseName(line.file)}:${line.line}`);
      link.addEventListener("click", event => { event.preventDefault(); side.choose(line.first); });
      return element("tr", {}, element("th", {scope: "row"}, link), element("td", {class: "number"}, numberText(line.instructions)),
        element("td", {class: "number"}, numberText(line.conflicts)),
        ...code.issues ? [element("td", {class: "number"}, percent(line.clocks, all))] : []);
    },
  });
  side.details.showSource = at =>
    table.go(lines.findIndex(line => line.key === `${code.source_file[at]}:${code.source_line[at]}`));
  return element("div", {}, isPair ? sideHeading(side) : null, table);
}

function sourceSection(view) {
  const sides = view.sides.filter(side => side.details.sources);
  const section = sectionOf("sources", "Source lines", "By the debug lines of the assembly (compile with -g). A line leads to its " +
    "first instruction.");
  section.append(element("div", {class: "sides"}, ...sides.map(side => sourceBlock(side, view.sides.length > 1))));
  return section;
}
