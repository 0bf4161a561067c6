import { isInexact, type Json } from "@bulkhead/core";
import { types } from "pg";

type Read = (text: string) => Json;

const asText: Read = (text) => text;
const asBoolean: Read = (text) => text === "t";
/** Infinity and NaN stay texts: JSON has none. */
const asNumber: Read = (text) => (Number.isFinite(Number(text)) ? Number(text) : text);
/** One that would be rounded stays a text. */
const asInteger: Read = (text) => (isInexact(text) ? text : Number(text));
/** With numbers that would be rounded as texts. A reviver, asked of each value, would take twenty times as long. */
const asJson: Read = (text) => JSON.parse(withTexts(text)) as Json;

/** The beginning of a text, or a number with many digits or an exponent. */
const TEXT_OR_NUMBER = /"|-?\d[\d.]{14,}(?:[eE][+-]?\d+)?|-?\d[\d.]*[eE][+-]?\d+/g;
const TEXT_END = /["\\]/g;

/** JSON with quotes around its inexact numbers. */
function withTexts(json: string): string {
  const parts: string[] = [];
  let told = 0;
  for (const search = new RegExp(TEXT_OR_NUMBER); ;) {
    const [found] = search.exec(json) ?? [];
    if (found === undefined) break;
    const end = search.lastIndex;
    if (found === '"') search.lastIndex = endOfText(json, end);
    else if (isInexact(found)) {
      parts.push(json.slice(told, end - found.length), `"${found}"`);
      told = end;
    }
  }
  return parts.length === 0 ? json : [...parts, json.slice(told)].join("");
}

/** The position behind the quote that ends it. */
function endOfText(json: string, from: number): number {
  for (const search = new RegExp(TEXT_END), at = { from }; ;) {
    search.lastIndex = at.from;
    const [found] = search.exec(json) ?? [];
    if (found === undefined) return json.length;
    if (found === '"') return search.lastIndex;
    at.from = search.lastIndex + 1;
  }
}
const asBase64: Read = (text) =>
  text.startsWith("\\x") ? Buffer.from(text.slice(2), "hex").toString("base64") : text;
/** As ISO 8601 writes it. The session speaks UTC, so a zone is always that; `infinity` stays. */
const asTimestamp: Read = (text) => text.replace(" ", "T").replace(/\+00$/, "Z");

/** The types by their number in the catalogue, with the number of their arrays; all others are texts as PostgreSQL writes them. */
const TYPES: readonly (readonly [name: string, id: number, array: number, read: Read])[] = [
  ["boolean", 16, 1000, asBoolean],
  ["bytea", 17, 1001, asBase64],
  ["bigint", 20, 1016, asInteger],
  ["smallint", 21, 1005, asNumber],
  ["integer", 23, 1007, asNumber],
  ["text", 25, 1009, asText],
  ["oid", 26, 1028, asNumber],
  ["json", 114, 199, asJson],
  ["real", 700, 1021, asNumber],
  ["double precision", 701, 1022, asNumber],
  ["character", 1042, 1014, asText],
  ["character varying", 1043, 1015, asText],
  ["name", 19, 1003, asText],
  ["date", 1082, 1182, asText],
  ["time", 1083, 1183, asText],
  ["timestamp", 1114, 1115, asTimestamp],
  ["timestamp with time zone", 1184, 1185, asTimestamp],
  ["interval", 1186, 1187, asText],
  ["numeric", 1700, 1231, asText],
  ["uuid", 2950, 2951, asText],
  ["jsonb", 3802, 3807, asJson],
];

const ELEMENTS = new Map(TYPES.map(([name, id, , read]) => [id, { name, read }]));
const ARRAYS = new Map(
  TYPES.map(([name, , array, read]) => [array, { name: `${name}[]`, read: readArray(read) }]),
);

function readArray(read: Read): Read {
  // What a driver's types say of it is not what it is.
  const parser = types.arrayParser as unknown as {
    create: (text: string, read: Read) => { parse(): Json };
  };
  return (text) => parser.create(text, read).parse();
}

/** The name of a column's type and how its texts become JSON. */
export const columnType = (id: number): { name: string; read: Read } =>
  ELEMENTS.get(id) ?? ARRAYS.get(id) ?? { name: `type ${id}`, read: asText };
