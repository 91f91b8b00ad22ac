"""The page of isa-parse --html in a browser: check_page.py ISA_PARSE KERNELS SOURCE WORK.

Pictures of what was looked at stay in WORK. Exit 77 where there is no Chromium.
"""

import json
import os
import re
import subprocess
import sys

import browser

HOSTILE = """	.text
	.file 1 "/src" "</script><b>.hip"
	.globl	k
	.type	k,@function
k:
	.loc 1 2 3
	s_mov_b32 s0, "</script><img src=x onerror=alert(1)>"@rel32@lo ; </script><img src=x>
	v_add_f32_e32 v0, v1, v2
	s_endpgm
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
"""

failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)
        print("FAILED:", message)


def equal(found, wanted, message):
    expect(found == wanted, f"{message}: {found!r}, should be {wanted!r}")


def shown(value):
    """The number in a text as the page writes it."""
    return float(re.sub(r"[^0-9.]", "", value))


class Pages:
    def __init__(self, tool, kernels, source, work):
        self.tool, self.work = tool, work
        kernel = os.path.join(kernels, "kernel5.clang-{}.O3.s")
        launch = ["--launch", os.path.join(source, "templates", "kernel5.json"), "--param", "N=512"]
        self.pair = self.make("pair", kernel.format(22), "--against", kernel.format(16), *launch)
        self.single = self.make("single", kernel.format(19))
        self.two = self.make("two", os.path.join(kernels, "calls",
                                                 "two_kernels_first.clang-22.O3.s"))
        hostile = os.path.join(work, "<b>hostile&.s")
        with open(hostile, "w", encoding="utf-8") as file:
            file.write(HOSTILE)
        self.hostile = self.make("hostile", hostile)

    def make(self, name, *arguments):
        """The page's path and the JSON that the tool prints for the same arguments."""
        page = os.path.join(self.work, name + ".html")
        printed = subprocess.run([self.tool, *arguments, "--json", "--html", page], check=True,
                                 capture_output=True, text=True).stdout
        return page, json.loads(printed)


# Texts of one picture that lie over each other, and pictures without a size.
OVERLAPS = """(() => {
  const found = [];
  for (const svg of document.querySelectorAll("svg")) {
    const boxes = [...svg.querySelectorAll("text")].filter(text => text.textContent)
      .map(text => [text.textContent, text.getBoundingClientRect()]);
    boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
      if (Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 &&
          Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 3) found.push(`${a} / ${b}`);
    }));
  }
  return found;
})()"""
EMPTY = """[...document.querySelectorAll("main section")].filter(section =>
  ![...section.querySelectorAll("svg, canvas, table")].some(part => part.getBoundingClientRect().height > 20)
).map(section => section.id)"""
TOO_WIDE = """(() => { const wide = innerWidth; return [...document.querySelectorAll("main svg, main canvas")]
  .filter(part => part.getBoundingClientRect().right > wide + 1).length; })()"""


def check_looks(page, pages):
    for name in ("pair", "single", "two"):
        for width in (1400, 420):
            for dark in (False, True):
                where = f"{name}, {width} wide, {'dark' if dark else 'light'}"
                page.open(getattr(pages, name)[0], width, dark=dark)
                equal(page.run("document.documentElement.scrollWidth"), width, f"{where}: width")
                equal(page.run(OVERLAPS), [], f"{where}: texts over each other")
                equal(page.run(EMPTY), [], f"{where}: empty sections")
                equal(page.run(TOO_WIDE), 0, f"{where}: pictures beyond the edge")
                page.screenshot(os.path.join(pages.work, re.sub("[, ]+", "-", where) + ".png"))


