import type { Operations } from "./generated/operations.ts";
import { ROUTES } from "./generated/routes.ts";
import { readBytes, readData, readStream } from "./http/answer.ts";
import type { Call, Read, Transport } from "./http/transport.ts";
import type { AnyOptions } from "./options.ts";
import { Pages, type Page } from "./pages.ts";
import { follow, openEvents } from "./stream/follow.ts";

type Method = (...given: unknown[]) => unknown;
type Rows = { readonly [name: string]: string | Rows };
type Methods = { [name: string]: Method | Methods };

/** Every operation of the API as a method, by the table that was written of its document. */
export const buildOperations = (transport: Transport): Operations =>
  methodsOf(transport, ROUTES) as unknown as Operations;

const methodsOf = (transport: Transport, rows: Rows): Methods =>
  Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      name,
      typeof row === "string" ? methodOf(transport, row) : methodsOf(transport, row),
    ]),
  );

function methodOf(transport: Transport, row: string): Method {
  const [verb = "", path = "", ...marks] = row.split(" ");
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const takes = (mark: string): boolean => marks.includes(mark);
  const items = marks.find((mark) => mark.startsWith("pages="))?.slice("pages=".length);
  return (...given) => {
    const rest = [...given];
    const place = fillPath(
      path,
      names.map((name) => [name, rest.shift()]),
    );
    const content = takes("content") ? bytesOf(rest.shift()) : undefined;
    const body = takes("body") ? rest.shift() : content;
    const query = takes("query") ? (rest.shift() as Query | undefined) : undefined;
    const options = (rest.shift() ?? {}) as AnyOptions;
    const sent = content === undefined ? {} : { bodyType: "application/octet-stream" };
    const call: Call = { verb, path: place + written(query), body, ...sent, options, isOnce: takes("once") };
    if (takes("events")) return follow((at) => openEvents(transport, call, at), options);
    if (takes("bytes")) return transport.send(call, readBytes);
    if (takes("stream")) return transport.send({ ...call, isOpen: true, accept: "*/*" }, readStream);
    if (items === undefined) return transport.send({ ...call, accept: ANY }, readData);
    return new Pages((cursor) => readPage(transport, call, { place, query, cursor, items }));
  };
}

/** A text goes as its bytes. */
const bytesOf = (content: unknown): unknown =>
  typeof content === "string" ? new TextEncoder().encode(content) : content;

const ANY = "application/json, */*;q=0.5";

type Scalar = string | number | boolean;
type Query = Readonly<Record<string, Scalar | readonly Scalar[] | undefined>>;

interface Asked {
  place: string;
  query: Query | undefined;
  cursor: string | undefined;
  items: string;
}

/** The next page is asked for with its cursor where the first was asked for: in the query, or in the body of a question. */
async function readPage(
  transport: Transport,
  call: Call,
  { place, query, cursor, items }: Asked,
): Promise<Page<unknown, unknown>> {
  const inBody = call.verb === "POST";
  const path = place + written(inBody || cursor === undefined ? query : { ...query, cursor });
  const body = inBody && cursor !== undefined ? { ...(call.body as object | undefined), cursor } : call.body;
  const read: Read<Page<unknown, unknown>> = async (response) => {
    const answer = await readData(response);
    const { [items]: list, nextCursor = cursorOf(response) } = answer as Record<string, unknown>;
    return { answer, items: entriesOf(list), nextCursor: nextCursor as string | null };
  };
  return await transport.send({ ...call, path, body, accept: ANY }, read);
}

/** A list's entries, or the pairs of what is kept by name; none of a zip. */
const entriesOf = (list: unknown): readonly unknown[] =>
  Array.isArray(list) ? list : Object.entries(list ?? {});

/** The cursor in `Link: <…>; rel="next"`, for answers that have no field for it. */
function cursorOf({ headers }: Response): string | null {
  const next = /<([^>]*)>\s*;\s*rel="?next"?/.exec(headers.get("link") ?? "")?.[1];
  return next === undefined ? null : new URL(next, "http://any").searchParams.get("cursor");
}

/** A part that a URL takes for none, or for a step up: another route would answer. */
const NO_PART: ReadonlySet<unknown> = new Set(["", ".", ".."]);

/** Throws a TypeError for a part that can't stand in a path. */
export function fillPath(path: string, parts: readonly [name: string, value: unknown][]): string {
  return parts.reduce((filled, [name, value]) => {
    if ((typeof value !== "string" && typeof value !== "number") || NO_PART.has(value))
      throw new TypeError(
        `${name} must be a number, or a text other than "", "." and "..", not ${String(value)}`,
      );
    return filled.replace(`{${name}}`, () => encodeURIComponent(value));
  }, path);
}

function written(query: Query | undefined): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) params.set(name, [value].flat().join(","));
  return params.size === 0 ? "" : `?${params.toString()}`;
}
