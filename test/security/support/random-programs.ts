import * as fc from "fast-check";

/** Names that lead somewhere, or might. */
const NAMES = [
  "args", "input", "context", "console", "emit", "fetch", "setTimeout", "queueMicrotask", "structuredClone", "URL",
  "Headers", "Response", "AbortController", "DOMException", "TextEncoder", "crypto", "utils", "api", "Object", "Array", "Promise",
  "Proxy", "Reflect", "JSON", "Map", "WeakRef", "Symbol", "RegExp", "Error", "Date", "Intl", "Temporal", "BigInt",
  "ArrayBuffer", "Uint8Array", "Iterator", "Math", "eval", "Function", "globalThis", "process", "require", "post",
  "ask", "enter", "this", "arguments", "undefined", "a", "b", "c",
]; // prettier-ignore
const KEYS = [
  "constructor", "prototype", "__proto__", "then", "toString", "valueOf", "toJSON", "call", "apply", "bind", "caller",
  "arguments", "length", "name", "message", "stack", "cause", "get", "set", "next", "return", "throw", "0", "a", "b",
  "log", "href", "text", "json", "signal", "reason", "map", "forEach", "push", "exec", "replace", "deref", "raw",
]; // prettier-ignore
const SYMBOLS = [
  "iterator",
  "asyncIterator",
  "species",
  "toPrimitive",
  "hasInstance",
  "unscopables",
  "toStringTag",
  "dispose",
];
const LITERALS = [
  "0", "-1", "1e9", "NaN", "2n ** 2000n", "''", "'x'.repeat(1000)", "'__proto__'", "null", "true", "/(a+)+b/", "[]",
  "{}", "() => a", "async () => a", "function* () { yield a }", "class {}", "new Error('x')", "Symbol('s')",
  "new Proxy({}, {})", "''.padStart(2 ** 20)", "new Array(1e6)", "new Date(NaN)", "Symbol.iterator",
]; // prettier-ignore

const pick = (values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...values);
const join = (separator: string, ...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((all) => all.join(separator));

/** Programs of a small language that knows where it hurts. Most compile, and end by themselves or by a limit. */
const { statement } = fc.letrec<{ expression: string; statement: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    pick(LITERALS),
    pick(NAMES),
    join(".", pick(NAMES), pick(KEYS)),
    fc
      .tuple(tie("expression"), pick(KEYS))
      .map(([of, key]) => `(${of})?.${/^\d/u.test(key) ? `[${key}]` : key}`),
    fc.tuple(tie("expression"), pick(SYMBOLS)).map(([of, key]) => `(${of})?.[Symbol.${key}]`),
    fc.tuple(tie("expression"), tie("expression")).map(([f, x]) => `(${f})?.(${x})`),
    fc.tuple(tie("expression"), tie("expression")).map(([f, x]) => `new (${f})(${x})`),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `[${a}, ${b}]`),
    fc
      .tuple(pick(KEYS), tie("expression"))
      .map(([key, x]) => `{ ${JSON.stringify(key)}: ${x} }`.replace(/^/u, "(").concat(")")),
    fc
      .tuple(pick(KEYS), tie("expression"))
      .map(([key, x]) => `({ get [${JSON.stringify(key)}]() { return ${x} } })`),
    fc
      .tuple(tie("expression"), tie("expression"))
      .map(([x, y]) => `new Proxy(Object(${x}), { get: () => ${y} })`),
    tie("expression").map((x) => `Reflect.construct(Object, [${x}])`),
    tie("expression").map((x) => `await (${x})`),
    tie("expression").map((x) => `(async () => ${x})()`),
    tie("expression").map((x) => `({ then(r) { r(${x}) } })`),
  ),
  statement: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.tuple(pick(["a", "b", "c"]), tie("expression")).map(([name, x]) => `${name} = ${x};`),
    tie("expression").map((x) => `console.log(${x});`),
    tie("expression").map((x) => `emit(${x});`),
    tie("expression").map((x) => `void (${x});`),
    tie("expression").map((x) => `return ${x};`),
    tie("expression").map((x) => `throw ${x};`),
    tie("expression").map((x) => `setTimeout(() => ${x}, 1);`),
    tie("expression").map((x) => `Promise.reject(${x});`),
    tie("expression").map((x) => `fetch(${x}).then((r) => { a = r }, (e) => { b = e });`),
    fc
      .tuple(pick(NAMES), pick(KEYS), tie("expression"))
      .map(([o, k, x]) => `try { ${o}["${k}"] = ${x} } catch (e) { c = e }`),
    fc
      .tuple(pick(NAMES), pick(KEYS), tie("expression"))
      .map(
        ([o, k, x]) =>
          `try { Object.defineProperty(${o}.prototype ?? ${o}, "${k}", { value: ${x}, configurable: true, writable: true }) } catch (e) { c = e }`,
      ),
    fc
      .tuple(tie("expression"), tie("statement"))
      .map(([x, s]) => `for (const i of Array(3)) { if (${x}) { ${s} } }`),
    fc
      .tuple(tie("statement"), tie("statement"))
      .map(([s, t]) => `try { ${s} } catch (e) { b = e; ${t} } finally { c = 1 }`),
    fc.tuple(tie("statement"), tie("statement")).map(([s, t]) => `${s} ${t}`),
    tie("statement").map((s) => `await (async () => { ${s} })();`),
    tie("statement").map((s) => `(function () { ${s.replaceAll("await", "")} })();`),
    tie("expression").map((x) => `for (let n = 0; ; n++) { a = ${x}; if (n > 1e4) await null }`),
  ),
}));

/** A whole tool. */
export const randomProgram: fc.Arbitrary<string> = fc
  .array(statement, { minLength: 1, maxLength: 6 })
  .map((all) => `let a = 1, b = {}, c = [];\n${all.join("\n")}`);

/** A known attack, with parts of others in its place: cut, doubled, spliced, or with other names. */
export const mutatedProgram = (attacks: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(pick(attacks), pick(attacks), fc.nat(), fc.nat(), fc.nat(5), pick(NAMES), pick(KEYS))
    .map(([one, other, at, to, how, name, key]) => {
      const [from, until] = [at % (one.length + 1), to % (other.length + 1)];
      const other2 = other.slice(until);
      return [
        `${one.slice(0, from)}${other2}`,
        `${one}\n${other}`,
        `try { ${one} } catch { ${other} }`,
        one.replace(/\b[A-Z]\w+/u, name),
        one.replace(/\.\w+/u, `.${key}`),
        `(async () => { ${one} })(); ${other}`,
      ][how] as string;
    });
