import { describe, expect, it } from "vitest";
import { checkCode } from "./check-code.ts";

const WORDS =
  "process require( import( __dirname __filename global. globalThis. eval( Function( __proto__ with(";

describe("a forbidden word that does nothing is no offence", () => {
  it.each([
    // Text
    `return "${WORDS} constructor[";`,
    `return '${WORDS} constructor[';`,
    `return \`${WORDS} constructor[\`;`,
    `// ${WORDS} constructor[\nreturn 1;`,
    `/* ${WORDS} */ return 1;`,
    "return /process|require\\(|eval\\(|__proto__|constructor\\[/.test(args.text);",
    'return { text: "process.exit(1)" };',
    'return ["__proto__", "constructor", "eval"];',
    'return Object.hasOwn(args, "__proto__");',
    'if (args.key === "__proto__" || args.key === "constructor") return null;',
    'return "constructor" in args;',
    'return args.map.get("constructor");',
    "return `${1}__proto__`;",
    "return String.raw`\\process`;",
    "'use strict'; return 1;",
    '"process"; return 1;',
    // Names of properties, keys, methods and labels
    "return args.process;",
    "return args.process.exit;",
    "return args?.global?.eval;",
    'return args["process"];',
    "return args.require('x');",
    "return args.eval('1');",
    "return args.Function;",
    "return args.globalThis;",
    "return { process: 1, require: 2, eval: 3, Function: 4, global: 5 };",
    "return { process() {}, get global() { return 1; }, async eval() {} };",
    'return { "process": 1, "__dirname": 2 };',
    "const { process: p, global: g = 1 } = args; return [p, g];",
    "class A { process() { return this.process; } static eval = 1; #process = 2; get #eval() { return 3; } }",
    "class A { process = 1; run() { return () => this.process; } }",
    "class A { static { this.process = 1; } }",
    "const q = { process() {}, run() { this.process(); } };",
    "function Queue() { this.process = 1; this.global = 2; }",
    "process: for (;;) { break process; }",
    "global: for (const a of []) { continue global; }",
    "return this.other;",
    "return new.target;",
    "const o = { import: 1 }; return o.import;",
    "return { constructor: 1 };",
    "return { constructor() {}, ['a']: 1 };",
    "return args.constructors[0];",
    "return args.__proto;",
    // The tool's own names
    "const process = args.process; return process.step;",
    "let require = 1; return require;",
    "var global = args; return global.x;",
    "return process; var process;",
    "if (args) { var process = 1; } return process;",
    "for (var process of []) ; return process;",
    "for (;;) { for (;;) { var process = 1; } } process;",
    "function f() { if (1) { var process; } return process; }",
    "function require(name) { return name; } return require('x');",
    "return require('x'); function require(name) { return name; }",
    "{ function process() {} process(); }",
    "class Function {} return new Function();",
    "class process { clone() { return new process(); } }",
    "return class process { static make = () => new process(); };",
    "return (function process(n) { return n ? process(n - 1) : 0; })(3);",
    "return args.rows.map((process) => process.id);",
    "return args.rows.map(process => process.id);",
    "const f = async ({ process, a: [global] }, ...require) => [process, global, require];",
    "function f(process, a = process) { return a; }",
    "function f({ a: { process = 1 } }) { return () => () => process; }",
    "try { } catch (process) { return process; }",
    "try { } catch ({ global }) { return global; }",
    "for (const process of []) { console.log(process); }",
    "for (let process = 0; process < 3; process += 1) ;",
    "for (const process in args) process;",
    "for await (const [process] of []) process;",
    "switch (args.x) { case 1: let process = 1; break; default: process; }",
    "const [process, { global }] = args.pair; return [process, global];",
    "const { ...process } = args; return process;",
    "let process; ({ process } = args); return process;",
    "const { process } = args; return { process };",
    "class A { static { var process = 1; process; } }",
    "const pr\\u006fcess = 1; return process;",
    "const g = 1, globalThis = { g }; return globalThis.g;",
    "const __proto__ = 1; return __proto__;",
    // Reading what made a value, without taking it
    "return args.constructor === Object;",
    "return args.a?.constructor !== args.b?.constructor;",
    "return Object === args.constructor;",
    "return args.constructor.name;",
    "return args?.constructor?.name;",
    "return (args?.constructor).name;",
    "return typeof args.constructor;",
    "return [typeof process, typeof require, typeof globalThis, typeof Function, typeof (eval)];",
    "return !args.constructor;",
    "return args.constructor && args.constructor === Object;",
    "if (args.constructor) return 1;",
    "return args.constructor ? 1 : 2;",
    "switch (args.constructor) { case Array: return 1; }",
    "class A { constructor() { this.a = 1; } }",
    "class A extends Array { constructor() { super(); } toString() { return this.constructor.name; } }",
    "class A { static constructor() {} }",
    "function B() {} B.prototype.constructor = B;",
    // Others that are none of the patterns
    "return [WebAssembly, module];",
    "const key = args.key; return args[key];",
    "return args['proc' + 'ess'];",
    "return args[args.a + 'constructor'];",
    "return args[1 + 2];",
  ])("%j", (code) => {
    expect(checkCode(code)).toEqual([]);
  });
});

it("the tools of the documentation are fine", () => {
  const weather = `
    const apiKey = utils.getApiKey("weatherapi");
    if (!apiKey) return { error: "WeatherAPI key not configured" };
    const url = \`https://weather.test/current.json?key=\${apiKey}&q=\${encodeURIComponent(args.city)}\`;
    const response = await fetch(url);
    if (!response.ok) throw new Error("API error: " + response.status);
    const data = await response.json();
    return { city: data.location.name, celsius: data.current.temp_c };
  `;
  expect(checkCode(weather)).toEqual([]);
});
