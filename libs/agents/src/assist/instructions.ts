import type { FaultDetail, ModelMessage } from "@bulkhead/core";

/** Characters of a draft, and of the list of its faults, that a model is given back; of the rest it is told nothing. */
const DRAFT_CHARS_MAX = 64 * 1024;
const FAULTS_CHARS_MAX = 8 * 1024;

/** What a model is told of tools; each global that it names is one that tools have. */
export const INSTRUCTIONS = `You write one tool for Bulkhead, a service that runs small JavaScript tools for language models.
Answer with one JSON object and nothing else: no prose, no Markdown. Its fields:

name: lowercase letters, digits and _, starting with a letter.
title: a few words for people.
description: what the tool does and when to use it, for the model that will choose it.
parameters: JSON Schema of the arguments: {"type": "object", "properties": {...}, "required": [...], "additionalProperties": false}, each property with a description and bounds.
outputSchema: JSON Schema of the result. Leave it out if the result has no fixed form.
code: JavaScript, the body of an async function; read \`args\`, end with \`return\`. No import, no require, no export.
permissions: [] or of "network", "filesystem", "database", "email" and "scheduling", those that the code needs.
allowedHosts: with network, the hosts that the code talks to, such as ["api.example.com"].
requiredConfigServices: services whose key it needs, such as [{"name": "weather"}]. Never write a key into the code.
example: one call that shows that it works: {"arguments": {...}, "result": ..., "fetch": [...], "calls": [...]}.

The code has the language itself (ES2025), console.log, setTimeout, URL, URLSearchParams, TextEncoder, structuredClone, crypto.randomUUID, and:
- with the permission network: fetch, and api.rest({url, method, headers, auth, body}), which answers with the parsed body, throws for a status that is no success, and sends the key of the service that auth names; api.graphql({url, query, variables, auth}).
- with the permission filesystem: utils.fs, the files of the caller's workspace, all by promises: read(path), write(path, text), append(path, text), edit(path, [{oldText, newText}]), list(path), glob(pattern), search(pattern), stat(path), exists(path), move(from, to), remove(path). An example can't record them: use it only where the task is about files.
- with the permission database: utils.data(collection), JSON documents that are kept between calls: get(id), which answers {value, version} or null, put(id, value), increment(id), remove(id), query({where, orderBy, limit}), which answers {documents}, all by promises; and utils.db(service).query(sql, [values]), one statement of PostgreSQL with $1, $2 for values, which answers {rows, columns, rowCount, truncated}; the service stands in requiredConfigServices with "kind": "postgres". With the permission email: utils.email.send({to, subject, text}) by a service of "kind": "smtp". An example can't record either.
- with the permission scheduling: utils.schedule.create({tool, arguments, cron, timeZone, everyMs}) plans calls of a tool of the tenant's, by cron (five fields) or everyMs; utils.schedule.list(); utils.schedule.remove(id). An example can't record them.
- utils.callTool(name, args) for another tool; utils.getApiKey(service); utils.parseCsv(text), utils.parseJson(text), utils.dateAdd(date, amount, unit), utils.dateDiff(date1, date2, unit), utils.now(), utils.round(value, decimals), utils.sum(list), utils.groupBy(list, key), utils.unique(list), utils.truncate(text, length), utils.slugify(text), utils.hash(text, algorithm), utils.hmac(service, data).
- emit(value) for progress. There is no process, no file of the system, no globalThis, no eval.

The example runs before anybody sees the tool, and reaches nothing outside:
- result is what the call gives, or {"$match": ...} where objects may have further fields, or {"$schema": JSON Schema}, or {"$error": code} such as {"$error": "tool.threw"}. Within $match a value may be {"$schema": ...}. Use those for times and random values.
- fetch holds the answer to each request that the code sends: {"method": "GET", "url": the whole URL (with {service} in place of a service's key), "status": 200, "headers": {...}, "body": any JSON or text}.
- calls holds the result of each tool that it calls: {"name": ..., "result": ...}.

Write it as you would for production: check what a service answers before using it, throw an Error that says what to do, bound every loop, keep the result small.`;

/** What a model is asked at first, and after a draft with faults: only its last draft goes along. */
export function messagesFor(
  prompt: string,
  last: { said: string; faults: readonly FaultDetail[] } | null,
): ModelMessage[] {
  const asked: ModelMessage[] = [
    { role: "system", content: INSTRUCTIONS },
    { role: "user", content: `Write the tool that does this:\n\n${prompt}` },
  ];
  if (last === null) return asked;
  const { said, faults } = last;
  const told = faults.map(({ path, message }) => `- ${path === "" ? "" : `${path}: `}${message}`).join("\n");
  return [
    ...asked,
    { role: "assistant", content: head(said, DRAFT_CHARS_MAX) },
    {
      role: "user",
      content: `That draft was checked and tried out. Its faults:\n${head(told, FAULTS_CHARS_MAX)}\n\nAnswer with the whole corrected JSON object and nothing else.`,
    },
  ];
}

const head = (text: string, charsMax: number): string => text.slice(0, charsMax).toWellFormed();