def check_numbers(page, pages):
    path, report = pages.pair
    page.open(path, 1400)
    equal(json.loads(page.run("document.getElementById('data').textContent")), report,
          "what is embedded")
    cells = page.run("""[...document.querySelectorAll("#summary table:not(details table) tbody tr")]
      .map(row => [...row.querySelectorAll("td[data-value]")].map(cell => [cell.dataset.value,
        cell.firstChild.textContent]))""")
    rows = [row for row in cells if row]
    wanted = report["summary"][0]["rows"]
    equal(len(rows), len(wanted), "rows of the summary")
    for row, figure in zip(rows, wanted):
        for (value, text), key in zip(row, ("before", "value")):
            equal(float(value), float(figure[key]), figure["what"])
            expect(abs(shown(text) - figure[key]) <= max(5.1e-4, abs(figure[key]) * 1e-3),
                   f"{figure['what']}: {text} is shown for {figure[key]}")
    check_table(page, "stalls", [
        [side["predicted"]["predicted_limiters_ms"], name]
        for name in report["kernels"][0]["predicted"]["predicted_limiters_ms"]
        for side in (report["against"]["kernels"][0], report["kernels"][0])])
    check_table(page, "mix", [
        [side["hot"]["mix"], name] for name in report["kernels"][0]["mix"]
        for side in (report["against"]["kernels"][0], report["kernels"][0])])
    for number, side in enumerate((report["against"]["kernels"][0], report["kernels"][0])):
        waves = side["details"]["timeline"]["waves"]
        expect(waves and all(len(wave["events"]) > 8 for wave in waves), "the timeline is empty")
        issues = page.run(f"""[...document.querySelectorAll("#timeline table")][{number}]
          .querySelectorAll("tbody tr").length""")
        equal(issues, len(waves), "waves of the timeline")


def check_table(page, section, wanted):
    """Numbers of a section's table, line by line; those that are 0 everywhere have no line."""
    found = page.run(f"""[...document.querySelectorAll("#{section} details tbody tr")].flatMap(row =>
      [...row.querySelectorAll("td[data-value]")].map(cell => Number(cell.dataset.value)))""")
    pairs = [(wanted[n][0][wanted[n][1]], wanted[n + 1][0][wanted[n + 1][1]])
             for n in range(0, len(wanted), 2)]
    equal(found, [value for pair in pairs if pair != (0, 0) for value in pair], section)


STAGE = "document.querySelectorAll('.timeline')[1]"


def span(page):
    return page.run(f"[Number({STAGE}.dataset.from), Number({STAGE}.dataset.clocks)]")


def check_zoom(page, pages):
    page.open(pages.pair[0], 1400)
    whole = span(page)
    page.run(f"{STAGE}.focus()")
    page.key("+", "+")
    once = span(page)
    expect(abs(once[1] - whole[1] / 2) <= 1, f"+ shows {once} of {whole}")
    page.key("ArrowRight")
    expect(span(page)[0] > once[0], "the arrow key does not pan")
    page.key("0", "0")
    equal(span(page), whole, "0 shows all")
    page.run(f"{STAGE}.parentNode.querySelector('[data-act=\"Zoom in\"]').click()")
    equal(span(page)[1], once[1], "the button zooms")
    box = page.run(f"""(() => {{ {STAGE}.scrollIntoView({{block: "center"}});
      const box = {STAGE}.querySelector("canvas").getBoundingClientRect();
      return [box.left + box.width / 2, box.top + 40]; }})()""")
    before = span(page)
    mouse = {"y": box[1], "button": "left", "buttons": 1, "clickCount": 1}
    page.call("Input.dispatchMouseEvent", type="mousePressed", x=box[0], **mouse)
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0] + 150, **mouse)
    page.call("Input.dispatchMouseEvent", type="mouseReleased", x=box[0] + 150, **mouse)
    expect(span(page)[0] < before[0], "dragging does not pan")
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0], y=box[1])
    expect("wave" in page.run("document.getElementById('tip').textContent"), "no text at the pointer")
    page.call("Input.dispatchMouseEvent", type="mousePressed", x=box[0], **mouse)
    page.call("Input.dispatchMouseEvent", type="mouseReleased", x=box[0], **mouse)
    page.run(f"{STAGE}.parentNode.querySelector('.readout a').click()")
    equal(page.run("document.activeElement.className"), "chosen", "the instruction of the timeline")
    page.run(f"{STAGE}.scrollIntoView({{block: 'center'}})")
    box = page.run(f"""(() => {{ const box = {STAGE}.querySelector("canvas").getBoundingClientRect();
      return [box.left + box.width / 2, box.top + 40]; }})()""")
    page.call("Input.dispatchMouseEvent", type="mouseWheel", x=box[0], y=box[1], deltaX=0,
              deltaY=-300, modifiers=2)
    page.settle()
    expect(span(page)[1] < before[1], "Ctrl and the wheel do not zoom")


