import { abuseSuite } from "./support/abuse-suite.ts";
import type { AbuseRow } from "./support/abuse-row.ts";

/** An expression that leads to a constructor of functions; whatever it is, no text becomes code through it. */
const ROADS: [name: string, expression: string][] = [
  ["a function", "(function () {}).constructor"],
  ["an arrow", "(() => 1).constructor"],
  ["an async function", "(async () => 1).constructor"],
  ["a generator function", "(function* () {}).constructor"],
  ["an async generator function", "(async function* () {}).constructor"],
  ["a generator function's prototype", "Object.getPrototypeOf(function* () {}).constructor"],
  ["a generator object", "Object.getPrototypeOf((function* () {})()).constructor.constructor"],
  [
    "an async generator object",
    "Object.getPrototypeOf(Object.getPrototypeOf((async function* () {})())).constructor.constructor",
  ],
  ["a bound function", "(() => 1).bind(null).constructor"],
  ["a class", "(class {}).constructor"],
  ["a class's constructor's constructor", "new (class A {})().constructor.constructor"],
  ["a method", "({ m() {} }).m.constructor"],
  ["an async method", "({ async m() {} }).m.constructor"],
  ["a getter", "Object.getOwnPropertyDescriptor({ get a() { return 1 } }, 'a').get.constructor"],
  ["a setter", "Object.getOwnPropertyDescriptor({ set a(v) {} }, 'a').set.constructor"],
  ["a proxy of a function", "new Proxy(() => 1, {}).constructor"],
  ["a proxy's revoke", "Proxy.revocable({}, {}).revoke.constructor"],
  ["the prototype of functions", "Object.getPrototypeOf(() => 1).constructor"],
  ["its descriptor", "Object.getOwnPropertyDescriptor(Object.getPrototypeOf(() => 1), 'constructor').value"],
  [
    "all its descriptors",
    "Object.getOwnPropertyDescriptors(Object.getPrototypeOf(async () => 1)).constructor.value",
  ],
  ["Reflect", "Reflect.get(() => 1, 'constructor')"],
  ["a computed name", "(() => 1)[['const', 'ructor'].join('')]"],
  ["destructuring", "(({ constructor: c }) => c)(() => 1)"],
  ["a built-in", "[].map.constructor"],
  ["an iterator's next", "[].values().next.constructor"],
  ["an iterator helper's next", "[].values().map((x) => x).next.constructor"],
  ["a promise's resolve", "await new Promise((r) => r({ f: r })).then((o) => o.f.constructor)"],
  [
    "a promise capability",
    "await new Promise((done) => { class P { constructor(e) { e((x) => x, (x) => x); } static resolve = 1 } Promise.withResolvers.call(class { constructor(e) { done(e.constructor); e(() => 1, () => 1) } }) })",
  ],
  [
    "a promise's then, seen by a species",
    "await new Promise((done) => { class P extends Promise { constructor(e) { super(e); done(e.constructor) } } P.resolve(1).then(() => 1) })",
  ],
  ["a tagged template", "((s) => s.constructor.constructor)`x`"],
  [
    "the thrower of type errors",
    "Object.getOwnPropertyDescriptor((function () { return arguments })(), 'callee').get.constructor",
  ],
  ["Symbol.hasInstance", "Function_prototype_hasInstance.constructor"],
  ["a bound number format", "new Intl.NumberFormat('de').format.constructor"],
  ["a bound collator", "new Intl.Collator('de').compare.constructor"],
  ["the console", "console.log.constructor"],
  ["emit", "emit.constructor"],
  ["a timer", "setTimeout.constructor"],
  ["fetch", "fetch.constructor"],
  ["the class URL", "URL.constructor"],
  ["a getter of URL", "Object.getOwnPropertyDescriptor(URL.prototype, 'href').get.constructor"],
  ["a response's method", "new Response('x').text.constructor"],
  ["an abort signal", "new AbortController().signal.addEventListener.constructor"],
  ["crypto", "crypto.randomUUID.constructor"],
  ["args", "args.constructor.constructor"],
  ["the frozen context", "context.constructor.constructor"],
  ["a parsed value", "JSON.parse('{}').constructor.constructor"],
  ["a clone", "structuredClone({}).constructor.constructor"],
  [
    "an error of the guest",
    "(() => { try { new URL('::') } catch (e) { return e.constructor.constructor } })()",
  ],
  ["a refused request", "await fetch('http://a').catch((e) => e.constructor.constructor)"],
  [
    "a refused compilation",
    "(() => { try { (() => 1).constructor('') } catch (e) { return e.constructor.constructor } })()",
  ],
  ["what refuses", "(() => 1).constructor.constructor"],
  [
    "a stack's call sites",
    "(() => { Error.prepareStackTrace = (_, s) => s; const s = new Error('x').stack; return s[0]?.constructor?.constructor ?? s.constructor.constructor })()",
  ],
  [
    "a call site's function",
    "(() => { Error.prepareStackTrace = (_, s) => s; return new Error('x').stack[0].getFunction().constructor })()",
  ],
  ["Array's species", "[][Symbol.iterator].constructor"],
  ["a regular expression's method", "/x/[Symbol.replace].constructor"],
  ["Temporal", "Temporal.Now.instant.constructor"],
  ["a disposable stack", "new DisposableStack().dispose.constructor"],
  ["the last prototype's method", "Object.prototype.toString.constructor"],
  [
    "an async iterator's prototype",
    "Object.getPrototypeOf(Object.getPrototypeOf(Object.getPrototypeOf((async function* () {})())))[Symbol.asyncIterator].constructor",
  ],
  ["the import of a module", "(await import('node:vm')).runInThisContext"],
  ["the import of text", "(await import('data:text/javascript,export default 1')).default"],
  ["ShadowRealm", "new ShadowRealm().evaluate"],
  ["WebAssembly", "WebAssembly.compile"],
  ["a worker", "new Worker('data:text/javascript,1').constructor"],
];

