import type { ApiDocument } from "./api-document.ts";
import { readOperations, type Answer, type ClientOperation } from "./read-operations.ts";
import { comment, declare, nameOf, TypeWriter, type Schema } from "./type-writer.ts";

const HEAD = "// Written from the API's document by libs/sdk/build; see there.\n\n";

/** Methods whose types are written by hand, since they depend on what is asked for: src/own-methods.ts. */
const BY_HAND: Readonly<Record<string, string>> = {
  executeTool: "ExecuteMethod",
  exportTools: "ExportMethod",
};

/** How options are named that only some operations take, by the header that they become. */
const OPTIONS: Readonly<Record<string, string>> = {
  "idempotency-key": "OnceOption",
  "if-match": "IfMatchOption",
  "if-none-match": "IfNoneMatchOption",
  "bulkhead-provider": "AskerOptions",
};

export interface WrittenClient {
  /** `src/generated/routes.ts`: what runs. */
  routes: string;
  /** `src/generated/types.ts`: what is sent and answered. */
  types: string;
  /** `src/generated/operations.ts`: the methods' types. */
  operations: string;
}

/** The parts of the client that follow from the API's document. */
export function writeClient(document: ApiDocument): WrittenClient {
  const operations = readOperations(document);
  const groups = Map.groupBy(operations, ({ method }) => (method.includes(".") ? groupOf(method) : ""));
  const types: string[] = [];
  const schemas = document.components.schemas;
  const sent = namesIn(
    operations.flatMap(({ body, query }) => [body?.schema, query]),
    schemas,
  );
  for (const [name, schema] of Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
    types.push(declare(name, schema, sent.has(name)));
  const methods = operations.map((operation) => [operation, methodOf(operation, types)] as const);
  const textOf = (group: string): string =>
    methods
      .filter(([{ method }]) => (group === "" ? !method.includes(".") : groupOf(method) === group))
      .map(([{ about }, text]) => `${comment(about, "  ")}  ${text}\n`)
      .join("\n");
  const names = [...groups.keys()].filter((group) => group !== "");
  const interfaces = names.map((group) => `export interface ${typeNameOf(group)} {\n${textOf(group)}}\n`);
  const all = `export interface Operations {\n${textOf("")}\n${names.map((group) => `  readonly ${group}: ${typeNameOf(group)};\n`).join("")}}\n`;
  const body = [...interfaces, all].join("\n");
  return {
    routes: routesOf(groups),
    types: HEAD + types.join("\n"),
    operations: HEAD + importsFor(body, types) + body,
  };
}

const groupOf = (method: string): string => method.split(".")[0] ?? "";
const lastOf = (method: string): string => method.split(".").at(-1) ?? "";
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const typeNameOf = (group: string): string => `${capital(group)}Operations`;

function methodOf(operation: ClientOperation, types: string[]): string {
  const { id, method, verb, pathParameters, query, body, answer, headers } = operation;
  // The types of what is sent and answered are named whoever writes the method's own.
  const sent = [
    ...pathParameters.map(({ name, schema }) => `${name}: ${new TypeWriter(true).type(schema)}`),
    ...(body ? [`body${body.isRequired ? "" : "?"}: ${bodyType(id, body, types)}`] : []),
    ...(query
      ? [`query${query.required?.length ? "" : "?"}: ${named(`${capital(id)}Query`, query, true, types)}`]
      : []),
  ];
  const result = resultOf(id, answer, types);
  const byHand = BY_HAND[id];
  if (byHand !== undefined) return `${lastOf(method)}: ${byHand};`;
  // An answer without a body tells a reader nothing that it could go on with: only a write takes the condition.
  const isTaken = (header: string): boolean =>
    headers.has(header) && !(header === "if-none-match" && verb === "GET");
  const options = Object.entries(OPTIONS).flatMap(([header, option]) => (isTaken(header) ? [option] : []));
  if (answer.kind === "events") options.push("FollowOptions");
  return `${lastOf(method)}(${[...sent, `options?: ${["CallOptions", ...options].join(" & ")}`].join(", ")}): ${result};`;
}

function bodyType(
  id: string,
  { schema, takesZip, takesBytes }: NonNullable<ClientOperation["body"]>,
  types: string[],
): string {
  if (takesBytes) return "FileBytes";
  const type = named(`${capital(id)}Body`, schema, true, types);
  return takesZip ? `${type} | ZipBytes` : type;
}

const PLAIN: Readonly<Record<Exclude<Answer["kind"], "data" | "pages" | "events">, string>> = {
  bytes: "Promise<Uint8Array>",
  stream: "Promise<ReadableStream<Uint8Array>>",
  text: "Promise<string>",
  nothing: "Promise<undefined>",
};

function resultOf(id: string, answer: Answer, types: string[]): string {
  if (answer.kind === "events")
    return `AsyncGenerator<${id === "streamTenantEvents" ? "TenantEvent" : "ExecutionEvent"}, void, undefined>`;
  if (answer.kind === "pages") {
    const page = named(`${capital(id)}Answer`, answer.schema, false, types);
    return `Pages<${page}, ${page}["${answer.items}"][number]>`;
  }
  if (answer.kind !== "data") return PLAIN[answer.kind];
  const several = answer.schemas.length > 1;
  const names = answer.schemas.map((schema, at) =>
    named(`${capital(id)}Answer${several ? at + 1 : ""}`, schema, false, types),
  );
  return `Promise<${[...new Set(names)].join(" | ")}>`;
}

/** The name of a schema's type: its own, or this one, which is then declared. */
function named(name: string, schema: Schema, isSent: boolean, types: string[]): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  types.push(declare(name, schema, isSent));
  return name;
}

