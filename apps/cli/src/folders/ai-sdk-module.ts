/** The namespace of what stands for the package `ai` in a bundle. */
export const AI_SDK = "ai-sdk";

/** What tools take from the AI SDK, by name; the rest of it talks to models, which is not a tool's work. */
const EXPORTS: Readonly<Record<string, string>> = {
  tool: "(one) => one",
  dynamicTool: `(one) => ({ ...one, type: "dynamic" })`,
  jsonSchema: "(schema, { validate } = {}) => ({ jsonSchema: resolved(schema), validate })",
  zodSchema: "(schema) => resolved(schema)",
  asSchema: "(schema) => resolved(schema)",
  generateId: "() => crypto.randomUUID()",
};

/** A schema may be given as a function that makes it; some libraries' schemas are functions themselves. */
const RESOLVED = `const resolved = (schema) => (typeof schema === "function" && !("~standard" in schema) ? schema() : schema);\n`;

export const AI_SDK_TEXT =
  RESOLVED +
  Object.entries(EXPORTS)
    .map(([name, made]) => `export const ${name} = ${made};\n`)
    .join("");

/** What is said of an import that is not there; null for a message of something else. */
export function missingOfAiSdk(text: string): string | null {
  const [, name] = /^No matching export in "ai-sdk:ai" for import "([^"]+)"/.exec(text) ?? [];
  if (name === undefined) return null;
  return `imports ${name} of ai, which tools don't have: they have ${Object.keys(EXPORTS).join(", ")}, and talk to no model`;
}
