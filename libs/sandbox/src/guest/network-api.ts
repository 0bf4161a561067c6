import { exchange, type Answer, type RestCall } from "./exchange.ts";
import { isArray, stringifyJson } from "./primordials.ts";

interface GraphqlCall extends Omit<RestCall, "method" | "body"> {
  query: string;
  variables?: Record<string, unknown>;
}

/** A GraphQL response: it has `data`, or at least one of `errors`. */
interface GraphqlAnswer {
  data?: unknown;
  errors?: unknown;
}

/** Characters of an answer that an error repeats. */
const EXCERPT_CHARS_MAX = 200;

/** Without this a forgotten argument would end in V8's own words, or in the server's answer to a request without it. */
function requireCall(what: string, call: unknown): void {
  if (typeof call !== "object" || call === null || (call as RestCall).url === undefined)
    throw new TypeError(`${what} needs an object with a url`);
}

const excerpt = (body: unknown): string =>
  (typeof body === "string" ? body : (stringifyJson(body) ?? "")).slice(0, EXCERPT_CHARS_MAX);

/** An answer that is no success; `status`, `body` (parsed where it is JSON) and the seconds of its `Retry-After` are on it. */
function httpError(url: string, answer: Answer): Error {
  const { status, value: body } = answer;
  const error = new Error(`${url} answered ${status}: ${excerpt(body)}`);
  return Object.assign(error, { name: "HttpError", status, body, ...pauseOf(answer) });
}

/** As `retryAfter`; nothing where the answer asks for none. */
const pauseOf = ({ retryAfter }: Answer): { retryAfter?: number } =>
  retryAfter === undefined ? {} : { retryAfter };

/**
 * Sends a request and answers with the response's body: parsed where it is JSON, else as text, null where there is none.
 * GET without a body and POST with one, unless `method` says otherwise. Rejects with an `HttpError` for a status
 * that is no success, with a SyntaxError for a success that claims JSON and is none, and with the refusal's error where the
 * request may not be sent. `auth` takes the place of a header of the same name.
 */
export async function rest(call: RestCall): Promise<unknown> {
  requireCall("api.rest", call);
  const answer = await exchange(call);
  if (!answer.isOk) throw httpError(call.url, answer);
  if (answer.fault !== null) throw answer.fault;
  return answer.value;
}

/**
 * Sends a GraphQL query and answers with its `data`. Rejects, whatever the status, with a `GraphQLError` that has the
 * first error's message, all `errors`, `data` and `status`. An answer that is not GraphQL's rejects with an `HttpError` if
 * the status is no success, else with a `GraphQLError` that has no `errors` and says so.
 */
export async function graphql(call: GraphqlCall): Promise<unknown> {
  requireCall("api.graphql", call);
  const { url, query, variables, headers, auth, bigNumbers } = call;
  if (typeof query !== "string" || query === "")
    throw new TypeError("api.graphql needs a query, a text that is not empty");
  const answer = await exchange({
    url,
    method: "POST",
    headers: headers ?? {},
    ...(auth === undefined ? {} : { auth }),
    bigNumbers,
    body: { query, variables },
  });
  const { status, value } = answer;
  const { data = null, errors } = graphqlAnswer(value) ?? {};
  if (isArray(errors) && errors.length > 0) {
    const message = (errors[0] as { message?: unknown } | null)?.message;
    const told = { status, errors, data, ...pauseOf(answer) };
    throw graphqlError(typeof message === "string" ? message : "the query failed", told);
  }
  if (!answer.isOk) throw httpError(url, answer);
  if (graphqlAnswer(value) !== null) return data;
  const said = `${url} answered ${status} with an answer that is not GraphQL's: ${excerpt(value)}`;
  throw graphqlError(said, { status, errors: [], data: null, body: value });
}

const graphqlError = (text: string, more: object): Error =>
  Object.assign(new Error(`GraphQL: ${text}`), { name: "GraphQLError" }, more);

function graphqlAnswer(value: unknown): GraphqlAnswer | null {
  if (typeof value !== "object" || value === null || isArray(value)) return null;
  const { errors } = value as GraphqlAnswer;
  return "data" in value || (isArray(errors) && errors.length > 0) ? value : null;
}
