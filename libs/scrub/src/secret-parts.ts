import { judgeSecret } from "@bulkhead/core";
import { secretNameOf } from "./secret-names.ts";

/** So many parts of one value, such as a file of keys, are covered separately. */
const PARTS_MAX = 64;
/** Levels of a value that is JSON. */
const DEPTH_MAX = 32;
/** From this length on letters and digits without a blank are key material. */
const KEY_CHARS_MIN = 16;

/** Quotes and blanks separate names from values in configuration files, whose lines occur in many texts. */
const NOT_IN_KEY = /[\s"]/;
const BASE64 = /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/]+={0,2}$/;
/** As people make passwords where rules ask for it; names of hosts, zones and versions have no capitals. */
const EVERY_KIND = [/[a-z]/, /[A-Z]/, /\d/];
const MIXED = [/[A-Za-z]/, /\d/];
/** Addresses are no secrets; a secret within one is a part of its own. */
const PLACE = /^(?:[a-z][a-z0-9+.-]*:\/\/|[\w.+-]+@[\w-]+\.|\/|\.\/)/i;
const HOST = /^(?:[\w-]+:)?(?:[\w-]+\.)+[a-z]{2,24}(?:[:,]\d+)?$/i;

const URL_USERINFO = /[a-z][a-z0-9+.-]{0,30}:\/\/([^\s/?#@"'<>]{1,1024})@/gi;
/** `export KEY=value`, `- key: "value"`, and the parts of `Server=…;Password=…`. */
const NAMED = /^(?:- |export )?(["']?)([\w.-]{1,64})\1 ?(?:=|:(?=\s|$))(.*)$/;
const QUOTED = /^(["'])(.*?)\1/;
const PAIR = /^[^\s:/="']{1,256}:([^\s:/]+)$/;
/** The value of a header that authorizes. */
const CREDENTIALS = /^(basic|bearer|token|api-?key) +(\S+)$/i;

/**
 * The parts of a value that are secrets by themselves: the user information of URLs, strings of JSON, values behind names
 * (`KEY=value`, YAML), the password of a pair, what stands behind `Bearer`, and lines. Under a secret's name, or in a
 * password's place, every value counts that the judgement of secrets finds good; elsewhere only one that looks generated,
 * so that host names and `admin` stay readable.
 */
export function secretParts(value: string): string[] {
  const parts = new Set<string>();
  const add = (text: string, isSecretPlace: boolean): void => {
    const part = text.trim();
    if (part === value || judgeSecret(part) !== "ok" || parts.size >= PARTS_MAX) return;
    if (isSecretPlace || looksMadeUp(part)) parts.add(part);
  };
  for (const [, userinfo = ""] of value.matchAll(URL_USERINFO)) addUserinfo(userinfo, add);
  const json = parseContainer(value);
  if (json !== undefined) addStrings(json, "", add, DEPTH_MAX);
  else addLines(linesOf(value), add);
  return [...parts];
}

/** Splits at all kinds of line ends. */
export const linesOf = (text: string): string[] => text.split(/\r\n|[\r\n]/);

type Add = (text: string, isSecretPlace: boolean) => void;

/** The user information, raw and decoded; a URL with a key alone has it before the `@`. */
function addUserinfo(userinfo: string, add: Add): void {
  const colon = userinfo.indexOf(":");
  for (const part of colon === -1 ? [userinfo] : [userinfo, userinfo.slice(colon + 1)]) {
    add(part, true);
    add(decoded(part), true);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The object or list that the value is as JSON, if it is one. */
function parseContainer(value: string): object | undefined {
  if (!/^\s*[{[]/.test(value)) return undefined;
  try {
    return JSON.parse(value) as object;
  } catch {
    return undefined;
  }
}

function addStrings(json: unknown, name: string, add: Add, levels: number): void {
  if (typeof json === "string") {
    const isNamed = secretNameOf(name) === "certain";
    add(json, isNamed);
    // Such as the private key in a service account's file.
    if (/[\r\n]/.test(json)) addLines(linesOf(json), add);
  } else if (typeof json === "object" && json !== null && levels > 0) {
    for (const [key, member] of Object.entries(json))
      addStrings(member, Array.isArray(json) ? name : key, add, levels - 1);
  }
}

function addLines(lines: readonly string[], add: Add): void {
  const said = lines.map((line) => line.trim()).filter((line) => line !== "");
  // A user's name and below it the password.
  const [first = "", second] = said;
  if (second !== undefined && said.length === 2 && !NAMED.test(first) && !/\s/.test(first + second))
    add(second, true);
  const password = said.length === 1 ? PAIR.exec(first)?.[1] : undefined;
  if (password !== undefined) add(password, true);
  for (const line of said) {
    const [, scheme = "", credentials] = CREDENTIALS.exec(line) ?? [];
    if (credentials !== undefined) add(credentials, true);
    if (scheme.toLowerCase() === "basic")
      addUserinfo(Buffer.from(credentials ?? "", "base64").toString(), add);
    const statements = line.includes(";") ? line.split(";") : [line];
    for (const statement of statements) addNamed(statement, add);
    if (lines.length > 1) add(line, false);
  }
}

function addNamed(statement: string, add: Add): void {
  const [, , name = "", right = ""] = NAMED.exec(statement.trim()) ?? [];
  const said = right.trim();
  const text = QUOTED.exec(said)?.[2] ?? said.split(" #", 1)[0] ?? "";
  add(text, secretNameOf(name) === "certain");
}

function looksMadeUp(text: string): boolean {
  if (NOT_IN_KEY.test(text) || PLACE.test(text) || HOST.test(text)) return false;
  const hasAll = (kinds: readonly RegExp[]): boolean => kinds.every((kind) => kind.test(text));
  return hasAll(EVERY_KIND) || (text.length >= KEY_CHARS_MIN && (hasAll(MIXED) || BASE64.test(text)));
}
