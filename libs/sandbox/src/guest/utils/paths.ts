import { outOfRange, takeText, wrongKind } from "./arguments.ts";
import { ownValue, setOwn } from "./own.ts";

const DEPTH_MAX = 100;
const PLAIN_NAME = /^[^.[\]"\s][^.[\]"]*$/;

/**
 * One own property for every leaf, named by its path: `a.b[0].c`; a name that could be misread is written
 * `["first.name"]`. Empty objects and arrays, dates, maps and other objects of a class are leaves. `getPath` reads each of
 * these paths. Throws for a cycle and below 100 levels.
 */
export function flatten(obj: object, prefix = ""): Record<string, unknown> {
  if (typeof obj !== "object" || obj === null) throw wrongKind("flatten", "obj must be an object");
  const result: Record<string, unknown> = {};
  const parents = new Set<object>();
  const visit = (value: object, path: string): void => {
    if (parents.has(value)) throw wrongKind("flatten", "obj contains itself");
    if (parents.size >= DEPTH_MAX)
      throw outOfRange("flatten", `obj is nested deeper than ${DEPTH_MAX} levels`);
    parents.add(value);
    for (const [key, item] of Object.entries(value)) {
      const itemPath = path + step(key, Array.isArray(value), path === "");
      if (isBranch(item)) visit(item, itemPath);
      else setOwn(result, itemPath, item);
    }
    parents.delete(value);
  };
  visit(obj, takeText("flatten", "prefix", prefix));
  return result;
}

function step(key: string, inArray: boolean, isFirst: boolean): string {
  if (inArray && /^\d+$/.test(key)) return `[${key}]`;
  if (!PLAIN_NAME.test(key)) return `[${JSON.stringify(key)}]`;
  return isFirst ? key : `.${key}`;
}

function isBranch(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = Array.isArray(value) || prototype === Object.prototype || prototype === null;
  return isPlain && Object.keys(value).length > 0;
}

/** A name, `[0]` or `["any name"]`; a dot before a name that is not the first. */
const STEP = /(\.?)([^.[\]]+)|\[(?:(\d+)|("(?:[^"\\]|\\.)*"))\]/uy;

/**
 * The value at a path of own properties: `a.b[0].c`, `a.0` for `a[0]`, `["first.name"]`; the empty path is the value
 * itself. Undefined where there is none: inherited things, `constructor` for one, are never found. Throws where the
 * path can't be read.
 */
export function getPath(obj: unknown, path: string): unknown {
  const given = takeText("getPath", "path", path);
  let value = obj;
  for (let at = 0; at < given.length;) {
    // Set anew each time: a getter of the tool's own may come back here.
    STEP.lastIndex = at;
    const match = STEP.exec(given);
    const name = match?.[2] ?? match?.[3] ?? quotedName(match?.[4]);
    if (name === undefined || (match?.[2] !== undefined && match[1] !== (at > 0 ? "." : "")))
      throw wrongKind("getPath", `path can't be read at position ${at}`);
    at = STEP.lastIndex;
    value = ownValue(value, name);
  }
  return value;
}

function quotedName(quoted: string | undefined): string | undefined {
  if (quoted === undefined) return undefined;
  try {
    return JSON.parse(quoted) as string;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