/** Tries the constructor in every way there is; "none" unless text became code. */
const tried = (expression: string): string => `
  const Function_prototype_hasInstance = Object.getPrototypeOf(() => 1)[Symbol.hasInstance];
  const got = [];
  const tryOne = async (make) => { try {
    const made = await make();
    const ran = typeof made === "function" ? await made() : made;
    if (typeof ran === "object" && typeof ran?.next === "function") got.push((await ran.next()).value);
    else got.push(ran);
  } catch {} };
  let C;
  try { C = ${expression} } catch { return "none" }
  const TEXT = "return 'compiled'";
  await tryOne(() => C(TEXT));
  await tryOne(() => new C(TEXT));
  await tryOne(() => C.call(null, TEXT));
  await tryOne(() => Reflect.construct(C, [TEXT]));
  await tryOne(() => Reflect.construct(Object, [TEXT], C));
  await tryOne(() => new (class extends C {})(TEXT));
  await tryOne(() => C.bind(null, TEXT)());
  await tryOne(() => C\`return 'compiled'\`);
  await tryOne(() => C.constructor(TEXT));
  await tryOne(() => C("'compiled'"));
  return got.includes("compiled") ? "compiled" : "none";`;

const BY_CONSTRUCTOR = ROADS.map(([name, expression]): AbuseRow => [
  `through ${name}`,
  tried(expression),
  "returned",
  { network: true, returns: "none" },
]);

const OTHER: AbuseRow[] = [
  [
    "a timer of text",
    "try { setTimeout('for(;;);') } catch (e) { return e.name }",
    "returned",
    { returns: "TypeError" },
  ],
  [
    "a microtask of text",
    "try { queueMicrotask('for(;;);') } catch (e) { return e.name }",
    "returned",
    { returns: "TypeError" },
  ],
  [
    "eval, indirectly",
    "return [typeof eval, typeof (0, eval), typeof this?.eval]",
    "returned",
    { returns: ["undefined", "undefined", "undefined"] },
  ],
  [
    "giving the constructor back",
    "const p = Object.getPrototypeOf(() => 1); return [delete_(p), Reflect.defineProperty(p, 'constructor', { value: 1 }), Reflect.set(p, 'constructor', 1)]; function delete_(o) { return Reflect.deleteProperty(o, 'constructor') }",
    "returned",
    { returns: [false, false, false] },
  ],
  [
    "changing what refuses",
    "const C = (() => 1).constructor; C.prototype = {}; C.call = () => 'x'; try { C('return 1') } catch (e) { return e.name }",
    "returned",
    { returns: "EvalError" },
  ],
];

abuseSuite("code from text", { cpuMs: 2_000 }, { BY_CONSTRUCTOR, OTHER });
