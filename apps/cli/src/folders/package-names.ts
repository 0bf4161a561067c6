import { type AnyNode, parse, type Program } from "acorn";
import { MagicString } from "magic-string";
import { declaredNames, eachNode } from "./walk-tree.ts";

/**
 * The check of a tool's code refuses some words that packages use in passing, mostly to find out where they run: `process`,
 * `globalThis`, `x.constructor`. That check is for people who write tools, and no wall: packages get variables of these names
 * instead. What they hold is what a tool has: nothing, or its own globals.
 */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["process", "undefined"],
  ["global", "toolGlobal"],
  ["globalThis", "toolGlobal"],
  ["Function", "toolFunction"],
]);
const KEYS: ReadonlyMap<unknown, string> = new Map([
  ["constructor", "toolKeys.made"],
  ["__proto__", "toolKeys.under"],
]);

/** Most files have none of them, and are not parsed. */
const ANY = /\b(?:process|global|globalThis|Function)\b|\bconstructor\b(?!\s*\()|__proto__/;

/** What the names above come from. */
const DECLARED = `const toolKeys = { made: "constructor", under: "__proto__" };
const toolFunction = (() => {})[toolKeys.made];
const toolGlobal = (() => {
  const all = { Array, ArrayBuffer, BigInt, Boolean, DataView, Date, Error, Float32Array, Float64Array, Function: toolFunction, Infinity, Int16Array, Int32Array, Int8Array, JSON, Map, Math, NaN, Number, Object, Promise, Proxy, RangeError, ReferenceError, Reflect, RegExp, Set, String, Symbol, SyntaxError, TypeError, URIError, Uint16Array, Uint32Array, Uint8Array, Uint8ClampedArray, WeakMap, WeakSet, decodeURIComponent, encodeURIComponent, isFinite, isNaN, parseFloat, parseInt, setTimeout, clearTimeout, URL, URLSearchParams, Headers, Request, Response, AbortController, FormData, TextEncoder, TextDecoder, structuredClone, crypto, atob, btoa, console };
  if (typeof fetch !== "undefined") all.fetch = fetch;
  return all;
})();
`;

/** The lines that a bundle needs before it; none where no package of it has such a name. */
export const namesFor = (bundled: string): string[] =>
  /\btool(?:Keys|Function|Global)\b/.test(bundled) ? DECLARED.split(/(?<=\n)/) : [];

/** The text of a package's file in words that a tool may have; null where nothing changes. Throws a SyntaxError. */
export function withToolNames(text: string, file: string): string | null {
  if (!ANY.test(text)) return null;
  const program = parseEither(text);
  const edited = new MagicString(text);
  const used = new Set<string>();
  eachNode(program, (node) => {
    if (node.type === "Identifier" && INSTEAD.has(node.name)) used.add(node.name);
    renameKey(edited, node);
    return true;
  });
  const own = new Set(program.body.flatMap(declaredNames));
  const given = [...used].filter((name) => !own.has(name));
  if (given.length > 0)
    edited.appendLeft(
      program.body[0]?.start ?? 0,
      `var ${given.map((name) => `${name} = ${INSTEAD.get(name)}`).join(", ")}; `,
    );
  if (!edited.hasChanged()) return null;
  const map = edited.generateMap({ source: file, hires: "boundary" });
  return `${edited.toString()}\n//# sourceMappingURL=${map.toUrl()}`;
}

/** Packages are modules of either kind. */
function parseEither(text: string): Program {
  const options = { ecmaVersion: "latest", allowHashBang: true } as const;
  try {
    return parse(text, { ...options, sourceType: "module" });
  } catch {
    return parse(text, { ...options, sourceType: "script", allowReturnOutsideFunction: true });
  }
}

function renameKey(edited: MagicString, node: AnyNode): void {
  if (node.type === "MemberExpression") {
    const { property, computed, optional } = node;
    if (computed) renameText(edited, property);
    else if (property.type === "Identifier" && KEYS.has(property.name)) {
      const dot = edited.original.lastIndexOf(".", property.start - 1);
      edited.overwrite(dot, property.end, `${optional ? "." : ""}[${KEYS.get(property.name)}]`);
    }
  }
  if (node.type !== "ObjectPattern") return;
  for (const property of node.properties) {
    if (property.type !== "Property" || property.shorthand) continue;
    const { key, computed } = property;
    if (computed) renameText(edited, key);
    else if (key.type === "Identifier" && KEYS.has(key.name))
      edited.overwrite(key.start, key.end, `[${KEYS.get(key.name)}]`);
  }
}

function renameText(edited: MagicString, node: AnyNode): void {
  if (node.type !== "Literal") return;
  const key = KEYS.get(node.value);
  if (key !== undefined) edited.overwrite(node.start, node.end, key);
}
