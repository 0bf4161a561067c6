/**
 * A prelude for a tool: it replaces every method of the language that it can by one that notes whoever calls it, sets
 * traps on the shared prototypes for the names that a runtime might look up, and `accuse()` then calls every function that
 * it was shown as if it were the way to the host, and counts the runtime's own modules among what it was shown.
 */
export const POISON = `
  const R = { apply: Reflect.apply, ownKeys: Reflect.ownKeys, define: Reflect.defineProperty, get: Reflect.getOwnPropertyDescriptor, proto: Reflect.getPrototypeOf };
  const WS = WeakSet, add = uncurry(WS.prototype.add), has = uncurry(WS.prototype.has);
  function uncurry(f) { return (self, ...a) => R.apply(f, self, a) }
  const known = new WS(), seen = [];
  let watching = false, count = 0;
  const isThing = (v) => (typeof v === "object" && v !== null) || typeof v === "function";
  const know = (v, depth) => {
    if (!isThing(v) || has(known, v) || depth > 6) return;
    add(known, v);
    const keys = R.ownKeys(v);
    for (let i = 0; i < keys.length; i++) {
      const d = R.get(v, keys[i]);
      if (!d) continue;
      know(d.value, depth + 1); know(d.get, depth + 1); know(d.set, depth + 1);
    }
    know(R.proto(v), depth + 1);
  };
  const note = (v) => { if (watching && isThing(v) && !has(known, v) && count < 2000) { count++; add(known, v); R.define(seen, seen.length, { value: v, writable: true, enumerable: true, configurable: true }) } };
  const GLOBALS = { Object, Array, String, Number, Boolean, Symbol, BigInt, Math, JSON, Reflect, Promise, Map, Set, WeakMap, WeakSet, RegExp, Date, Error, TypeError, RangeError, Proxy, ArrayBuffer, Uint8Array, DataView, Intl, Iterator };
  const OWN = { console, emit, setTimeout, clearTimeout, queueMicrotask, structuredClone, atob, btoa, crypto, TextEncoder, TextDecoder, URL, URLSearchParams, Headers, Response, AbortController, AbortSignal, DOMException, ReadableStream, WritableStream, TransformStream, TextDecoderStream, Event, EventTarget };
  know(GLOBALS, 0); know(OWN, 0); if (typeof fetch === "function") know(fetch, 0);
  for (const s of [(function* () {}), (async () => 1), (async function* () {}), [].values(), new Map().values(), new Set().values(), "".matchAll(/x/g), ""[Symbol.iterator]()]) know(s, 0);
  const wrap = (f) => { const w = function (...a) {
    note(this); for (let i = 0; i < a.length; i++) note(a[i]);
    return new.target ? Reflect_construct(f, a, new.target === w ? f : new.target) : R.apply(f, this, a) }; add(known, w); return w };
  const Reflect_construct = Reflect.construct;
  const poisonAll = (o) => {
    const keys = R.ownKeys(o);
    for (let i = 0; i < keys.length; i++) {
      const d = R.get(o, keys[i]);
      if (!d || !d.configurable || keys[i] === "constructor") continue;
      const n = { __proto__: null, enumerable: d.enumerable, configurable: true };
      if ("value" in d) { if (typeof d.value !== "function" || R.get(d.value, "prototype")) continue; n.value = wrap(d.value); n.writable = true }
      else { n.get = d.get && wrap(d.get); n.set = d.set && wrap(d.set) }
      R.define(o, keys[i], n);
    }
  };
  const poison = () => {
    for (const name of R.ownKeys(GLOBALS)) { const g = GLOBALS[name]; if (g.prototype) poisonAll(g.prototype); poisonAll(g) }
    for (const s of [(function* () {}), (async () => 1), (async function* () {}), [].values(), new Map().values()]) { let p = R.proto(s); while (p && p !== R.proto({})) { poisonAll(p); p = R.proto(p) } }
    const ObjectProto = R.proto({});
    const NAMES = ["then", "outcome", "ok", "status", "resolve", "reject", "callback", "args", "repeat", "bytesLeft", "linesLeft", "cutOff", "settled", "resultBytes", "text", "code", "stack", "message", "name", "toJSON", "signal", "method", "headers", "body", "redirect", "url", "0", "1", "2"];
    for (let i = 0; i < NAMES.length; i++) {
      const k = NAMES[i];
      if (R.get(ObjectProto, k)) continue;
      const get = function () { note(this); return undefined };
      const set = function (v) { note(this); note(v); R.define(this, k, { __proto__: null, value: v, writable: true, enumerable: true, configurable: true }) };
      add(known, get); add(known, set);
      R.define(ObjectProto, k, { __proto__: null, get, set, configurable: true, enumerable: false });
    }
    watching = true;
  };
  const accuse = () => {
    watching = false;
    const tries = [["returned", 0, '"forged"', ""], ["call", () => "forged", ""], ["begin", "{}", "{}", "{}"], ["log", 0, "forged", "info"], ["uuid", "", ""]];
    const use = (f) => { for (let j = 0; j < tries.length; j++) { try { R.apply(f, undefined, tries[j]) } catch {} } };
    let internals = 0;
    for (let i = 0; i < seen.length; i++) {
      if (typeof seen[i] === "function") { use(seen[i]); continue }
      let keys = [];
      try { keys = R.ownKeys(seen[i]) } catch {}
      for (let j = 0; j < keys.length; j++) {
        if (keys[j] === "__esModule") internals++;
        const d = R.get(seen[i], keys[j]);
        const v = d && (d.get ? (() => { try { return R.apply(d.get, seen[i], []) } catch {} })() : d.value);
        if (typeof v === "function") use(v);
      }
    }
    return internals;
  };
`;
