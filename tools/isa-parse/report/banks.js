// Instructions with the register banks that they read and write: a strip of the hot loop, and the
// table, which also has waits and registers in use.

const bankColors = {file: "--accent", clash: "--bad", cache: "--good", write: "--line"};

function bankState(row, bank) {
  if ((row.conflicts || []).some(conflict => conflict[2] === bank)) return "clash";
  const reads = (row.reads || []).filter(read => read[2] === bank);
  if (reads.some(read => read[3] === "file")) return "file";
  if (reads.length > 0) return "cache";
  return (row.writes || []).some(write => write[2] === bank) ? "write" : null;
}

// One column for each instruction, one line for each bank; columns narrower than two pixels stand
// for several instructions, by their shares.
function drawBankStrip(host, side, choose, width) {
  host.replaceChildren();
  const rows = side.details.banks, left = 52, line = 18, height = 4 * line + 24;
  const clashes = d3.sum(rows, row => (row.conflicts || []).length);
  const [canvas, context] = canvasOf(width, height, `Bank map of ${plural(rows.length, "instruction")}, ` +
    `${plural(clashes, "conflict")}; the table below has every row`);
  const step = (width - left - 8) / rows.length;
  const columns = Math.min(rows.length, Math.floor((width - left - 8) / 2));
  const wide = (width - left - 8) / columns, colors = {};
  for (const [state, name] of Object.entries(bankColors)) colors[state] = styleColor(name);
  for (let column = 0; column < columns; ++column) {
    const some = rows.slice(Math.floor(column * rows.length / columns), Math.floor((column + 1) * rows.length / columns));
    for (let bank = 0; bank < 4; ++bank) {
      const states = some.map(row => bankState(row, bank));
      let y = 4 + bank * line;
      for (const state of ["clash", "file", "cache", "write"]) {
        const high = states.filter(one => one === state).length / some.length * (line - 2);
        context.fillStyle = colors[state];
        context.fillRect(left + column * wide, y, wide - (wide > 4 ? 1 : 0), high);
        y += high;
      }
    }
  }
  context.fillStyle = styleColor("--ink");
  context.font = "12px system-ui, 'DejaVu Sans', sans-serif";
  for (let bank = 0; bank < 4; ++bank) context.fillText(`bank ${bank}`, 4, 16 + bank * line);
  context.fillStyle = styleColor("--soft");
  context.fillText(`instruction of the ${side.kernel.hot.is_loop ? "hot loop" : "kernel"}, 1 to ${rows.length}`, left, height - 5);
  const at = event => Math.max(0, Math.min(rows.length - 1,
    Math.floor((event.clientX - canvas.getBoundingClientRect().left - left) / step)));
  canvas.addEventListener("mousemove", event => {
    const row = rows[at(event)], code = side.details.code;
    tip.show(event, `line ${code.line[row.at]}: ${code.text[row.at]}\n${noteText(row)}`);
  });
  canvas.addEventListener("mouseleave", tip.hide);
  canvas.addEventListener("click", event => choose(rows[at(event)].at));
  host.append(canvas);
}

function noteText(row) {
  const notes = (row.conflicts || []).map(([a, b, bank]) => `conflict ${a}/${b} in bank ${bank}`);
  if (row.hazard) notes.push(`hazard ${row.hazard.join("/")}, same parity`);
  return notes.join("; ");
}

function bankCell(row, bank) {
  const made = element("td", {class: "bank"});
  if (!row) return made;
  if (bankState(row, bank) === "clash") made.classList.add("clash");
  for (const [slot, register, of, from] of row.reads || [])
    if (of === bank)
      made.append(element("span", {class: from, title: `${slot}, from the ${from === "cache" ? "operand cache" : "register file"}`},
        `${from === "cache" ? "C" : "R"} ${register}`));
  for (const [slot, register, of, use] of row.writes || [])
    if (of === bank)
      made.append(element("span", {class: "write", title: `${slot}, ${use}`}, `${use === "write" ? "W" : "R/W"} ${register}`));
  return made;
}

function sourceText(details, at) {
  const line = (details.code.source_line || [])[at];
  return line ? `${baseName(details.sources[details.code.source_file[at]])}:${line}` : "";
}

