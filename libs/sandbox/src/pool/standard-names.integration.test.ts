import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { Heard, ONE_ISOLATE, runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 1, blankTarget: 1 });
});
afterAll(() => pool.close());

const AsyncFunction = (async () => undefined).constructor as new (code: string) => () => Promise<unknown>;
const HELPERS = `const thrown = async (work) => { try { return ["value", await work()] } catch (e) { return [e.name, e instanceof Error] } };
  const utf8 = (text) => new TextEncoder().encode(text);`;

/** Node's are the measure: the same code gives the same value there. */
async function expectAsInNode(expression: string): Promise<void> {
  const code = `${HELPERS} return ${expression}`;
  const expected = JSON.stringify(await new AsyncFunction(code)());
  expect(await runQuietly(pool, toolRun(code, ONE_ISOLATE))).toMatchObject({
    outcome: "returned",
    json: expected,
  });
}

/** Names with a code, without one any more, and one of a tool's own. */
const DOM_NAMES =
  `IndexSizeError HierarchyRequestError WrongDocumentError InvalidCharacterError NoModificationAllowedError NotFoundError
  NotSupportedError InUseAttributeError InvalidStateError SyntaxError InvalidModificationError NamespaceError InvalidAccessError
  TypeMismatchError SecurityError NetworkError AbortError URLMismatchError TimeoutError InvalidNodeTypeError DataCloneError
  EncodingError NotReadableError OperationError DOMStringSizeError ValidationError Own`.split(/\s+/);

it.each([
  `(() => { const e = new DOMException("m", "AbortError"); return [e.name, e.message, e.code, String(e), Object.prototype.toString.call(e), e instanceof DOMException, e instanceof Error, Object.keys(e), JSON.stringify(e), e.stack.split("\\n")[0]] })()`,
  `[new DOMException(), new DOMException("m"), new DOMException(undefined, "own"), new DOMException(1, "TimeoutError")].map((e) => [e.name, e.message, e.code])`,
  `[Object.keys(DOMException), Object.keys(DOMException).map((name) => [DOMException[name], DOMException.prototype[name]]), DOMException.length, DOMException.name]`,
  `${JSON.stringify(DOM_NAMES)}.map((name) => new DOMException("", name).code)`,
  `thrown(() => DOMException("m"))`,
  `thrown(() => DOMException.prototype.name)`,
  `(() => { class Own extends DOMException {} const e = new Own("m", "DataError"); return [e.name, e.code, e instanceof DOMException] })()`,
  `(() => { const e = structuredClone(new DOMException("m", "NotFoundError")); return [e instanceof DOMException, e.name, e.message, e.code] })()`,
  ...[
    "AbortSignal.abort().throwIfAborted()",
    "structuredClone(() => 1)",
    "btoa('→')",
    "atob('a')",
    "await crypto.subtle.digest('MD5', utf8('x'))",
    "crypto.getRandomValues(new Float64Array(1))",
  ].map(
    (work) =>
      `(async () => { try { ${work} } catch (e) { return [e instanceof DOMException, e.name, e.code] } })()`,
  ),
  `new Promise((done) => { const s = AbortSignal.timeout(1); s.onabort = () => done([s.reason instanceof DOMException, s.reason.name, s.reason.code]) })`,
])("a DOMException is as in Node: %s", expectAsInNode);

it("a DOMException that nobody caught is told with its name", async () => {
  const thrown = "throw AbortSignal.abort().reason";
  expect(await runQuietly(pool, toolRun(thrown))).toMatchObject({
    outcome: "threw",
    message: "AbortError: This operation was aborted (tool.js:1:19)",
  });
});

it("and with its own name where it was rejected in vain", async () => {
  const heard = new Heard();
  await pool.run(toolRun("Promise.reject(AbortSignal.abort().reason)"), heard, new AbortController().signal);
  expect(heard.said.at(-1)).toMatch(
    /^error: Uncaught AbortError: This operation was aborted \(tool\.js:1:\d+\)$/,
  );
});

it("one that is returned is its name and message", async () => {
  expect(await runQuietly(pool, toolRun("return new DOMException('m', 'AbortError')"))).toMatchObject({
    json: '{"name":"AbortError","message":"m"}',
  });
});

/** The encoding standard's of UTF-8, UTF-16 and windows-1252, and what is none. */
const LABELS =
  `unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8 csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff
  utf-16 utf-16le unicodefffe utf-16be ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1
  iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252 iso8859_1 utf_8 __proto__ constructor`.split(
    /\s+/,
  );

it("a TextDecoder knows the standard's labels of its codings, as in Node", () =>
  expectAsInNode(
    `${JSON.stringify(LABELS)}.map((label) => { try { return new TextDecoder(label).encoding } catch (e) { return e.name } })`,
  ));
