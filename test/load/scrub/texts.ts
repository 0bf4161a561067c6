import type { Needle } from "@bulkhead/core";
import { createHash } from "node:crypto";

const digest = (seed: string): string => createHash("sha256").update(seed).digest("base64");

/** Values as services give them out: 44 characters of base64. */
export const secretsOf = (count: number): Needle[] =>
  Array.from({ length: count }, (_, n) => ({ value: digest(`secret ${n}`), wholeWordsOnly: false }));

/** JSON logs of about so many bytes, as an array of records, without a secret. */
export function jsonLogs(bytes: number): string {
  const records: object[] = [];
  for (let written = 0, n = 0; written < bytes; n++) {
    const record = {
      time: new Date(1_700_000_000_000 + n * 137).toISOString(),
      level: n % 7 === 0 ? "warn" : "info",
      requestId: digest(`request ${n}`).slice(0, 22),
      method: n % 3 === 0 ? "POST" : "GET",
      url: `/api/v1/customers/${n}/orders?limit=50&page=${n % 9}`,
      message: "the order was handed to the carrier, which takes it on Tuesday\n",
      durationMs: (n * 7919) % 1000,
      tags: ["orders", "carrier", `shard-${n % 16}`],
    };
    records.push(record);
    written += JSON.stringify(record).length + 1;
  }
  return JSON.stringify(records);
}

/** The same with a value or a token in one record of so many. */
export function leakyLogs(bytes: number, needles: readonly Needle[], everyRecord: number): string {
  const records = JSON.parse(jsonLogs(bytes)) as Record<string, unknown>[];
  records.forEach((record, n) => {
    if (n % everyRecord !== 0) return;
    record.message = `sent ${needles[n % needles.length]?.value} and ghp_${digest(`${n}`).replace(/\W/g, "").slice(0, 36)}`;
    record.token = digest(`token ${n}`);
  });
  return JSON.stringify(records);
}

/** Texts that make scanners slow: beginnings without ends, each of about so many characters. */
export const ADVERSARIAL: readonly [what: string, (chars: number, needles: readonly Needle[]) => string][] = [
  ["a value but for its last letter", (chars, [needle]) => repeat(needle?.value.slice(0, -1) ?? "", chars)],
  ["keywords without tokens", (chars) => repeat("sk-ant- ghp_ xoxb- password: ", chars)],
  ["JWTs that never end", (chars) => repeat("-eyJhbGciOiJIUzI1NiJ9", chars)],
  ["key blocks that never end", (chars) => repeat("-----BEGIN RSA PRIVATE KEY-----\n", chars)],
  ["names in values of names", (chars) => repeat("token=", chars)],
  ["quotes that never close", (chars) => repeat(`password="secret='`, chars)],
  ["URLs that never come to a host", (chars) => repeat("https://user:", chars)],
  ["marks", (chars) => repeat("[REDACTED][REDACTE", chars)],
];

const repeat = (text: string, chars: number): string => text.repeat(Math.ceil(chars / text.length));
