import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { changeNotification } from "../support/documents.ts";
import { publisherToken, startTestHub } from "../support/start-hub.ts";

const mark = "pwned";
const attacks = [
  `<script>document.title="${mark}"</script>`,
  `<img src=x onerror="document.title='${mark}'">`,
  `"><svg onload="document.title='${mark}'">`,
  `</h2></section><iframe srcdoc="<script>top.document.title='${mark}'</script>"></iframe>`,
  `javascript:document.title='${mark}'`,
  `{{constructor.constructor("document.title='${mark}'")()}}`,
];
const yaml = `sets:\n${attacks.map((title, at) => `  - { id: s${at}, title: ${JSON.stringify(title)} }\n`).join("")}  - { id: maps }\n`;

const browsers = ["chromium", "chromium-browser", "google-chrome"];
const browser = browsers.find((name) => spawnSync("which", [name], { stdio: "ignore" }).status === 0);

test("titles of sets are text on the front page, whatever they are made of", async () => {
  await using hub = await startTestHub({ yaml });
  const response = await hub.get("/");
  const page = await response.text();
  for (const tag of ["<script", "<img", "<svg", "<iframe"]) expect(page.toLowerCase()).not.toContain(tag);
  expect(page).toContain("&lt;script&gt;");
  // Of what can be clicked, everything leads to http.
  for (const [, href] of page.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^https?:/);
  expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none'(?!.*script-src)/);
});

test.each([
  "/%3Cscript%3Ealert(1)%3C/script%3E",
  "/sets/%3Cscript%3E/change-notification",
  "/sets/maps/change-notification?after=%3Cscript%3E",
  "/api/v1/%3Cscript%3E",
  "/sets/maps/changelists/%3Cscript%3E",
])("what the hub answers at %s is no page to a browser", async (path) => {
  await using hub = await startTestHub();
  const headers = { Accept: path.includes("after") ? "text/event-stream" : "text/html" };
  const response = await hub.get(path, headers);
  expect(response.headers.get("content-type")).not.toMatch(/html|xml|svg/);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  await response.body?.cancel();
});

test("a refused form is answered as plain text, with nothing for a browser to guess", async () => {
  await using hub = await startTestHub();
  const body = new URLSearchParams({
    "hub.mode": "<script>",
    "hub.topic": "<script>",
    "hub.callback": "<script>",
  });
  const response = await fetch(`${hub.baseUrl}/websub`, { method: "POST", body });
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
});

test("in a browser, no script runs: neither from a title on the page, nor from within a notification", async () => {
  if (browser === undefined) {
    throw new Error(`This needs a browser on the PATH: ${browsers.join(" or ")} (Debian package chromium).`);
  }
  await using hub = await startTestHub({ yaml });
  const script = `<x:script xmlns:x="http://www.w3.org/1999/xhtml">document.documentElement.setAttribute("${mark}", "")</x:script>`;
  const hostile = changeNotification(1).replace("</url>", `${script}</url>`);
  const published = await fetch(`${hub.baseUrl}/sets/maps/change-notification`, {
    method: "POST",
    headers: { Authorization: `Bearer ${publisherToken}`, "Content-Type": "application/xml" },
    body: hostile,
  });
  expect(published.status).toBe(202);
  const profile = await mkdtemp(join(tmpdir(), "hub-browser-"));
  try {
    for (const path of ["/", "/sets/maps/change-notification", "/sets/maps/changelist.xml"]) {
      const dom = await domOf(browser, `${hub.baseUrl}${path}`, profile);
      expect(dom.length).toBeGreaterThan(100);
      expect(dom).not.toMatch(new RegExp(`<title>${mark}|<\\w+[^>]* ${mark}=`));
    }
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
}, 60_000);

async function domOf(browser: string, url: string, profile: string): Promise<string> {
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000", "--dump-dom"];
  const { stdout } = await promisify(execFile)(browser, [...flags, `--user-data-dir=${profile}`, url], {
    timeout: 50_000,
    maxBuffer: 10_000_000,
  });
  return stdout;
}