/** Names of the schemas that these refer to, through others too. */
function namesIn(roots: (Schema | null | undefined)[], schemas: Record<string, Schema>): Set<string> {
  const names = new Set<string>();
  const left: unknown[] = [...roots];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== "object" || value === null) continue;
    left.push(...Object.values(value));
    if (!("$ref" in value) || typeof value.$ref !== "string") continue;
    const name = nameOf(value.$ref);
    if (names.has(name)) continue;
    names.add(name);
    left.push(schemas[name]);
  }
  return names;
}

const OWN = [
  "CallOptions",
  "FollowOptions",
  "OnceOption",
  "IfMatchOption",
  "IfNoneMatchOption",
  "AskerOptions",
];

function importsFor(body: string, types: string[]): string {
  const isUsed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(body);
  const declared = types.flatMap((text) => /export (?:interface|type) (\w+)/.exec(text)?.[1] ?? []);
  const line = (names: string[], from: string): string => {
    const used = names.filter(isUsed).sort();
    return used.length === 0
      ? ""
      : `import type {\n${used.map((name) => `  ${name},\n`).join("")}} from "${from}";\n`;
  };
  return [
    line(["ExecutionEvent"], "../events.ts"),
    line(OWN, "../options.ts"),
    line([...Object.values(BY_HAND), "ZipBytes", "FileBytes"], "../own-methods.ts"),
    line(["Pages"], "../pages.ts"),
    line(declared, "./types.ts"),
    "\n",
  ].join("");
}

function routesOf(groups: Map<string, ClientOperation[]>): string {
  const rowOf = ({ verb, path, body, query, headers, answer }: ClientOperation): string => {
    const marks = [
      body ? (body.takesBytes ? "content" : "body") : "",
      query ? "query" : "",
      headers.has("idempotency-key") ? "once" : "",
      answer.kind === "data" || answer.kind === "text" || answer.kind === "nothing" ? "" : answer.kind,
      answer.kind === "pages" ? `=${answer.items}` : "",
    ];
    return `${verb} ${path} ${marks.join(" ")}`.replaceAll(/ +/g, " ").replace(" =", "=").trim();
  };
  const lines = [...groups].flatMap(([group, operations]) => {
    const indent = group === "" ? "  " : "    ";
    const rows = operations.map(
      (operation) => `${indent}${lastOf(operation.method)}: ${JSON.stringify(rowOf(operation))},`,
    );
    return group === "" ? rows : [`  ${group}: {`, ...rows, "  },"];
  });
  return `${HEAD}/**\n * Each method's verb and path, and what it takes and answers: \`body\`, \`content\` (a file's bytes or text), \`query\`, \`once\` (an Idempotency-Key),\n * \`pages=<list>\`, \`events\`, \`bytes\`, \`stream\`.\n */\nexport const ROUTES = {\n${lines.join("\n")}\n} as const;\n`;
}