def check_comparison(page, pages):
    path, report = pages.pair
    page.open(path, 1400)
    old = report["against"]["kernels"][0]["details"]
    page.run("document.querySelector('[name=bank-side][value=before]').click()")
    first = old["code"]["text"][old["banks"][0]["at"]]
    equal(page.run("document.querySelector('#banks tbody td.code').textContent"), first,
          "the first instruction before")
    at = old["banks"][40]["at"]
    page.run("""(() => { const canvas = document.querySelector("#banks canvas");
      const box = canvas.getBoundingClientRect();
      canvas.dispatchEvent(new MouseEvent("click", {clientX: box.left + 52 + (box.width - 60) *
        %f, clientY: box.top + 20})); })()""" % (40.5 / len(old["banks"])))
    equal(page.run("document.querySelector('#banks tr.chosen td.code').textContent"),
          old["code"]["text"][at], "a click on the bank map")
    conflicts = sum(1 for row in old["banks"] if "conflicts" in row or "hazard" in row)
    page.run("""(() => { const choice = document.querySelector("#banks select");
      choice.selectedIndex = 1; choice.dispatchEvent(new Event("change")); })()""")
    expect(f"of {conflicts}" in page.run("document.querySelector('#banks output').textContent"),
           "rows with conflicts")


def check_access(page, pages):
    page.open(pages.pair[0], 1400)
    page.key("Tab")
    equal(page.run("document.activeElement.className"), "skip", "the first stop of Tab")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    roles = ("button", "link", "combobox", "radio", "image", "img", "region", "table")
    nameless = [node["role"]["value"] for node in nodes
                if not node.get("ignored") and node.get("role", {}).get("value") in roles
                and not node.get("name", {}).get("value")]
    equal(nameless, [], "parts without a name")
    light = page.run("getComputedStyle(document.body).backgroundColor")
    page.run("""(() => { const theme = document.getElementById("theme"); theme.value = "dark";
      theme.dispatchEvent(new Event("change")); })()""")
    expect(page.run("getComputedStyle(document.body).backgroundColor") != light, "dark is light")


def check_kernels(page, pages):
    path, report = pages.two
    page.open(path, 1400)
    names = [kernel["name"] for kernel in report["kernels"]]
    equal(page.run("[...document.getElementById('kernel').options].map(one => one.value)"), names,
          "kernels")
    page.run("""(() => { const choice = document.getElementById("kernel"); choice.selectedIndex = 1;
      choice.dispatchEvent(new Event("change")); })()""")
    equal(page.run("document.getElementById('heading').textContent"), names[1], "second kernel")
    page.open(pages.hostile[0], 1400)
    equal(page.run("document.querySelectorAll('img, main b').length"), 0, "elements out of a text")
    expect("<img" in page.run("document.querySelector('#banks td.code').textContent"),
           "the hostile instruction is not shown as it is")


def main():
    path = browser.find()
    if path is None:
        print("skipped: no Chromium on this machine (Debian package chromium)")
        return 77
    pages = Pages(*sys.argv[1:])
    with browser.Browser(path) as page:
        for check in (check_looks, check_numbers, check_zoom, check_comparison, check_access,
                      check_kernels):
            check(page, pages)
        equal(page.errors, [], "console")
        loads = [address for address in page.requests if not address.startswith("file://" + pages.work)]
        equal(loads, [], "what the pages loaded")
    print("pages, pictures:", pages.work)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
