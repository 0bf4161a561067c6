import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rankSkills } from "./rank-skills.ts";
import { readSkill } from "./read-skill.ts";
import { termsIn } from "./skill-terms.ts";

test.each([
  ["Über-PDFs, v2.0!", ["über", "pdfs", "v2", "0"]],
  ["ＦＵＬＬ width", ["full", "width"]],
  ["東京都の天気", ["東京", "京都", "都の", "の天", "天気"]],
  ["PDF解析データ", ["pdf", "解析", "析デ", "デー", "ータ"]],
  ["水", ["水"]],
  ["Привет мир", ["привет", "мир"]],
  ["한국어 검색", ["한국어", "검색"]],
  [`${"x".repeat(65)} y`, ["y"]],
  ["", []],
])("the words of %j", (text, words) => {
  expect([...termsIn(text)]).toEqual(words);
});

const skill = (front: string, body = "") => readSkill(`---\n${front}\n---\n${body}`);

test("a skill has its front matter's name and description", () => {
  const read = skill("name: pdf-forms\ndescription: >\n  Fills in\n  forms.\ntags: [pdf, 7]", "Use it.");
  expect(read).toMatchObject({ name: "pdf-forms", description: "Fills in forms.", fault: null });
  expect(read.terms.get("7")).toBe(3);
  expect(skill("tags: one, two").terms.has("two")).toBe(true);
  expect(readSkill("\ufeff---\r\nname: a\r\n---\r\nx")).toMatchObject({ name: "a" });
});

test.each([
  ["no front matter", "just text", /no front matter/],
  ["none that ends", "---\nname: a\n", /no front matter/],
  ["no YAML", "---\nname: [\n---\n", /no YAML/],
  ["a list", "---\n- a\n---\n", /form/],
  ["a name that is none", "---\nname: {a: 1}\n---\n", /form/],
  ["aliases", `---\na: &a [x,x]\nb: [*a,*a]\n---\n`, /no YAML/],
  ["too much", `---\nname: ${"a".repeat(9_000)}\n---\n`, /4096 characters/],
])("with %s it is found by its text, and the fault is told", (_, source, fault) => {
  expect(readSkill(source)).toMatchObject({
    name: null,
    description: "",
    fault: expect.stringMatching(fault),
  });
});

test("any text is read, and quickly told from another", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      const { terms, length } = readSkill(text);
      expect([...terms.values()].reduce((sum, often) => sum + often, 0)).toBe(length);
    }),
  );
});

test("rare words, names and short texts come first; who has no word of the query is not there", () => {
  const all = {
    named: skill("name: invoices\ndescription: Writes invoices."),
    told: skill("name: books\ndescription: Keeps invoices."),
    long: skill("name: misc", `invoices ${"and other things ".repeat(200)}`),
    other: skill("name: weather\ndescription: Tells the weather."),
  };
  const nameOf = (found: object) => Object.entries(all).find(([, one]) => one === found)?.[0];
  const ranked = rankSkills(Object.values(all), "Invoices");
  expect(ranked.map((one) => nameOf(one.skill))).toEqual(["named", "told", "long"]);
  expect(rankSkills(Object.values(all), "nothing of it")).toEqual([]);
  expect(rankSkills([], "invoices")).toEqual([]);
});

test("the score is BM25's", () => {
  const one = { terms: new Map([["a", 2]]), length: 4 };
  const other = { terms: new Map([["b", 1]]), length: 2 };
  const idf = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5));
  const expected = (idf * 2 * 2.2) / (2 + 1.2 * (0.25 + (0.75 * 4) / 3));
  expect(rankSkills([one, other], "a")[0]?.score).toBeCloseTo(expected, 10);
});
