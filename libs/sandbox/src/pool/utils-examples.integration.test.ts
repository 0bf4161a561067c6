import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { Heard, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 1, blankTarget: 1 });
});
afterAll(() => pool.close());

/** The documentation's example tools, to the letter. */
const WORD_FREQUENCY = `const words = args.text.toLowerCase().match(/\\b\\w+\\b/g) || [];
const freq = {};
for (const word of words) {
  freq[word] = (freq[word] || 0) + 1;
}
const sorted = Object.entries(freq)
  .sort((a, b) => b[1] - a[1])
  .slice(0, 20);
return { totalWords: words.length, uniqueWords: Object.keys(freq).length, top20: sorted };`;

const FETCH_WEATHER = `const apiKey = utils.getApiKey('weatherapi');
if (!apiKey) return { error: 'WeatherAPI key not configured. Please add it in Config Center.' };

const url = \`https://api.weatherapi.com/v1/current.json?key=\${apiKey}&q=\${utils.urlEncode(args.city)}\`;
const response = await fetch(url);
if (!response.ok) return { error: \`API error: \${response.status}\` };

const data = await response.json();
return {
  location: data.location.name,
  country: data.location.country,
  temp_c: data.current.temp_c,
  condition: data.current.condition.text,
  humidity: data.current.humidity,
  wind_kph: data.current.wind_kph,
};`;

const CSV_ANALYZER = `const records = utils.parseCsv(args.csv);
if (records.length === 0) return { error: 'No records found in CSV' };

const columns = Object.keys(records[0]);
const result = {
  rowCount: records.length,
  columns: columns,
  id: utils.uuid(),
  analyzedAt: utils.now(),
};

if (args.numeric_column && columns.includes(args.numeric_column)) {
  const values = records
    .map(r => parseFloat(r[args.numeric_column]))
    .filter(v => !isNaN(v));
  result.stats = {
    count: values.length,
    sum: utils.sum(values),
    avg: utils.round(utils.avg(values), 2),
    min: Math.min(...values),
    max: Math.max(...values),
  };
}

return result;`;

async function resultOf(
  code: string,
  args: object,
  more: Parameters<typeof toolRun>[1] = {},
  heard = new Heard(),
): Promise<unknown> {
  const run = toolRun(code, { argumentsJson: JSON.stringify(args), ...more });
  const verdict = await pool.run(run, heard, new AbortController().signal);
  expect(verdict, JSON.stringify(verdict)).toMatchObject({ outcome: "returned" });
  return verdict.outcome === "returned" ? JSON.parse(verdict.json) : undefined;
}

describe("the documentation's example tools", () => {
  it("word_frequency counts words", async () => {
    expect(await resultOf(WORD_FREQUENCY, { text: "The cat and the hat. The end" })).toEqual({
      totalWords: 7,
      uniqueWords: 5,
      top20: [
        ["the", 3],
        ["cat", 1],
        ["and", 1],
        ["hat", 1],
        ["end", 1],
      ],
    });
    expect(await resultOf(WORD_FREQUENCY, { text: "" })).toEqual({
      totalWords: 0,
      uniqueWords: 0,
      top20: [],
    });
  });

  it("csv_analyzer describes a table", async () => {
    const csv = 'city,"price, net"\r\nOslo,10.105\r\n"Bergen, west",20\r\nnone,n/a\r\n';
    expect(await resultOf(CSV_ANALYZER, { csv, numeric_column: "price, net" })).toEqual({
      rowCount: 3,
      columns: ["city", "price, net"],
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      analyzedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      stats: { count: 2, sum: 30.105, avg: 15.05, min: 10.105, max: 20 },
    });
    expect(await resultOf(CSV_ANALYZER, { csv: "a,b\n" })).toEqual({ error: "No records found in CSV" });
  });

  it("fetch_weather says what is missing without a key", async () => {
    expect(await resultOf(FETCH_WEATHER, { city: "Oslo" }, { network: true })).toEqual({
      error: "WeatherAPI key not configured. Please add it in Config Center.",
    });
  });

  it("fetch_weather asks with its key", async () => {
    const body = JSON.stringify({
      location: { name: "Ålesund", country: "Norway" },
      current: { temp_c: 4, condition: { text: "Rain" }, humidity: 90, wind_kph: 30 },
    });
    const head = JSON.stringify({
      status: 200,
      statusText: "OK",
      headers: [],
      url: "",
      redirected: false,
      done: true,
    });
    const heard = new Heard(() => ({ ok: true, head, body, bodyEncoding: "utf8" }));
    const entries = [{ label: "default", isDefault: true, data: { api_key: "k-1" } }];
    const configJson = JSON.stringify({ services: { weatherapi: { entries } } });
    expect(
      await resultOf(FETCH_WEATHER, { city: "Ålesund" }, { network: true, configJson }, heard),
    ).toMatchObject({
      location: "Ålesund",
      condition: "Rain",
    });
    expect(heard.said).toContain(
      "fetch: GET https://api.weatherapi.com/v1/current.json?key=k-1&q=%C3%85lesund",
    );
  });
});
