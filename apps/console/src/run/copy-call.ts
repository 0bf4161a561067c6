import { harmlessJson } from "@bulkhead/core/harmless";

/** A call, to be made again from elsewhere. */
export interface Call {
  tool: string;
  arguments: Record<string, unknown>;
}

/** One word of a POSIX shell, whatever it holds. */
const shellWord = (text: string): string =>
  /^[\w./:-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** What ends a quoted word, in PowerShell also the typographic ones. */
const QUOTES = /['\u2018-\u201b]/g;

/** What cmd.exe reads, for which `'` quotes nothing. */
const CMD = /[&|<>^%!]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * As a shell takes it: JSON has no line breaks, and hidden characters are escapes. What a shell reads is, too, so that neither
 * PowerShell, which knows no `'\''`, nor cmd.exe, where the word does not arrive whole, runs anything of a value.
 */
const jsonWord = (value: unknown): string =>
  shellWord(harmlessJson(value, 0).replaceAll(QUOTES, escaped).replaceAll(CMD, escaped));

export function curlOf(url: string, { tool, arguments: args }: Call): string {
  const address = shellWord(`${url}/api/v1/custom-tools/${encodeURIComponent(tool)}/execute`);
  return [
    `curl -X POST ${address}`,
    `-H "Authorization: Bearer $BULKHEAD_KEY"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${jsonWord({ arguments: args })}`,
  ].join(" \\\n  ");
}

export const cliOf = ({ tool, arguments: args }: Call): string => {
  const words = [shellWord(harmlessJson(tool, 0).slice(1, -1)), jsonWord(args)];
  return `bulkhead run ${words.join(" ")}`;
};

export function sdkOf(url: string, { tool, arguments: args }: Call): string {
  const json = harmlessJson(args);
  // As a name in a literal it would set the object's prototype.
  const literal = json.includes('"__proto__"')
    ? `JSON.parse(${harmlessJson(harmlessJson(args, 0), 0)})`
    : json;
  return [
    `import { Bulkhead } from "@bulkhead/client";`,
    "",
    `const client = new Bulkhead({ url: ${harmlessJson(url, 0)}, key: "bh_…" });`,
    `const result = await client.tools.run(${harmlessJson(tool, 0)}, ${literal});`,
    `console.log(result);`,
    "",
  ].join("\n");
}
