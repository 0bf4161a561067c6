const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const MANIFEST = {
  name: "word_count",
  title: "Word count",
  description: "Counts the words of a text, and tells which ones come most often.",
  category: "text",
  permissions: [],
  limits: { cpuMs: 1_000, wallMs: 2_000 },
  idempotent: true,
  annotations: { readOnlyHint: true },
  parameters: {
    type: "object",
    properties: {
      text: { type: "string", maxLength: 100_000, description: "The text." },
      most: { type: "integer", minimum: 1, maximum: 100, default: 3, description: "How many of the words." },
    },
    required: ["text"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: {
      words: { type: "integer" },
      most: {
        type: "array",
        items: {
          type: "object",
          properties: { word: { type: "string" }, times: { type: "integer" } },
          required: ["word", "times"],
        },
      },
    },
    required: ["words", "most"],
    additionalProperties: false,
  },
};

const CODE = `// @ts-check

/** @param {{ text: string, most?: number }} args */
export async function run({ text, most = 3 }) {
  const words = text.toLowerCase().match(/[\\p{L}\\p{N}]+/gu) ?? [];
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  console.log(\`\${words.length} words, \${times.size} of them different\`);
  const sorted = [...times].toSorted(([one, often], [other, seldom]) => seldom - often || (one < other ? -1 : 1));
  return { words: words.length, most: sorted.slice(0, most).map(([word, count]) => ({ word, times: count })) };
}
`;

/** A tool to begin with, which needs nothing but itself; files by their paths. */
export const EXAMPLE_TOOL: ReadonlyMap<string, string> = new Map([
  ["word_count/manifest.json", json(MANIFEST)],
  ["word_count/tool.js", CODE],
  [
    "word_count/examples/most_of_a_sentence.json",
    json({
      description: "Words that come equally often stand in the order of the alphabet.",
      arguments: { text: "To be, or not to be", most: 2 },
      result: {
        words: 6,
        most: [
          { word: "be", times: 2 },
          { word: "to", times: 2 },
        ],
      },
    }),
  ],
  [
    "word_count/examples/other_scripts.json",
    json({ arguments: { text: "Zürich, 東京" }, result: { $match: { words: 2 } } }),
  ],
  ["word_count/examples/no_words.json", json({ arguments: { text: "…" }, result: { words: 0, most: [] } })],
]);
