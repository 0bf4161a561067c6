/** The four tools of the end-to-end tests, as their authors would write them. */

export const WORD_COUNT = {
  name: "word_frequency",
  description: "Count how often each word stands in a text.",
  parameters: {
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
    additionalProperties: false,
  },
  code: `
    const words = args.text.toLowerCase().match(/[a-z']+/g) ?? [];
    const counts = new Map();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const top = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).slice(0, 3);
    console.log("counted", words.length, "words");
    return { total: words.length, unique: counts.size, top };
  `,
};

export const WEATHER = {
  name: "fetch_weather",
  description: "Look up the weather of a city.",
  permissions: ["network"],
  parameters: {
    type: "object",
    properties: { base: { type: "string", format: "uri" }, city: { type: "string", minLength: 1 } },
    required: ["base", "city"],
  },
  code: `
    const response = await fetch(args.base + "/v1/current.json?q=" + encodeURIComponent(args.city), {
      headers: { "x-api-key": "weather-key-1" },
    });
    if (!response.ok) return { error: "API error: " + response.status };
    const data = await response.json();
    console.info("asked for", args.city);
    return { city: data.location.name, celsius: data.current.temp_c, server: response.headers.get("x-server") };
  `,
};

export const CSV = {
  name: "csv_analyzer",
  description: "Statistics of one column of a CSV text.",
  parameters: {
    type: "object",
    properties: { csv: { type: "string" }, column: { type: "string" } },
    required: ["csv", "column"],
  },
  code: `
    const [header, ...rows] = input.csv.trim().split("\\n").map((line) => line.split(",").map((cell) => cell.trim()));
    const at = header.indexOf(input.column);
    if (at < 0) throw new Error("no such column: " + input.column);
    const values = rows.map((row) => Number(row[at])).filter(Number.isFinite);
    const sum = values.reduce((a, b) => a + b, 0);
    console.log("rows", rows.length);
    return { rows: rows.length, sum, mean: sum / values.length, min: Math.min(...values), max: Math.max(...values) };
  `,
};

export const TICKER = {
  name: "ticker",
  description: "Logs and emits for two seconds.",
  parameters: { type: "object", properties: {} },
  code: `
    for (let tick = 1; tick <= 20; tick += 1) {
      console.log("tick " + tick);
      emit({ tick, of: 20 });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return { ticks: 20, callId: context.callId ?? null };
  `,
};
