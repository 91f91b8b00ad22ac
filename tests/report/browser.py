"""A headless Chromium, driven through its debugging pipe: no package but the browser is needed."""

import base64
import json
import os
import shutil
import subprocess
import tempfile


def find():
    """The path of a Chromium, or None."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next(filter(None, map(shutil.which, names)), None)


class Browser:
    """One page. Use as a context manager."""

    def __init__(self, path):
        # Helpers of a browser that has ended may still write there.
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def take_pipes():  # Chromium reads commands from 3 and writes answers to 4.
            os.dup2(to_browser, 100)
            os.dup2(from_browser, 101)
            os.dup2(100, 3)
            os.dup2(101, 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--force-device-scale-factor=1", "--remote-debugging-pipe",
             "--user-data-dir=" + self.folder.name, "about:blank"],
            preexec_fn=take_pipes, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.errors = []    # Of the console, and exceptions that nobody caught.
        self.requests = []  # Addresses that the page asked for.
        self.loaded = 0
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"],
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        self.folder.cleanup()

    def receive(self):
        while b"\0" not in self.buffer:
            more = os.read(self.read_end, 1 << 20)
            if not more:
                raise RuntimeError("the browser has ended")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def heard(self, event):
        method, details = event["method"], event["params"]
        if method == "Runtime.exceptionThrown":
            thrown = details["exceptionDetails"]
            self.errors.append(thrown.get("exception", {}).get("description", thrown["text"]))
        elif method == "Runtime.consoleAPICalled" and details["type"] in ("error", "warning"):
            self.errors.append(str(details["args"]))
        elif method == "Log.entryAdded" and details["entry"]["level"] in ("error", "warning"):
            self.errors.append(details["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(details["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded += 1

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            if "method" in answer:
                self.heard(answer)

    def open(self, path, width, height=900, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        before = self.loaded
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while self.loaded == before:
            event = self.receive()
            if "method" in event:
                self.heard(event)
        self.settle()

    def settle(self):
        """Two frames later, everything that a change makes has been drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def run(self, expression):
        """The value of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description"))
        return answer["result"].get("value")

    def key(self, name, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name,
                      **({"text": text} if text and kind == "keyDown" else {}))

    def screenshot(self, path):
        """Of the whole page."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        image = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                          clip={"x": 0, "y": 0, "width": size["width"], "height": size["height"],
                                "scale": 1})
        with open(path, "wb") as file:
            file.write(base64.b64decode(image["data"]))
