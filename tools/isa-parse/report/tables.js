// Tables, also such as have more rows than a page should have at once.

function cellOf(cell, tag) {
  const isPlain = typeof cell !== "object" || cell === null;
  const {text, value, kind, node, range, span} = isPlain ? {text: cell} : cell;
  const made = element(tag || "td", {class: kind, colspan: span, "data-value": value});
  if (node) made.append(node);
  else made.append(text === null || text === undefined ? "" : String(text));
  if (range) made.append(element("span", {class: "range"}, range));
  return made;
}

const numberCell = (value, unit) => ({text: withUnit(value, unit), value, kind: "number"});

// `head`: texts, those of numbers with a leading "#". The first cell of a row is its header.
function tableOf(caption, head, rows) {
  const line = (cells, index) => {
    const row = element("tr", {}, ...cells.map(cell => cellOf(cell)));
    const first = cellOf(cells[0], "th");
    first.setAttribute("scope", cells.length === 1 ? "rowgroup" : "row");
    row.replaceChild(first, row.firstChild);
    return row;
  };
  const heads = head.map(text => element("th", {scope: "col", class: text.startsWith("#") ? "number" : null},
    text.replace("#", "")));
  return element("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": caption},
    element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...rows.map(line))));
}

const behind = (title, table) => element("details", {}, element("summary", {}, title), table);

// A table that shows `size` rows at a time. `rows(chosen filter)` are numbers, `rowOf(number)` makes
// the cells. Returns the element with `go(number)`, which shows a row and marks it.
function pagedTable({caption, head, filters, rows, rowOf, size}) {
  let from = 0, filter = filters[0], chosen = null, list = rows(filter);
  const body = element("tbody", {});
  const place = element("output", {"aria-live": "polite"});
  const button = (text, label, act) => {
    const made = element("button", {type: "button", "aria-label": label}, text);
    made.addEventListener("click", act);
    return made;
  };
  const first = button("«", "First rows", () => move(-Infinity));
  const back = button("‹ previous", "Previous rows", () => move(-size));
  const on = button("next ›", "Next rows", () => move(size));
  const last = button("»", "Last rows", () => move(Infinity));
  const choice = element("select", {}, ...filters.map(name => element("option", {}, name)));
  choice.addEventListener("change", () => {
    filter = choice.value;
    list = rows(filter);
    from = 0;
    show();
  });
  const move = by => {
    const most = Math.max(0, Math.floor((list.length - 1) / size) * size);
    from = Math.min(most, Math.max(0, from + by));
    show();
  };
  function show() {
    body.replaceChildren(...list.slice(from, from + size).map(number => {
      const made = rowOf(number);
      made.dataset.row = number;
      if (number === chosen) made.classList.add("chosen");
      return made;
    }));
    const end = Math.min(from + size, list.length);
    place.textContent = list.length === 0 ? "no rows"
      : `rows ${numberText(from + 1)} to ${numberText(end)} of ${numberText(list.length)}`;
    first.disabled = back.disabled = from === 0;
    on.disabled = last.disabled = end >= list.length;
  }
  const host = element("div", {},
    element("div", {class: "controls"}, element("label", {}, "Show ", choice), first, back, on, last, place),
    element("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": caption},
      element("table", {class: "dense"}, element("caption", {}, caption),
        element("thead", {}, element("tr", {}, ...head.map(text => element("th", {scope: "col"}, text)))), body)));
  show();
  host.go = number => {
    if (!list.includes(number)) {
      filter = choice.value = filters.find(name => rows(name).includes(number)) || filter;
      list = rows(filter);
    }
    chosen = number;
    from = Math.max(0, Math.floor(list.indexOf(number) / size) * size);
    show();
    const row = body.querySelector(`[data-row="${number}"]`);
    if (!row) return;
    row.tabIndex = -1;
    row.scrollIntoView({block: "center"});
    row.focus({preventScroll: true});
  };
  return host;
}
