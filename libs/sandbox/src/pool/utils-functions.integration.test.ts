import { createHash } from "node:crypto";
import type { SandboxVerdict } from "@bulkhead/core";
import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { Heard, runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 2, blankTarget: 0 });
});
afterAll(() => pool.close());

const CONFIG = JSON.stringify({
  services: {
    weather: {
      displayName: "Weather",
      entries: [
        { label: "old", isDefault: false, data: { api_key: "k-old" } },
        { label: "main", isDefault: true, data: { api_key: "k-main", base_url: "https://w.example" } },
      ],
    },
  },
});

/** All cases in one isolate, as the versions of one tool; each has a fresh context all the same. */
const verdictOf = (code: string): Promise<SandboxVerdict> =>
  runQuietly(pool, toolRun(code, { configJson: CONFIG, isolateKey: "utils" }));

const valueOf = async (expression: string): Promise<unknown> => {
  const verdict = await verdictOf(`return ${expression}`);
  expect(verdict, JSON.stringify(verdict)).toMatchObject({ outcome: "returned" });
  return verdict.outcome === "returned" ? JSON.parse(verdict.json) : undefined;
};

/** A few rows for every function; the edges have their tables beside the guest's code. */
const VALUES: [expression: string, expected: unknown][] = [
  ["utils.getApiKey('weather')", "k-main"],
  [
    "[utils.getApiKey('other'), utils.getServiceConfig('other'), utils.getConfigEntries('other')]",
    [null, null, []],
  ],
  ["utils.getServiceConfig('weather').displayName", "Weather"],
  ["utils.getConfigEntry('weather')", { api_key: "k-main", base_url: "https://w.example" }],
  ["utils.getConfigEntry('weather', 'old')", { api_key: "k-old" }],
  ["utils.getConfigEntries('weather').map((entry) => entry.label)", ["old", "main"]],
  ["utils.getFieldValue('weather', 'base_url')", "https://w.example"],
  ["utils.getFieldValue('weather', 'api_key', 'old')", "k-old"],
  [
    "utils.output({ forLLM: utils.content([{ type: 'image', data: new TextEncoder().encode('ä'), mimeType: 'image/png' }]), forUser: new Set([1]) })",
    {
      $bulkhead: "output",
      forLLM: {
        $bulkhead: "content",
        content: [{ type: "image", data: "w6Q=", mimeType: "image/png" }],
      },
      forUser: [1],
    },
  ],
  ["/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(utils.uuid())", true],
  ["utils.isUuid(utils.uuid()) && utils.uuid() !== utils.uuid()", true],
  ["[utils.generatePassword().length, utils.generatePassword(40).length]", [16, 40]],
  ["utils.base64Decode(utils.base64Encode('größe 𝄞'))", "größe 𝄞"],
  ["[utils.base64Encode('größe'), utils.hexEncode('größe')]", ["Z3LDtsOfZQ==", "6772c3b6c39f65"]],
  ["utils.hexDecode('6772C3B6c39f65')", "größe"],
  ["[utils.urlEncode('a b&ä'), utils.urlDecode('a%20b%26%C3%A4')]", ["a%20b%26%C3%A4", "a b&ä"]],
  [
    "((a, b, c) => Date.parse(a) <= b && b <= Date.parse(c))(utils.now(), utils.timestamp(), utils.now())",
    true,
  ],
  ["utils.dateDiff('2026-01-01', '2026-01-31')", 30],
  ["utils.dateAdd('2026-01-31', 1, 'months')", "2026-02-28T00:00:00.000Z"],
  ["utils.dateDiff('now', utils.dateAdd('now', 90, 'minutes'), 'hours').toFixed(1)", "1.5"],
  ["utils.formatDate('2026-01-31')", "Saturday, January 31, 2026"],
  ["utils.formatDate('2026-01-31', 'de')", "Samstag, 31. Januar 2026"],
  ["utils.slugify('Crème Brûlée & Co.')", "creme-brulee-co"],
  [
    "[utils.camelCase('some words'), utils.snakeCase('someWords'), utils.kebabCase('Some Words')]",
    ["someWords", "some_words", "some-words"],
  ],
  ["utils.titleCase('hello wORLD')", "Hello World"],
  ["[utils.truncate('x'.repeat(200)).length, utils.truncate('abcdef', 4, '…')]", [100, "abc…"]],
  ["[utils.countWords(' two  words '), utils.countWords('你好世界')]", [2, 2]],
  ["utils.removeDiacritics('Crème ßø')", "Creme sso"],
  ["[utils.isEmail('a@b.example'), utils.isEmail('a@b')]", [true, false]],
  ["[utils.isUrl('https://b.example/p'), utils.isUrl('ftp://b.example')]", [true, false]],
  ["[utils.isJson('{}'), utils.isJson('{')]", [true, false]],
  ["utils.clamp(15, 0, 10)", 10],
  ["[utils.round(1.005), utils.round(2.5, 0), utils.round(1234, -2)]", [1.01, 3, 1200]],
  ["[utils.randomInt(7, 7), utils.randomInt() <= 100]", [7, true]],
  ["[utils.sum([1, 2]), utils.avg([1, 2]), utils.avg([])]", [3, 1.5, 0]],
  ["utils.parseJson(utils.toJson({ a: [1] }))", { a: [1] }],
  ["utils.parseCsv('a;b\\n1;\"2;3\"', ';')", [{ a: "1", b: "2;3" }]],
  ["utils.flatten({ a: { b: [1] } })", { "a.b[0]": 1 }],
  ["[utils.getPath({ a: [{ b: 1 }] }, 'a[0].b'), utils.getPath({}, 'constructor')]", [1, null]],
  ["utils.unique([1, 1, 2])", [1, 2]],
  ["utils.chunk([1, 2, 3], 2)", [[1, 2], [3]]],
  ["utils.shuffle([3, 1, 2]).sort()", [1, 2, 3]],
  ["[utils.sample([1, 2, 3]).length, new Set(utils.sample([1, 2, 3], 2)).size]", [1, 2]],
  [
    "utils.groupBy([{ t: 'a', n: 1 }, { t: '__proto__', n: 2 }], 't')",
    JSON.parse('{"a":[{"t":"a","n":1}],"__proto__":[{"t":"__proto__","n":2}]}'),
  ],
];

