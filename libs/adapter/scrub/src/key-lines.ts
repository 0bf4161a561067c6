import { judgeSecret } from "@bulkhead/domain";

/** Of a value of many lines, such as a file of keys, so many are covered for themselves. */
const KEY_LINES_MAX = 64;
/** From this length on. */
const KEY_LINE_CHARS_MIN = 16;
/** Quotes and blanks part the names from the values of configuration files, whose lines stand in many texts. */
const NOT_IN_KEY = /[\s"]/;
const MIXED = /\d.*[A-Za-z]|[A-Za-z].*\d/;
const BASE64 = /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/]+={0,2}$/;

/** Lines that hold nothing but key material: what a file says around it (`"type": "service_account"`) is no secret. */
export const listKeyLines = (lines: readonly string[]): string[] =>
  lines
    .map((line) => line.trim())
    .filter(isKeyMaterial)
    .slice(0, KEY_LINES_MAX);

const isKeyMaterial = (line: string): boolean =>
  line.length >= KEY_LINE_CHARS_MIN &&
  !NOT_IN_KEY.test(line) &&
  (MIXED.test(line) || BASE64.test(line)) &&
  judgeSecret(line) === "ok";
