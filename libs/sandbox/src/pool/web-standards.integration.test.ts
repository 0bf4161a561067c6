import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { Heard, ONE_ISOLATE, runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 1, blankTarget: 1 });
});
afterAll(() => pool.close());

const AsyncFunction = (async () => undefined).constructor as new (code: string) => () => Promise<unknown>;
const HELPERS = `const outcome = async (work) => { try { return await work() } catch (e) { return "! " + e.name } };
  const all = (...works) => Promise.all(works.map(outcome)); const bytes = (...list) => new Uint8Array(list);
  const collect = async (stream) => { const list = []; for await (const chunk of stream) list.push(chunk); return list };
  const count = (...chunks) => new ReadableStream({ start(c) { chunks.forEach((chunk) => c.enqueue(chunk)); c.close() } });`;

/** Node's are the measure: the same code gives the same value there. */
async function expectAsInNode(work: string): Promise<void> {
  const code = `${HELPERS} ${/^(?:const|let|class) /.test(work) ? work : `return ${work}`}`;
  const expected = JSON.stringify(await new AsyncFunction(code)());
  const verdict = await runQuietly(pool, toolRun(code, { network: true, ...ONE_ISOLATE }));
  expect(verdict).toMatchObject({ outcome: "returned", json: expected });
}

