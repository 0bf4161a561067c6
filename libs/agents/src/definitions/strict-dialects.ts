/** The schemas that a provider's strict mode can express, and the bounds of one request. */
export interface StrictDialect {
  /** Keywords it understands, beside annotations, which are left out. */
  keywords: ReadonlySet<string>;
  /** Values of `format` it understands. */
  formats: ReadonlySet<string>;
  /** Whether every property of an object has to be given. */
  allRequired: boolean;
  /** The bounds of one schema. */
  depthMax: number;
  propertiesMax: number;
  enumValuesMax: number;
  /** Characters of names and of the values of enums together. */
  charsMax: number;
  /** The bounds of all strict schemas of one request together. */
  request: { tools: number; optionals: number; unions: number };
}

const SHAPE = ["type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf"];
const NUMBERS = ["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const FORMATS = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/** As OpenAI documents its structured outputs (February 2026). */
export const OPENAI: StrictDialect = {
  keywords: new Set([...SHAPE, ...NUMBERS, "$ref", "$defs", "pattern", "format", "minItems", "maxItems"]),
  formats: new Set(FORMATS),
  allRequired: true,
  depthMax: 10,
  propertiesMax: 5_000,
  enumValuesMax: 1_000,
  charsMax: 120_000,
  request: { tools: Infinity, optionals: 0, unions: Infinity },
};

/** As Anthropic documents strict tool use: no bounds of numbers, texts and lists; few strict tools in one request. */
export const ANTHROPIC: StrictDialect = {
  ...OPENAI,
  keywords: new Set([...SHAPE, "format"]),
  formats: new Set([...FORMATS, "uri"]),
  allRequired: false,
  request: { tools: 20, optionals: 24, unions: 16 },
};

/** The AI SDK hands a strict schema on to any provider; these are the keywords that all of them express. */
export const EVERY_PROVIDER: StrictDialect = {
  ...ANTHROPIC,
  formats: new Set(FORMATS),
  allRequired: true,
};
