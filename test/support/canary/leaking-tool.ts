/** Every road on which a tool's code can let out a secret that it holds, by name; `s` is the secret. */
const ROADS = {
  return: `return { plain: s, list: [s, { deep: "a " + s + " b" }] }`,
  keys: `return { [s]: 1, ["key of " + s]: { [s]: s } }`,
  throw: `throw new Error(s)`,
  "throw a text": `throw s`,
  "throw an object": `throw { message: s, secret: s }`,
  cause: `throw new Error("outside", { cause: new Error(s) })`,
  stack: `const e = new Error("x"); e.stack = s + "\\n    at tool.js:1:1"; throw e`,
  name: `const e = new Error("x"); e.name = s; throw e`,
  "long error": `throw new Error("x".repeat(1880) + s)`,
  "uncaught error": `setTimeout(() => { throw new Error(s) }, 0); await pause(50); return 1`,
  "unhandled rejection": `Promise.reject(new Error(s)); await pause(50); return 1`,
  levels: `for (const level of ["log", "info", "warn", "error", "debug"]) console[level](level, s, { s }, [s], new Error(s)); return 1`,
  "byte by byte": `for (const c of s) console.log(c); return 1`,
  "in pieces": `for (let i = 0; i < s.length; i += 7) console.info(s.slice(i, i + 7)); return 1`,
  "slow bytes": `for (const c of s.slice(0, 14)) { console.log(c); await pause(270) } return 1`,
  "long line": `console.log("x".repeat(8170) + s); return 1`,
  emit: `emit(s); emit({ [s]: [s] }); return 1`,
  "nested arguments": `return await utils.callTool("echo_canary", { s, [s]: 1 })`,
  "nested error": `await utils.callTool("throw_canary", { s })`,
  "out of memory": `const all = []; for (;;) all.push((s + all.length).repeat(1000))`,
  "out of time": `console.log(s); for (;;) emit;`,
  headers: `const r = await fetch(args.base + "/echo", { method: "POST", headers: { "x-key": s, authorization: "Bearer " + s } }); return [[...r.headers], await r.text()]`,
  basic: `const r = await fetch(args.base + "/echo", { headers: { authorization: "Basic " + btoa(latin("user:" + s)) } }); return await r.text()`,
  query: `const r = await fetch(args.base + "/echo?key=" + encodeURIComponent(s)); return [r.url, await r.text()]`,
  body: `const r = await fetch(args.base + "/echo", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ s }) }); return await r.text()`,
  "another host": `await fetch("http://localhost:1/?key=" + encodeURIComponent(s), { headers: { "x-key": s } })`,
  encodings: `const hex = Array.from(new TextEncoder().encode(s), (b) => b.toString(16).padStart(2, "0")).join("");
    const wide = Array.from(s, (c) => String.fromCharCode(c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8)).join("");
    const html = s.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
    const all = [JSON.stringify(s), JSON.stringify(JSON.stringify(s)), encodeURIComponent(s), html, hex, hex.toUpperCase(),
      encodeURIComponent(s).replaceAll(/%../g, (e) => e.toLowerCase()), new URLSearchParams({ s }).toString(),
      btoa(latin(s)), btoa("x" + latin(s)), btoa("xy" + latin(s)), btoa(latin(s)).replaceAll("+", "-").replaceAll("/", "_"),
      btoa(latin("user:" + s)), btoa(wide), ...s.split("\\n")];
    for (const one of all) console.log(one);
    emit(all);
    return all`,
  digits: `const d = utils.getFieldValue(SERVICE, "digits"); console.log(Number(d)); emit({ n: Number(d) }); return { n: Number(d), d, list: [Number(d)] }`,
};

export const ROAD_NAMES = Object.keys(ROADS);

/** A tool's code that takes the road `args.road` with the secret of this field, `args.field`, of a service. */
export const leakingCode = (service: string): string => `
  const SERVICE = ${JSON.stringify(service)};
  const s = String(utils.getFieldValue(SERVICE, args.field ?? "api_key"));
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const latin = (text) => Array.from(new TextEncoder().encode(text), (b) => String.fromCharCode(b)).join("");
  switch (args.road) {
${Object.entries(ROADS)
  .map(([name, code]) => `    case ${JSON.stringify(name)}: { ${code} }`)
  .join("\n")}
  }
  throw new Error("no such road");`;

/** Ways to write a secret that nobody can foresee, of code that holds it. */
export const turningCode = (service: string): string => `
  const s = utils.getApiKey(${JSON.stringify(service)});
  return { reversed: [...s].reverse().join(""), codes: Array.from(s, (c) => c.charCodeAt(0) + 1) };`;