describe("as in Node:", () => {
  const CASES: Record<string, string[]> = {
    "options that are null are none, and what is no object is refused": [
      `all(() => new Response("x", null).status, () => new Response("x", 5), () => new Response("x", { headers: null }), () => Response.json(1, null).status)`,
      `all(() => new Request("https://a.example", null).url, () => new Request("https://a.example", "x"), () => new Request(), () => Response.json())`,
      `all(() => new Blob(["x"], null).size, () => new Blob(["x"], 5), () => new Blob(null), () => new File(["x"], "n", null).name)`,
      `all(() => new TextDecoder("utf-8", null).encoding, () => new TextDecoder().decode(bytes(65), null), () => new TextDecoder().decode(null))`,
      `all(() => structuredClone(1, null), () => structuredClone(1, 5), () => new Headers(null), () => new FormData(null))`,
      `all(() => String(new ReadableStream(undefined, null)), () => new ReadableStream(null), () => String(new ReadableStream().getReader(null)), () => typeof new ReadableStream().values(null))`,
      `all(() => fetch("data:,x", null).then((r) => r.text()), () => new Event("a", null).type, () => new Event("a", 5), () => new Event())`,
      `all(() => new EventTarget().addEventListener("a", () => 1, null), () => new EventTarget().addEventListener("a", () => 1, { signal: null }), () => new EventTarget().addEventListener("a", 5), () => new EventTarget().addEventListener("a"))`,
    ],
    "a pair with undefined is a pair": [
      `[new Headers([["a", undefined]]).get("a"), [...new URLSearchParams([["a", undefined]])]]`,
      `all(() => new Headers([["a"]]), () => new Headers([["a", "b", "c"]]), () => new URLSearchParams([["a"]]), () => new URLSearchParams([["a", "b", "c"]]))`,
    ],
    "a form keeps its files' names and times": [
      `const f = new FormData(); f.append("a", new Blob(["x"]), undefined); f.append("b", new File(["x"], "n", { lastModified: 5 }), "m"); f.set("c", new File(["y"], "o"), undefined);
       return [...f].map(([k, v]) => [k, v.name, k === "b" && v.lastModified])`,
      `all(() => new FormData().append("a", "b", undefined), () => new FormData().append("a", "b", "c"), () => new FormData().set("a", 1, undefined))`,
    ],
    "a form keeps byte order marks and blanks": [
      `const f = new FormData(); f.append("n ", "\\ufeff v "); return [...await new Response(f).formData()]`,
      `const form = await new Response('--x\\r\\nContent-Disposition: form-data; name=" a "; filename=" f "\\r\\nContent-Type:  text/plain \\r\\n\\r\\n\\ufeffb\\r\\n--x--', { headers: { "content-type": "multipart/form-data; boundary=x" } }).formData();
       const [[name, file]] = [...form]; return [name, file.name, file.type, [...await file.bytes()]]`,
    ],
    "a data: URL is fetched": [
      ..."data:,x data:text/html,<b>%20 data:;base64,eA== data:text/plain;charset=utf-8;%20base64,%20e%20A data:;base64,* data:x data:,%ff%zz data:;charset=x,ä data:,a?b#c data:image/png;base64,"
        .split(" ")
        .map(
          (url) =>
            `outcome(async () => { const r = await fetch(${JSON.stringify(url)}); return [r.status, r.statusText, r.type, r.url, r.ok, [...r.headers], [...await r.bytes()]] })`,
        ),
      `const r = await fetch("data:,x", { method: "HEAD" }); return [r.body, await r.text()]`,
      `outcome(() => fetch("data:,x", { signal: AbortSignal.abort() }))`,
    ],
    "structuredClone refuses what has no clone": [
      `all(...[new Intl.NumberFormat(), new Intl.DateTimeFormat(), new Intl.Collator(), new Intl.Segmenter("en"), new Intl.Locale("en"), new Intl.PluralRules(), new WritableStream(), new TransformStream()].map((v) => () => structuredClone({ v })))`,
      `const gone = new ArrayBuffer(2); const view = new Uint8Array(gone); const data = new DataView(gone); gone.transfer(); const b = new ArrayBuffer(1);
       return all(() => structuredClone(gone), () => structuredClone(view), () => structuredClone(data), () => structuredClone(gone, { transfer: [gone] }), () => structuredClone(b, { transfer: [b, b] }), () => structuredClone(1, { transfer: [{}] }))`,
      `Object.keys(structuredClone({ [Symbol.toStringTag]: "Intl.NumberFormat", a: 1 }))`,
    ],
    "events reach their listeners": [
      `const log = []; const t = new EventTarget(); t.addEventListener("a", (e) => log.push(["bubble", e.eventPhase, e.target === t, e.currentTarget === t, e.composedPath().length]));
       t.addEventListener("a", { handleEvent() { log.push(["object", this !== t]) } }); t.addEventListener("a", () => log.push("once"), { once: true });
       const e = new Event("a", { cancelable: true }); const sent = [t.dispatchEvent(e), t.dispatchEvent(e)];
       return [log, sent, e.eventPhase, e.currentTarget, e.target === t, e.composedPath().length, e.isTrusted, typeof e.timeStamp]`,
      `const log = []; const t = new EventTarget(); const f = () => log.push("f"); t.addEventListener("a", f); t.addEventListener("a", f); t.addEventListener("a", f, true); t.removeEventListener("a", f); t.dispatchEvent(new Event("a")); return log`,
      `const log = []; const t = new EventTarget(); t.addEventListener("a", (e) => { log.push(1); e.stopImmediatePropagation() }); t.addEventListener("a", () => log.push(2)); t.dispatchEvent(new Event("a")); return log`,
      `const t = new EventTarget(); t.addEventListener("a", (e) => e.preventDefault()); const passive = new EventTarget(); passive.addEventListener("a", (e) => e.preventDefault(), { passive: true });
       return [t.dispatchEvent(new Event("a")), t.dispatchEvent(new Event("a", { cancelable: true })), passive.dispatchEvent(new Event("a", { cancelable: true }))]`,
      `const t = new EventTarget(); const c = new AbortController(); const log = []; t.addEventListener("a", () => log.push(1), { signal: c.signal }); t.dispatchEvent(new Event("a")); c.abort(); t.dispatchEvent(new Event("a")); t.addEventListener("a", () => log.push(2), { signal: c.signal }); t.dispatchEvent(new Event("a")); return log`,
      `const t = new EventTarget(); let found; t.addEventListener("a", (e) => { found = outcome(() => t.dispatchEvent(e)) }); t.dispatchEvent(new Event("a")); return all(async () => (await found).startsWith("!"), () => t.dispatchEvent({}), () => t.dispatchEvent())`,
      `const e = new CustomEvent("a", { detail: { x: 1 }, bubbles: true }); return [e.detail, e.bubbles, e instanceof Event, String(e), new CustomEvent("a").detail, Event.AT_TARGET]`,
      `const s = new AbortController().signal; const log = []; s.addEventListener("own", (e) => log.push(e.type)); s.dispatchEvent(new Event("own")); return [log, s instanceof EventTarget, s.aborted]`,
      `const c = new AbortController(); let found; c.signal.onabort = (e) => { found = [e instanceof Event, e.isTrusted, e.type, e.target === c.signal] }; c.abort(); return found`,
      `class Own extends EventTarget {} const t = new Own(); let n = 0; t.addEventListener("a", () => n++); t.dispatchEvent(new Event("a")); return n`,
    ],
    "streams are the standard's": [
      `collect(count("a", "b").pipeThrough(new TransformStream({ transform(chunk, c) { c.enqueue(chunk.toUpperCase()) }, flush(c) { c.enqueue("end") } })))`,
      `const got = []; await count(1, 2).pipeTo(new WritableStream({ write: (chunk) => void got.push(chunk), close: () => void got.push("closed") })); return got`,
      `const got = []; await outcome(() => count(1).pipeTo(new WritableStream({ write() { throw new RangeError("x") }, abort: (e) => void got.push(e) }))); return got`,
      `collect(count(bytes(0xe2, 0x82), bytes(0xac), bytes(0x41)).pipeThrough(new TextDecoderStream()))`,
      `const parts = await collect(count("\\ud83d", "\\ude00", "x", "\\ud83d").pipeThrough(new TextEncoderStream())); return parts.map((part) => [...part])`,
      `outcome(() => collect(count(bytes(0xff)).pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))))`,
      `const s = new TextDecoderStream("shift_jis"); return [s.encoding, s.fatal, s.ignoreBOM, new TextEncoderStream().encoding]`,
      `const [a, b] = count(1, 2).tee(); const r = a.getReader(); const q = b.getReader(); await r.read(); await r.read(); await r.read(); await r.closed; await q.read(); await q.read(); await q.read(); await q.closed; return "closed"`,
      `let pulled = 0; const [a, b] = new ReadableStream({ pull(c) { pulled++; c.enqueue(1) } }, { highWaterMark: 0 }).tee(); await new Promise((r) => setTimeout(r, 1)); return pulled`,
      `const s = count(1); const i = s.values(); const first = await i.next(); const last = await i.return("why"); return [s.locked, first.value, last.value, last.done]`,
      `let why; const s = new ReadableStream({ cancel: (reason) => { why = reason } }); await s.values().return("why"); return why`,
      `all(() => ReadableStream.from({}), () => collect(ReadableStream.from(["a", "b"])), () => ReadableStream.from(null), () => new ReadableStream({ type: "x" }))`,
      `[new CountQueuingStrategy({ highWaterMark: 2 }).size({}), new ByteLengthQueuingStrategy({ highWaterMark: 2 }).size(bytes(1, 2)), new CountQueuingStrategy({ highWaterMark: 3 }).highWaterMark]`,
      `const r = new ReadableStream({ type: "bytes", pull(c) { c.byobRequest.view[0] = 7; c.byobRequest.respond(1) } }).getReader({ mode: "byob" }); const { value } = await r.read(new Uint8Array(2)); return [...value]`,
      `const w = new WritableStream({}, new CountQueuingStrategy({ highWaterMark: 2 })).getWriter(); const before = w.desiredSize; const writing = w.write(1); const during = w.desiredSize; await writing; return [before, during, w.desiredSize]`,
      `const c = new AbortController(); let seen; const done = outcome(() => new ReadableStream().pipeTo(new WritableStream({ abort: (e) => { seen = e } }), { signal: c.signal })); c.abort("why"); return [await outcome(() => done), seen]`,
      `let inner; const w = new WritableStream({ start(c) { inner = c } }); const s = inner.signal; await w.abort("why"); return [s instanceof AbortSignal, s.aborted, s.reason]`,
      `[JSON.stringify(new ReadableStream()), Object.keys(new TransformStream()), { ...new WritableStream() }, Object.keys(count(1).getReader())]`,
      `const r = new Response("abc").body.getReader({ mode: "byob" }); const { value } = await r.read(new Uint8Array(8)); const last = await r.read(new Uint8Array(8)); return [[...value], last.done]`,
      `const r = new Response(count(bytes(1), bytes(2))); const c = r.clone(); return [[...await r.bytes()], [...await c.bytes()]]`,
      `const blob = new Blob(["ab"]); return [await collect(blob.stream().pipeThrough(new TextDecoderStream())), blob.size]`,
      `const r = await new Response(count("a", "b").pipeThrough(new TextEncoderStream())).text(); return r`,
    ],
    "a cut-off pair of surrogates is one replacement": [
      `[[0x3d, 0xd8, 0], [0x3d, 0xd8], [0x3d], [0x41, 0, 0x3d, 0xd8, 0x20], [0x3d, 0xd8, 0x41, 0]].map((list) => new TextDecoder("utf-16le").decode(bytes(...list)))`,
      `const d = new TextDecoder("utf-16le"); return [d.decode(bytes(0x3d), { stream: true }), d.decode(bytes(0xd8, 0), { stream: true }), d.decode()]`,
    ],
    "labels with blanks that are none of the standard's are refused": [
      `["\\u00a0utf-8", "utf-8\\u2028", " utf-8\\t", "\\n\\fLATIN1\\r", "utf\\0-8", "", "\\u000butf-8", "replacement", "hz-gb-2312"].map((label) => { try { return new TextDecoder(label).encoding } catch (e) { return e.name } })`,
    ],
    "every other encoding of the web is there": [
      `"866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh windows-874 windows-1250 windows-1251 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr utf-16be sjis gb2312 ks_c_5601-1987"
        .split(" ").map((label) => { const d = new TextDecoder(label); return [d.encoding, d.decode(bytes(0x82, 0xa0, 0x82, 0xa2, 0x41, 0xc4, 0xe3))] })`,
      `const d = new TextDecoder("shift_jis"); return [d.decode(bytes(0x82), { stream: true }), d.decode(bytes(0xa0), { stream: true }), d.decode(bytes(0x41))]`,
      `const d = new TextDecoder("iso-2022-jp"); return [d.decode(bytes(0x1b, 0x24, 0x42, 0x24), { stream: true }), d.decode(bytes(0x22, 0x1b), { stream: true }), d.decode(bytes(0x28, 0x42, 65))]`,
      `const d = new TextDecoder("gbk", { fatal: true }); return all(() => d.decode(bytes(0xff)), () => d.decode(bytes(0xc4, 0xe3)), () => d.decode(bytes(0xc4)))`,
      `new TextDecoder("euc-kr").decode(new Uint8Array(3_000_001).fill(0xb0)).length`,
      `collect(count(bytes(0xb0), bytes(0xa1)).pipeThrough(new TextDecoderStream("euc-kr")))`,
    ],
  };
  for (const [name, expressions] of Object.entries(CASES))
    it.each(expressions)(`${name}: %s`, expectAsInNode);
});

