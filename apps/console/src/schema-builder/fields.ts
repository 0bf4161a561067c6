import { isObject, type JsonObject, ownValue, withField } from "../format/json-object.ts";

export interface Field {
  name: string;
  schema: unknown;
  isRequired: boolean;
}

const namesOf = (list: unknown): unknown[] => (Array.isArray(list) ? list : []);

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {});

/** The fields of an object's schema, in its order. */
export function fieldsIn(node: JsonObject): Field[] {
  const needed = new Set(namesOf(node["required"]));
  return Object.entries(propertiesOf(node)).map(([name, schema]) => ({
    name,
    schema,
    isRequired: needed.has(name),
  }));
}

/** What is wrong with a new name for a field, in words. */
export function nameFault(node: JsonObject, before: string, name: string): string | undefined {
  if (name === before) return undefined;
  if (name === "") return "A field needs a name.";
  if (name === "__proto__" || !name.isWellFormed()) return "This name can't be used.";
  return Object.hasOwn(propertiesOf(node), name) ? "Another field has this name." : undefined;
}

/** The name, or the first like it that no field has. */
export function freeName(node: JsonObject, name: string): string {
  const properties = propertiesOf(node);
  let free = name;
  for (let nth = 2; Object.hasOwn(properties, free); nth += 1) free = `${name}_${nth}`;
  return free;
}

/** JavaScript puts names that are whole numbers first, whatever place they are given. */
export const hasOwnPlace = (name: string): boolean =>
  !/^(0|[1-9]\d*)$/.test(name) || Number(name) > 2 ** 32 - 2;

const withEntries = (node: JsonObject, entries: readonly (readonly [string, unknown])[]): JsonObject =>
  withField(node, "properties", Object.fromEntries(entries));

/** A new field behind the one at the place, or at the end; a schema that says nothing yet becomes an object's. */
export function addField(node: JsonObject, name: string, schema: unknown, place?: number): JsonObject {
  const isBlank = node["type"] === undefined && node["properties"] === undefined;
  const entries = Object.entries(propertiesOf(node));
  const next = entries.toSpliced(place ?? entries.length, 0, [name, schema]);
  return withEntries(isBlank ? { type: "object", ...node } : node, next);
}

export const setField = (node: JsonObject, name: string, schema: unknown): JsonObject =>
  withField(node, "properties", withField(propertiesOf(node), name, schema));

/** The field at another place among its neighbours. */
export function moveField(node: JsonObject, from: number, to: number): JsonObject {
  const entries = Object.entries(propertiesOf(node));
  const moved = entries[from];
  if (moved === undefined || from === to || to < 0 || to >= entries.length) return node;
  return withEntries(node, entries.toSpliced(from, 1).toSpliced(to, 0, moved));
}

export function setRequired(node: JsonObject, name: string, isRequired: boolean): JsonObject {
  const others = namesOf(node["required"]).filter((one) => one !== name);
  const next = isRequired ? [...others, name] : others;
  return withField(node, "required", next.length === 0 ? undefined : next);
}

/** A like field right behind it, under a name of its own. */
export function duplicateField(node: JsonObject, name: string): { node: JsonObject; name: string } {
  const place = Object.keys(propertiesOf(node)).indexOf(name);
  const copy = freeName(node, `${name}_copy`);
  const added = addField(node, copy, ownValue(propertiesOf(node), name), place + 1);
  const isRequired = namesOf(node["required"]).includes(name);
  return { node: isRequired ? setRequired(added, copy, true) : added, name: copy };
}

/** Keywords that name fields by the field that makes them needed. */
const BY_FIELD = ["dependentRequired", "dependentSchemas", "dependencies"] as const;

/** The field under another name, in its place, and what else of the object's schema names it. */
export function renameField(node: JsonObject, before: string, name: string): JsonObject {
  const entries = Object.entries(propertiesOf(node)).map(
    ([key, schema]) => [key === before ? name : key, schema] as const,
  );
  return mapNames(withEntries(node, entries), before, name);
}

/** Without the field, and without what else of the object's schema names it. */
export function removeField(node: JsonObject, name: string): JsonObject {
  const entries = Object.entries(propertiesOf(node)).filter(([key]) => key !== name);
  return mapNames(withEntries(node, entries), name, undefined);
}

/** Puts a name in the place of another wherever fields are named; undefined takes it out. */
function mapNames(node: JsonObject, before: string, name: string | undefined): JsonObject {
  let next = node;
  const put = (keyword: string, value: unknown): void => {
    if (value !== node[keyword]) next = withField(next, keyword, value);
  };
  put("required", withName(node["required"], before, name));
  for (const keyword of BY_FIELD) put(keyword, withNames(node[keyword], before, name));
  return next;
}

function withName(list: unknown, before: string, name: string | undefined): unknown {
  if (!Array.isArray(list) || !list.includes(before)) return list;
  const next = list.flatMap((one: unknown) => (one === before ? (name ?? []) : [one]));
  return next.length === 0 ? undefined : next;
}

function withNames(map: unknown, before: string, name: string | undefined): unknown {
  if (!isObject(map)) return map;
  const isTaken = name !== undefined && Object.hasOwn(map, name);
  const entries = Object.entries(map).flatMap(([key, value]): [string, unknown][] => {
    const named = key === before && !isTaken ? name : key;
    const rest = withName(value, before, name);
    return named === undefined || rest === undefined ? [] : [[named, rest]];
  });
  const isSame = entries.every(([key, value]) => ownValue(map, key) === value);
  if (isSame && entries.length === Object.keys(map).length) return map;
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