function instructionRow(details, banks, at) {
  const {code} = details;
  const row = banks.get(at);
  const cells = [element("th", {scope: "row", class: "number"}, String(code.line[at]))];
  if (details.sources) {
    const text = sourceText(details, at);
    const link = text ? element("a", {href: "#sources"}, text) : "";
    if (text) link.addEventListener("click", event => { event.preventDefault(); details.showSource(at); });
    cells.push(element("td", {}, link));
  }
  cells.push(element("td", {class: "code"}, code.text[at]));
  for (let bank = 0; bank < 4; ++bank) cells.push(bankCell(row, bank));
  const note = row ? noteText(row) : "";
  cells.push(element("td", {class: "notes"}, note ? element("span", {class: "clash-mark"}, note) : ""),
    element("td", {class: "number"}, String(code.vgprs[at])));
  if (code.issues) {
    const count = code.issues[at];
    cells.push(element("td", {class: "number"}, count ? (1 + code.stalled_clocks[at] / count).toFixed(1) : ""),
      element("td", {}, count && code.stalled_clocks[at] > 0.05 * count ? details.stalls[code.stalled_by[at]] : ""));
  }
  return element("tr", {}, ...cells);
}

function instructionTable(side) {
  const {details} = side;
  const banks = new Map(details.banks.map(row => [row.at, row]));
  const hot = details.banks.map(row => row.at);
  const isWhole = hot.length === details.code.line.length;
  const lists = {
    "the hot loop": hot,
    "conflicts and hazards": hot.filter(at => noteText(banks.get(at))),
    "the whole kernel": d3.range(details.code.line.length),
  };
  if (isWhole) delete lists["the hot loop"];
  const filters = isWhole ? ["the whole kernel", "conflicts and hazards"] : Object.keys(lists);
  const head = ["line", ...details.sources ? ["source"] : [], "instruction", "bank 0", "bank 1", "bank 2", "bank 3",
    "notes", "VGPRs in use", ...details.code.issues ? ["clocks, predicted", "mostly waits for"] : []];
  return pagedTable({caption: `Instructions, ${baseName(side.file)}`, head, filters, size: 100,
    rows: name => lists[name], rowOf: at => instructionRow(details, banks, at)});
}

function bankSection(view) {
  const {sides} = view;
  const section = sectionOf("banks", "Register banks", "Which of the four banks (VGPR number modulo 4) each instruction " +
    "of the hot loop reads and writes. Two registers of one bank in a dual instruction's SRC0 and SRC1 are a " +
    "conflict. What the operand cache holds is a model." + (sides.some(side => side.details.code.issues)
    ? " Clocks are those of a wave from the issue in front to this one, predicted by one simulation without interval." : ""));
  const shown = element("div");
  const tables = new Map();
  const radios = sides.length > 1 ? element("fieldset", {class: "controls", style: "border:0;padding:0"},
    element("legend", {class: "note"}, "Instructions of")) : null;
  const pick = side => {
    if (!tables.has(side)) tables.set(side, instructionTable(side));
    shown.replaceChildren(tables.get(side));
    if (radios) radios.querySelector(`[value=${side.key}]`).checked = true;
    return tables.get(side);
  };
  for (const side of sides) side.choose = at => pick(side).go(at);
  if (radios)
    for (const side of sides) {
      const radio = element("input", {type: "radio", name: "bank-side", value: side.key});
      radio.addEventListener("change", () => pick(side));
      radios.append(element("label", {}, radio, ` ${side.title}`));
    }
  const strips = element("div", {class: "sides"}, ...sides.map(side => {
    const stage = element("div", {class: "stage"});
    const block = element("div", {}, sides.length > 1 ? sideHeading(side) : null, stage);
    drawn(stage, width => drawBankStrip(stage, side, side.choose, width - 2));
    return block;
  }));
  const key = element("ul", {class: "legend", "aria-label": "Legend"},
    ...[["file", "read from the register file (R)"], ["cache", "read from the operand cache (C)"],
      ["clash", "conflict"], ["write", "written only (W); accumulators are R/W"]].map(([state, text]) => element("li", {},
      element("i", {style: `background:var(${bankColors[state]})`, "aria-hidden": "true"}), text)));
  section.append(strips, key, ...radios ? [radios] : [], shown);
  pick(sides[sides.length - 1]);
  return section;
}