/** As the web's interfaces have them; what Node has beside them is not asked for. */
it.each(
  "Headers Request Response FormData Blob File ReadableStream WritableStream TransformStream AbortController EventTarget Event CustomEvent TextEncoder TextDecoder TextDecoderStream TextEncoderStream URL URLSearchParams CountQueuingStrategy ByteLengthQueuingStrategy".split(
    " ",
  ),
)("a loop finds the members of %s, as in Node", async (name) => {
  const NODES_OWN = ["textStream", "attribute"];
  const Class = (globalThis as unknown as Record<string, { prototype: object }>)[name];
  const expected = Object.keys(Class?.prototype ?? {}).filter((key) => !NODES_OWN.includes(key));
  const code = `return [${name}.name, Object.keys(${name}.prototype)]`;
  const verdict = await runQuietly(pool, toolRun(code));
  const [found, keys] =
    verdict.outcome === "returned" ? (JSON.parse(verdict.json) as [string, string[]]) : ["", []];
  expect(found).toBe(name);
  // Node has no constants on events themselves.
  const isMeant = (key: string) => !/^(?:_|[A-Z]+(?:_|$))/.test(key);
  expect(keys.filter(isMeant).sort()).toEqual(expected.sort());
});

it("a run may leave 64 texts in other encodings undecoded at a time", async () => {
  const code = `const begun = (n) => Array.from({ length: n }, () => new TextDecoder("shift_jis")).map((d) => { d.decode(new Uint8Array([0x82]), { stream: true }); return d });
    const first = begun(64); try { begun(1); return "none" } catch (e) { first[0].decode(); begun(1); return [e.name, e.message] }`;
  expect(await runQuietly(pool, toolRun(code))).toMatchObject({
    outcome: "returned",
    json: '["RangeError","too many texts in other encodings are decoded at a time"]',
  });
});

it("what a listener throws is told, and the next one is called", async () => {
  const heard = new Heard();
  const code = `const t = new EventTarget(); t.addEventListener("a", () => { throw new RangeError("own") }); t.addEventListener("a", () => console.log("next")); t.dispatchEvent(new Event("a"))`;
  await pool.run(toolRun(code), heard, new AbortController().signal);
  expect(heard.said.slice(1)).toEqual(["info: next", "error: Uncaught RangeError: own (tool.js:1:68)"]);
});