const FUNCTIONS =
  "content output getApiKey getServiceConfig getConfigEntry getConfigEntries getFieldValue hash uuid generatePassword base64Encode base64Decode urlEncode urlDecode hexEncode hexDecode now timestamp dateDiff dateAdd formatDate slugify camelCase snakeCase kebabCase titleCase truncate countWords removeDiacritics isEmail isUrl isJson isUuid clamp round randomInt sum avg parseJson toJson parseCsv flatten getPath unique chunk shuffle sample groupBy".split(
    " ",
  );

describe("utils", () => {
  it("has every documented function", async () => {
    const kinds = `Object.fromEntries(${JSON.stringify(FUNCTIONS)}.map((name) => [name, typeof utils[name]]))`;
    expect(await valueOf(kinds)).toEqual(Object.fromEntries(FUNCTIONS.map((name) => [name, "function"])));
  });

  it.each(VALUES)("%s", async (expression, expected) => {
    expect(await valueOf(expression)).toEqual(expected);
  });

  const algorithms = [
    "md5",
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha3-256",
    "sha3-384",
    "sha3-512",
  ];
  it.each(algorithms)("hashes with %s, whatever its case and dashes", async (algorithm) => {
    const text = "größe \u{d800} 𝄞";
    const expected = createHash(algorithm).update(text.toWellFormed()).digest("hex");
    const names = [
      algorithm,
      algorithm.toUpperCase(),
      algorithm.replace("sha", "sha-"),
      algorithm.replaceAll("-", ""),
    ];
    const code = `${JSON.stringify(names)}.map((name) => utils.hash(${JSON.stringify(text)}, name))`;
    expect(await valueOf(code)).toEqual(names.map(() => expected));
  });

  it("hashes with SHA-256 unless told otherwise, also a megabyte", async () => {
    const expected = createHash("sha256").update("ö".repeat(500_000)).digest("hex");
    expect(await valueOf("utils.hash('ö'.repeat(500000))")).toBe(expected);
  });

  it.each([
    ["utils.hash('x', 'crc32')", `RangeError: utils.hash: algorithm must be one of ${algorithms.join(", ")}`],
    ["utils.truncate('x', '5')", "TypeError: utils.truncate: maxLength must be a number"],
    ["utils.slugify(null)", "TypeError: utils.slugify: text must be a string"],
    [
      "utils.parseJson('{a:1}')",
      'SyntaxError: utils.parseJson: unexpected "a" at position 1 (line 1, column 2)',
    ],
    [
      "utils.dateAdd('soon', 1)",
      "TypeError: utils.dateAdd: date is not a date (ISO 8601, as 2026-01-31T12:00:00Z)",
    ],
    ["utils.toJson(1n)", "TypeError: utils.toJson: data has a BigInt, which JSON can't hold"],
  ])("%s fails with a clear error and the place in the tool", async (expression, message) => {
    const verdict = await verdictOf(`const x = 1;\n${expression}`);
    expect(verdict).toMatchObject({ outcome: "threw", message: expect.stringContaining(message) });
    expect(verdict).toMatchObject({ message: expect.stringMatching(/ \(tool\.js:2:\d+\)$/) });
  });

  it("can be taken apart", async () => {
    expect(
      await valueOf("(() => { const { round, sum } = utils; return round(sum([0.1, 0.2]), 1); })()"),
    ).toBe(0.3);
  });

  it("draws new random numbers in every run", async () => {
    const draws = await Promise.all([1, 2, 3].map(() => valueOf("utils.generatePassword()")));
    expect(new Set(draws).size).toBe(3);
  });
});

describe("api", () => {
  it("writes log lines, tells the time, and has no network without the permission", async () => {
    const heard = new Heard();
    const code = `api.log("a", { b: 1 });
      const [before, at, after] = [Date.now(), api.date().getTime(), Date.now()];
      return [before <= at && at <= after, typeof api.rest, typeof api.graphql]`;
    const verdict = await pool.run(toolRun(code), heard, new AbortController().signal);
    expect(verdict).toMatchObject({ json: '[true,"undefined","undefined"]' });
    expect(heard.said).toEqual(["started", "info: a { b: 1 }"]);
  });
});
