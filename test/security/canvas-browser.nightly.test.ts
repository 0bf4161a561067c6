import { openServerLauncher } from "@bulkhead/sandbox";
import { leakCheck } from "@bulkhead/testing";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FILE_SOURCE_CHARS_MAX } from "../../libs/tools/src/built-in/canvas/bounds.ts";
import { BrowserDrawer } from "../../libs/tools/src/built-in/canvas/browser-drawer.ts";
import { pngPixels } from "../../libs/tools/src/built-in/canvas/fixtures/png-pixels.ts";
import { findChromium } from "../support/browser.ts";

leakCheck();

const NEVER = new AbortController().signal;
const launcher = openServerLauncher();
const asked: string[] = [];
const site = createServer(({ url = "" }, response) => {
  asked.push(url);
  response.end("here");
});
let base: string;
let drawer: BrowserDrawer;

beforeAll(async () => {
  drawer = new BrowserDrawer({ launcher, chromium: await findChromium() });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await drawer.close();
  await launcher.close();
  site.close();
});

const draw = (kind: "svg" | "html", source: string, more: object = {}, signal = NEVER) => {
  const drawing = { kind, source, scale: 1, background: null, format: "png" as const, ...more };
  return drawer.run({ tenantId: "ten_a", drawing }, { tenantId: "ten_a", signal });
};
async function drawn(kind: "svg" | "html", source: string, more: object = {}) {
  const drawing = await draw(kind, source, more);
  if (drawing.outcome !== "drawn") throw new Error(JSON.stringify(drawing));
  return drawing;
}
const svg = (body: string, size = 'width="40" height="30"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${body}</svg>`;
const GREEN = [0, 128, 0, 255];

test("an SVG is drawn by Chromium at the size that is asked for, with the HTML in it, and one sees through it", async () => {
  const html =
    '<foreignObject width="20" height="30"><div xmlns="http://www.w3.org/1999/xhtml" style="height:30px;background:green"/></foreignObject>';
  const { bytes, width, height, notLoaded } = await drawn("svg", svg(html), { width: 80, scale: 2 });
  const picture = pngPixels(bytes);
  expect([width, height, picture.width, picture.height, notLoaded]).toEqual([160, 120, 160, 120, []]);
  expect([picture.at(10, 10), picture.at(150, 10)]).toEqual([GREEN, [0, 0, 0, 0]]);
});

test("a page is drawn as tall as it is; no script of it runs, and nothing of it gets out", async () => {
  const away = [
    `<link rel="stylesheet" href="${base}/style">`,
    `<style>@import url("${base}/import"); @font-face { font-family: f; src: url("${base}/font") }</style>`,
    `<img src="${base}/image"><img src="http://169.254.169.254/latest" onerror="document.body.style.background='red'">`,
    `<iframe src="${base}/frame"></iframe><iframe src="file:///etc/passwd"></iframe>`,
    `<object data="${base}/object"></object><embed src="${base}/embed">`,
    `<meta http-equiv="refresh" content="0;url=${base}/refresh"><base href="${base}/">`,
    "<script>document.body.style.background = 'red'</script>",
  ].join("");
  const body = '<body style="margin:0;background:green;font-family:f"><div style="height:900px">words</div>';
  const { bytes, height, notLoaded } = await drawn("html", `<!doctype html>${body}${away}`, { width: 200 });
  expect(height).toBeGreaterThanOrEqual(900);
  expect(pngPixels(bytes).at(150, 700)).toEqual(GREEN);
  expect(notLoaded.length).toBeGreaterThan(2);
  expect(asked).toEqual([]);
});

test("a source of as many characters as a file may have is drawn, whichever they are", async () => {
  const source = `<!doctype html><body style="margin:0;background:green"><!--${"\u0001".repeat(FILE_SOURCE_CHARS_MAX - 100)}-->`;
  expect(pngPixels((await drawn("html", source, { height: 20 })).bytes).at(10, 10)).toEqual(GREEN);
});

test("a page can be made a JPEG, on the colour that is asked for", async () => {
  const { bytes, width, height } = await drawn("html", "<p>Words", {
    width: 90,
    height: 60,
    format: "jpeg",
    background: "#00f",
  });
  expect([width, height, Buffer.from(bytes.subarray(0, 3)).toString("hex")]).toEqual([90, 60, "ffd8ff"]);
});

test("a page of one pixel is drawn", async () => {
  const whole = { width: 10, height: 10, scale: 0.1 };
  expect(await drawn("html", "<p>x", whole)).toMatchObject({ width: 1, height: 1 });
});

test.each([
  [
    "an SVG whose whole pixels are too many",
    "svg",
    svg("<rect/>", 'width="5461.3" height="2"'),
    /8193 x/,
    1.5,
  ],
  ["a page that is too tall", "html", '<div style="height:1e6px">', /pixels/, 1],
  ["a page of less than a pixel", "html", "<p>x", /^width: 1 at scale 0\.1 /, 0.1, { width: 1, height: 1 }],
  ["an SVG that is none", "svg", `${svg("<rect/>")}<`, /no SVG/, 1],
] as const)("%s is refused in words", async (_, kind, source, why, scale, size: object = {}) => {
  expect(await draw(kind, source, { ...size, scale })).toMatchObject({
    outcome: "refused",
    why: expect.stringMatching(why),
  });
});

test("a picture that is given up, or whose drawer closes, leaves no browser", async () => {
  const gone = new AbortController();
  const given = draw("html", "<p>x", {}, gone.signal);
  setTimeout(() => gone.abort(), 100);
  expect((await given).outcome).toBe("aborted");
});
