import type { AnyNode, ExportNamedDeclaration, Identifier, Literal } from "acorn";
import { blanked, callAtEnd, fitted, unusedName, type Edit } from "./call-edits.ts";
import type { Offence } from "./code-fault.ts";
import { isCallable, namedFunctions, type Line } from "./named-functions.ts";
import { BODY_START } from "./parse-body.ts";

/** The edits that call the function which the code exports, as a module of either kind; null where it exports no one function. */
export function callOfExport(lines: readonly Line[], code: string): Edit[] | null {
  const named = lines.filter((line) => line.type === "ExportNamedDeclaration");
  const defaults = lines.filter((line) => line.type === "ExportDefaultDeclaration");
  const [exported] = defaults;
  if (exported) return withPlain(named, code, callOfValue(exported, exported.declaration, lines, code));
  const functions = named.flatMap(({ declaration }) => (declaration ? namedFunctions(declaration) : []));
  const [only] = functions.length === 1 ? functions : functions.filter(({ name }) => name === "main");
  if (only) return withPlain(named, code, [callAtEnd(code, only.name)]);
  const name = listedFunction(named, lines);
  if (name !== null) return withPlain(named, code, [callAtEnd(code, name)]);
  const assigned = assignedExport(lines);
  return assigned && callOfValue(assigned.line, assigned.value, lines, code);
}

/** Why nothing runs of what `module.exports` is given, where that is no function of the code's. */
export function assignedInVain(lines: readonly Line[]): Offence | null {
  const assigned = assignedExport(lines);
  if (assigned === null) return null;
  const message =
    "The code exports no function, so nothing would run: export one (module.exports = async (args) => …), or end it with return and the call.";
  return { at: assigned.line.start, rule: "uncalled", message };
}

/** The own function that a list of names hands out: the default, else the only one, else `main`; null where there is no such one. */
function listedFunction(named: readonly ExportNamedDeclaration[], lines: readonly Line[]): string | null {
  const own = new Set(lines.flatMap(functionsOf).map(({ name }) => name));
  const listed = named.flatMap(({ specifiers }) =>
    specifiers.flatMap(({ local, exported }) =>
      local.type === "Identifier" && own.has(local.name) ? [{ local: local.name, as: nameOf(exported) }] : [],
    ),
  );
  const one =
    listed.find(({ as }) => as === "default") ??
    (listed.length === 1 ? listed[0] : listed.find(({ as }) => as === "main"));
  return one?.local ?? null;
}

const nameOf = (name: Identifier | Literal): unknown => (name.type === "Identifier" ? name.name : name.value);

/** Other exports are declarations of the tool's own, or hand out names; those of another module are left for validation to refuse. */
function withPlain(
  named: readonly ExportNamedDeclaration[],
  code: string,
  edits: Edit[] | null,
): Edit[] | null {
  if (edits === null || named.some(({ source }) => source)) return null;
  const plain = named.map(({ start, end, declaration }) =>
    blanked(code, start - BODY_START, (declaration?.start ?? end) - BODY_START),
  );
  return [...plain, ...edits];
}

/** `line` hands out `value`: a function, or the name of one that the code declares. */
function callOfValue(line: Line, value: AnyNode, lines: readonly Line[], code: string): Edit[] | null {
  const [start, end] = [line.start - BODY_START, line.end - BODY_START];
  if (value.type === "Identifier") {
    const isOwn = lines.flatMap(functionsOf).some(({ name }) => name === value.name);
    return isOwn ? [blanked(code, start, end), callAtEnd(code, value.name)] : null;
  }
  if (!isCallable(value)) return null;
  if (value.type === "FunctionDeclaration" && value.id)
    return [blanked(code, start, value.start - BODY_START), callAtEnd(code, value.id.name)];
  const name = unusedName(code);
  // A function in brackets begins behind them.
  const from = valueStart(code, start, value.start - BODY_START);
  const declared = name === null ? null : fitted(code, start, from, `const ${name}=`);
  return name === null || declared === null ? null : [declared, callAtEnd(code, name)];
}

const functionsOf = (line: Line) =>
  namedFunctions(line.type === "ExportNamedDeclaration" && line.declaration ? line.declaration : line);

const HANDED_OUT = /^(?:export\s+default\s*|[\w$.\s]+=\s*)/;

const valueStart = (code: string, start: number, at: number): number =>
  start + (HANDED_OUT.exec(code.slice(start, at))?.[0].length ?? 0);

/** `module.exports = …` or `exports.name = …`, once. */
function assignedExport(lines: readonly Line[]): { line: Line; value: AnyNode } | null {
  const found = lines.flatMap((line) => {
    if (line.type !== "ExpressionStatement" || line.expression.type !== "AssignmentExpression") return [];
    const { operator, left, right } = line.expression;
    return operator === "=" && isExports(left) ? [{ line, value: right }] : [];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

function isExports(target: AnyNode): boolean {
  if (target.type !== "MemberExpression" || target.computed) return false;
  const { object, property } = target;
  if (object.type === "Identifier" && object.name === "module")
    return property.type === "Identifier" && property.name === "exports";
  return (object.type === "Identifier" && object.name === "exports") || isExports(object);
}
