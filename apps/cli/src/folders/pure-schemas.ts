import { type AnyNode, type Program, parse } from "acorn";
import { MagicString } from "magic-string";
import { eachNode } from "./walk-tree.ts";

/** Packages whose calls at the top of a module only build schemas and tools, and have no effect. */
const BUILDING_PACKAGES = /^(?:zod|ai)(?:\/|$)|^@zod\//;
/** The fields of a tool that say how it is called; the service has them beside the code. */
const DECLARED = new Set(["inputSchema", "outputSchema", "parameters"]);
/** The methods by which an object is a tool. */
const METHODS = new Set(["execute", "run"]);

interface Range {
  start: number;
  end: number;
}

/**
 * The text of a module, which the bundler can take schemas out of that no code uses: calls of a schema library are marked as
 * pure, and the schemas of tools become undefined unless something reads them. Lines stay as they are; its map leads to `source`,
 * of which the text has each token at its place. Null where nothing changes. Throws a SyntaxError for what is no JavaScript.
 */
export function withPureSchemas(text: string, file: string, source: string): string | null {
  const program = parse(text, { ecmaVersion: "latest", sourceType: "module" });
  const edited = new MagicString(text);
  const read = readNames(program);
  const builders = new Set(importedNames(program));
  const pure = new Set<number>();
  const cleared: Range[] = [];
  for (const statement of program.body) {
    const declared = declarationOf(statement);
    eachNode(statement, (node) => {
      if (node.type === "ObjectExpression") cleared.push(...declaredIn(node, read));
      return true;
    });
    if (declared?.kind !== "const") continue;
    for (const { id, init } of declared.declarations) {
      if (init) eachNode(init, (node) => markPure(node, builders, pure));
      // What a schema of the module is asked for is built as well.
      if (id.type === "Identifier" && init && isBuilt(init, builders)) builders.add(id.name);
    }
  }
  for (const statement of program.body) importWhole(edited, statement);
  for (const { start, end } of outermost(cleared))
    edited.overwrite(start, end, `undefined${text.slice(start, end).replaceAll(/[^\n]/g, "")}`);
  for (const at of pure) {
    const isGone = cleared.some(({ start, end }) => start <= at && at < end);
    if (!isGone) edited.appendLeft(at, "/* @__PURE__ */ ");
  }
  if (!edited.hasChanged()) return null;
  const map = edited.generateMap({ source: file, hires: "boundary" });
  map.sourcesContent = [source];
  return `${edited.toString()}\n//# sourceMappingURL=${map.toUrl()}`;
}

function* importedNames(program: Program): Iterable<string> {
  for (const statement of program.body) {
    if (statement.type !== "ImportDeclaration" || !BUILDING_PACKAGES.test(String(statement.source.value)))
      continue;
    for (const { local } of statement.specifiers) yield local.name;
  }
}

/** `import { z }` takes all of zod along, and the same as a namespace only what is used. */
function importWhole(edited: MagicString, statement: AnyNode): void {
  if (statement.type !== "ImportDeclaration" || !/^zod(?:\/v[34])?$/.test(String(statement.source.value)))
    return;
  const [only, another] = statement.specifiers;
  if (only?.type !== "ImportSpecifier" || another) return;
  if (only.imported.type === "Identifier" && only.imported.name === "z")
    edited.overwrite(statement.start, statement.source.start, `import * as ${only.local.name} from `);
}

function declarationOf(statement: AnyNode) {
  const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
  return declared?.type === "VariableDeclaration" ? declared : null;
}

/** What a function of the module does when it is called is not looked into. */
function markPure(node: AnyNode, builders: ReadonlySet<string>, pure: Set<number>): boolean {
  if (isBuilt(node, builders)) pure.add(node.start);
  return node.type !== "ArrowFunctionExpression" && node.type !== "FunctionExpression";
}

const isBuilt = (node: AnyNode, builders: ReadonlySet<string>): boolean =>
  node.type === "CallExpression" && builders.has(rootOf(node) ?? "");

const outermost = (ranges: readonly Range[]): Range[] =>
  ranges.filter(
    (one) => !ranges.some((other) => other !== one && other.start <= one.start && one.end <= other.end),
  );

/** The name at the beginning of `z.object({}).strict()`. */
function rootOf(node: AnyNode): string | null {
  let at = node;
  for (;;) {
    if (at.type === "CallExpression") at = at.callee;
    else if (at.type === "MemberExpression") at = at.object;
    else return at.type === "Identifier" ? at.name : null;
  }
}

/** Names of fields that the module takes from something. */
function readNames(program: Program): Set<string> {
  const names = new Set<string>();
  eachNode(program, (node) => {
    if (node.type === "MemberExpression") {
      if (node.property.type === "Identifier") names.add(node.property.name);
      else if (node.property.type === "Literal") names.add(String(node.property.value));
    }
    if (node.type === "ObjectPattern")
      for (const property of node.properties)
        if (property.type === "Property" && property.key.type === "Identifier") names.add(property.key.name);
    return true;
  });
  return names;
}

/** The values of the fields by which the object declares how it is called, where nothing reads them. */
function declaredIn(
  object: Extract<AnyNode, { type: "ObjectExpression" }>,
  read: ReadonlySet<string>,
): Range[] {
  const named = object.properties.flatMap((property) =>
    property.type === "Property" && property.key.type === "Identifier" && !property.computed
      ? [{ name: property.key.name, property }]
      : [],
  );
  if (!named.some(({ name }) => METHODS.has(name))) return [];
  return named.flatMap(({ name, property: { shorthand, value } }) =>
    DECLARED.has(name) && !read.has(name) && !shorthand ? [{ start: value.start, end: value.end }] : [],
  );
}
