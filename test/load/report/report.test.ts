import { expect, test } from "vitest";
import type { Figure, Part, Settings } from "./part.ts";
import { chooseParts, PARTS } from "./parts.ts";
import { renderMarkdown } from "./render-markdown.ts";
import { renderSvg } from "./render-svg.ts";
import { runPart, shown, type Report } from "./report.ts";
import { inTurns, ratio } from "./rounds.ts";

const SETTINGS: Settings = { rounds: 3, seconds: 1, streams: 1, note: () => undefined };
const MACHINE = {
  cpu: "A <fast> one",
  cores: 2,
  memoryGib: 8,
  system: "linux-x64",
  node: "26.10.0",
  loadBefore: 0.1,
  busyBefore: 0.02,
};

const part = (measure: () => Promise<Figure[]>): Part => ({
  name: "tried",
  title: "Tried & tested",
  how: "By hand.",
  expectSeconds: () => 1,
  measure,
});

const reportOf = async (measured: Part): Promise<Report> => {
  const { report } = await runPart(measured, SETTINGS);
  const settings = { rounds: 3, seconds: 1, streams: 1 };
  return { at: "2026-01-31T00:00:00.000Z", machine: MACHINE, settings, parts: [report] };
};

const FIGURES: Figure[] = [
  { what: "with | without", unit: "ms", rounds: [3, 1, 2] },
  { what: "one over the other", unit: "×", rounds: [1.5] },
];

test("a figure is the median of its rounds with the lowest and the highest, in table and picture", async () => {
  const report = await reportOf(part(async () => FIGURES));
  const markdown = renderMarkdown(report, "here.svg");
  expect(markdown).toContain("| with \\| without | 2.00 | ms | 1.00 to 3.00 |");
  expect(markdown).toContain("| one over the other | × 1.50 |  | one round |");
  expect(markdown).toContain("![All figures as bars](here.svg)");
  expect(markdown).not.toContain("not free");
  const svg = renderSvg(report);
  expect(svg).toContain("A &lt;fast&gt; one");
  expect(svg).toContain("Tried &amp; tested");
  expect(svg.match(/<rect /g)).toHaveLength(1 + FIGURES.length);
});

test("a machine that others use is told of", async () => {
  const report = await reportOf(part(async () => FIGURES));
  const used = { ...report, machine: { ...MACHINE, busyBefore: 0.4 } };
  expect(renderMarkdown(used, "here.svg")).toContain("others used 40 % of its processors");
});

test.each([
  ["fails", () => Promise.reject(new Error("no\nserver")), "no server"],
  [
    "comes to no number",
    async () => [{ ...FIGURES[0], rounds: [Number.NaN] } as Figure],
    "came to no number",
  ],
])("a part that %s says so in the report", async (_what, measure, said) => {
  const report = await reportOf(part(measure));
  expect(renderMarkdown(report, "here.svg")).toMatch(new RegExp(`\\*\\*This part failed:\\*\\* .*${said}`));
  expect(renderSvg(report)).toContain("</svg>");
});

test("contenders take turns, forwards and backwards, and keep their rounds apart", async () => {
  const order: string[] = [];
  const contender = (name: string) => ({ name, run: async () => `${name}${order.push(name)}` });
  const measured = await inTurns(SETTINGS, ["a", "b"].map(contender));
  expect(order.join("")).toBe("abbaab");
  expect(measured).toEqual([
    ["a1", "a4", "a5"],
    ["b2", "b3", "b6"],
  ]);
  expect(ratio("a over b", [2, 9], [1, 3]).rounds).toEqual([2, 3]);
});

test("parts are chosen by name in the order of the report, and each name is one part", () => {
  expect(chooseParts("streams,latency").map(({ name }) => name)).toEqual(["latency", "streams"]);
  expect(() => chooseParts("latency,speed")).toThrow(/there is no speed; choose from .*latency/);
  expect(new Set(PARTS.map(({ name }) => name)).size).toBe(PARTS.length);
  for (const one of PARTS) expect(one.expectSeconds(SETTINGS)).toBeGreaterThan(0);
});

test.each([
  [0, "0"],
  [0.0123, "0.012"],
  [1.234, "1.23"],
  [12.34, "12.3"],
  [12_345.6, "12,346"],
  [Number.NaN, "–"],
])("%d is shown as %s", (value, text) => {
  expect(shown(value)).toBe(text);
});
