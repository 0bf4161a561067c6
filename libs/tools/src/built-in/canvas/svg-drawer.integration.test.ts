import { isNightly, leakCheck } from "@bulkhead/testing";
import { afterAll, expect, test } from "vitest";
import { pngPixels } from "./fixtures/png-pixels.ts";
import { SvgDrawer } from "./svg-drawer.ts";

leakCheck();

const NEVER = new AbortController().signal;
/** More than a busy machine takes for one that is sound, in milliseconds. */
const AMPLE_MS = 60_000;
const drawer = new SvgDrawer(AMPLE_MS, AMPLE_MS);
afterAll(() => drawer.close());

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const svg = (body: string, size = 'width="40" height="30"') => `<svg ${SVG} ${size}>${body}</svg>`;
const draw = (source: string, asked: object = {}, by = drawer) =>
  by.run({ svg: source, background: null, scale: 1, ...asked }, { tenantId: "ten_a", signal: NEVER });

/** The picture's size and its pixels as [red, green, blue, alpha]. */
async function drawn(source: string, asked: object = {}) {
  const drawing = await draw(source, asked);
  if (drawing.outcome !== "drawn") throw new Error(JSON.stringify(drawing));
  const picture = pngPixels(drawing.bytes);
  expect([picture.width, picture.height]).toEqual([drawing.width, drawing.height]);
  return picture;
}
const RED = [255, 0, 0, 255];
const BLUE = [0, 0, 255, 255];
const NONE = [0, 0, 0, 0];

test("an SVG becomes a PNG of its own size, or of the size that is asked for", async () => {
  const square = svg('<rect width="10" height="10" fill="red"/>');
  const own = await drawn(square);
  expect([own.width, own.height, own.at(5, 5), own.at(20, 20)]).toEqual([40, 30, RED, NONE]);
  const wide = await drawn(square, { width: 80, background: "#00f" });
  expect([wide.width, wide.height, wide.at(19, 19), wide.at(25, 25)]).toEqual([80, 60, RED, BLUE]);
  // It keeps its shape in the midst of a size of another one.
  const both = await drawn(square, { width: 40, height: 60, scale: 2 });
  expect([both.width, both.height, both.at(5, 5), both.at(5, 35)]).toEqual([80, 120, NONE, RED]);
});

test("text is really drawn, each family by its own letters", async () => {
  const text = (family: string, words = "Il1 Wö") =>
    drawn(
      svg(`<text y="24" font-size="24" font-family="${family}">${words}</text>`, 'width="120" height="30"'),
    );
  const inked = new Set<string>();
  for (const family of ["Arial, sans-serif", "Georgia, serif", "'Courier New', monospace"]) {
    const { pixels } = await text(family);
    expect(pixels.some((value) => value !== 0)).toBe(true);
    inked.add(pixels.toString("base64"));
  }
  expect(inked.size).toBe(3);
  const [greek, cyrillic] = await Promise.all([text("serif", "αβγ"), text("serif", "где")]);
  expect(greek.pixels.equals(cyrillic.pixels)).toBe(false);
});

test("a picture within it is drawn where it is data", async () => {
  const red = await draw(svg('<rect width="40" height="30" fill="red"/>'));
  const data = red.outcome === "drawn" ? Buffer.from(red.bytes).toString("base64") : "";
  const outer = await drawn(
    svg(`<image width="40" height="30" xlink:href="data:image/png;base64,${data}"/>`),
  );
  expect(outer.at(20, 15)).toEqual(RED);
});

const entities = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join(
  "",
);
test.each([
  ["a file", svg('<image href="file:///etc/passwd" width="9" height="9"/>'), /data: URL/],
  ["a path", svg('<image xlink:href="/etc/passwd" width="9" height="9"/>'), /data: URL/],
  ["an address", svg('<feImage href="http://169.254.169.254/"/>'), /data: URL/],
  ["another file's part", svg('<use href="other.svg#a"/>'), /data: URL/],
  [
    "an external entity",
    `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg("<text>&x;</text>")}`,
    /entity/,
  ],
  [
    "entities of entities",
    `<!DOCTYPE svg [<!ENTITY e0 "ha">${entities}]>${svg("<text>&e9;</text>")}`,
    /entity/,
  ],
  ["HTML within it", svg("<foreignObject><p>x</p></foreignObject>"), /foreignObject/],
  ["HTML", "<html><body>x</body></html>", /root is no svg/],
  ["words", "draw me a cat", /root is no svg/],
  ["half an SVG", `<svg ${SVG} width="1" height="1"><rect`, /no SVG/],
  [
    "parts that hold each other",
    svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
    /limit/,
  ],
  ["too many elements", svg("<g/>".repeat(20_001)), /20000 elements/],
  ["too deep a nesting", svg("<g>".repeat(300) + "</g>".repeat(300)), /nests more than 256/],
  ["a size beyond the bound", svg("", 'width="1e9" height="1e9"'), /pixels/],
  ["too many pixels", svg("", 'width="8000" height="8000"'), /64000000|pixels/],
])("%s is refused in words, in the same process", async (_, source, why) => {
  expect(await draw(source)).toEqual({
    outcome: "refused",
    code: expect.stringMatching(/^(invalid_request|capability_limit)$/),
    why: expect.stringMatching(why),
  });
  expect(drawer.pids.length).toBeLessThanOrEqual(2);
});

test("a colour that there is none of is refused", async () => {
  expect(await draw(svg(""), { background: "notacolour" })).toMatchObject({ why: /background/ });
});

test.runIf(isNightly)(
  "what takes too much memory takes its process along, and the next one is drawn",
  async () => {
    const layer = '<filter id="f" x="0" y="0" width="1" height="1"><feFlood/><feOffset/><feMerge/></filter>';
    const nested = `${"<g filter='url(#f)'>".repeat(40)}<rect width="4000" height="4000"/>${"</g>".repeat(40)}`;
    expect(await draw(svg(layer + nested, 'width="4000" height="4000"'))).toEqual({ outcome: "died" });
    expect((await drawn(svg(""))).at(1, 1)).toEqual(NONE);
  },
);

test("what takes too much time is ended", async () => {
  const brief = new SvgDrawer(AMPLE_MS, 300);
  const uses = Array.from(
    { length: 5 },
    (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`,
  );
  const bomb = svg(`<g id="a0"><rect width="1" height="1"/></g>${uses.join("")}`);
  expect(await draw(bomb, {}, brief)).toEqual({ outcome: "overran" });
  await brief.close();
});
