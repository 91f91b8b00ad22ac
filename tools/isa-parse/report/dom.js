// Elements, numbers and colours. Text from the report becomes text nodes only, so that no name of
// a kernel and no comment of a file can be markup.

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (value === true) made.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}

function numberText(value) {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  const size = Math.abs(value);
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 0.1 ? 3 : 5;
  return value.toLocaleString("en-US", {minimumFractionDigits: digits, maximumFractionDigits: digits});
}

const withUnit = (value, unit) => numberText(value) + (unit && value !== null ? "\u00a0" + unit : "");
const rangeText = (range, unit) => `${numberText(range[0])} to ${withUnit(range[1], unit)}`;
const percent = (part, whole) => whole ? `${(part / whole * 100).toFixed(1)} %` : "–";
const plural = (count, noun) => `${numberText(count)} ${noun}${count === 1 ? "" : "s"}`;

function changeText(before, after) {
  if (typeof before !== "number" || typeof after !== "number" || before === after) return "";
  if (before === 0) return (after > 0 ? "+" : "−") + numberText(Math.abs(after));
  const share = (after / before - 1) * 100;
  return `${share > 0 ? "+" : "−"}${Math.abs(share).toFixed(Math.abs(share) >= 999.95 ? 0 : 1)} %`;
}

const isDark = () => {
  const theme = document.documentElement.dataset.theme;
  return theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
};
const styleColor = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// [light, dark], by the order of the report's "kinds" and "stalls".
const kindColors = [
  ["#2563b8", "#5b95ea"], ["#86b3e6", "#9cc3f5"], ["#d9822b", "#f0a050"], ["#8e5bd0", "#b58cf0"],
  ["#c05a9e", "#e084c2"], ["#d8a93a", "#e8c25e"], ["#6b7a90", "#8d9cb3"], ["#9fb0c8", "#b9c7db"],
  ["#2f9e6e", "#58c795"], ["#b5443c", "#e27a72"], ["#b9bfc9", "#5c6675"], ["#30343c", "#f0f0f0"],
  ["#8a6d3b", "#c0a064"], ["#b6c49c", "#7f8f66"], ["#8a8a8a", "#aaaaaa"]];
const stallColors = [
  ["#9aa3af", "#7d8796"], ["#2563b8", "#5b95ea"], ["#86b3e6", "#9cc3f5"], ["#d0413b", "#f2716b"],
  ["#1f7a55", "#3fae7f"], ["#6cc79f", "#8fe0bd"], ["#8e5bd0", "#b58cf0"], ["#d58a1f", "#f0ad4e"],
  ["#8f5510", "#c08a48"], ["#6b7a90", "#8d9cb3"], ["#b36aa8", "#d897cf"], ["#c9b458", "#dccb7d"],
  ["#c3c8d0", "#566070"]];
const colorOf = (colors, number) => (colors[number] || ["#888", "#999"])[isDark() ? 1 : 0];

const baseName = path => path.split("/").pop();
const sideHeading = side => element("h3", {title: side.file}, `${side.title}: ${baseName(side.file)}`);

function legend(names, colors) {
  return element("ul", {class: "legend", "aria-label": "Legend"},
    ...names.map(([name, number]) => element("li", {},
      element("i", {style: `background:${colorOf(colors, number)}`, "aria-hidden": "true"}), name)));
}

const tip = {
  show(event, text) {
    const box = document.getElementById("tip");
    box.textContent = text;
    box.hidden = false;
    const {clientX: x, clientY: y} = event;
    box.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - box.offsetWidth - 8))}px`;
    box.style.top = `${y + 18 + box.offsetHeight > innerHeight ? y - box.offsetHeight - 10 : y + 18}px`;
  },
  hide() { document.getElementById("tip").hidden = true; },
};

// What depends on the width of the page or on its colours is drawn by a function that is called
// again when they change.
const drawings = [];
function drawn(host, draw) {
  drawings.push({host, draw, width: 0});
  return host;
}
function redraw(force) {
  for (const drawing of drawings) {
    const width = Math.floor(drawing.host.clientWidth);
    if (width > 0 && (force || width !== drawing.width)) {
      drawing.width = width;
      drawing.draw(width);
    }
  }
}

// A canvas as sharp as the screen.
function canvasOf(width, height, label) {
  const ratio = devicePixelRatio || 1;
  const canvas = element("canvas", {width: Math.round(width * ratio), height: Math.round(height * ratio),
    role: "img", "aria-label": label, style: `width:${width}px;height:${height}px`});
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  return [canvas, context];
}

function svgOf(host, width, height, label) {
  return d3.select(host).append("svg").attr("width", width).attr("height", height)
    .attr("viewBox", `0 0 ${width} ${height}`).attr("role", "img").attr("aria-label", label);
}
