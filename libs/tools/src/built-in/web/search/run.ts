import {
  Fault,
  SEARCH_SERVICE,
  type EgressRefused,
  type EgressResponse,
  type EgressSession,
  type JsonObject,
  type ProvidedAnswer,
  type ProvidedCall,
} from "@bulkhead/core";
import { RESULTS_DEFAULT, SEARCH_ANSWER_BYTES_MAX, SEARCH_MS_MAX } from "./bounds.ts";
import type { SearchEngine } from "./engine.ts";
import { findEngine, type FoundEngine, type SearchDeps } from "./find-engine.ts";
import { tidyResults } from "./tidy-results.ts";

/** Statuses of engines for which more has to be paid. */
const PLAN_USED_UP = [402, 432, 433];

type Refused = Extract<ProvidedAnswer, { ok: false }>;

/** Asks the tenant's search engine through the caller's way out: its hosts, counts and bytes are the caller's. */
export async function webSearch(
  deps: SearchDeps,
  { query, limit: said }: JsonObject,
  call: ProvidedCall,
): Promise<ProvidedAnswer> {
  const { tenantId, egress, signal } = call;
  if (egress === null)
    return refused(
      "tool_not_allowed",
      "it uses the network, and the tool that calls it has no network permission",
    );
  const found = await findEngine(deps, tenantId).catch(unopened);
  if (typeof found === "string") return { ok: false, code: "capability_denied", message: found };
  const limit = typeof said === "number" ? said : RESULTS_DEFAULT;
  const asked = { query: typeof query === "string" ? query : "", limit };
  const late = AbortSignal.timeout(SEARCH_MS_MAX);
  const session = egress.withSecrets(found.secrets);
  try {
    const answer = await ask(session, found, asked, AbortSignal.any([signal, late]), call.nextBodyId());
    if (late.aborted && !signal.aborted)
      return refused("timeout", `${found.engine.name} has not answered within ${SEARCH_MS_MAX} ms`);
    if (!answer.ok) return answer;
    const results = found.engine.results(parsed(answer.text));
    if (results === null)
      return refused("failed", `${found.engine.name} answered something that is no list of results`);
    return { ok: true, value: { results: tidyResults(results, limit), provider: found.engine.name } };
  } finally {
    session.close();
  }
}

/** What the service holds can't be opened: a person enters it again. */
function unopened(error: unknown): string {
  if (error instanceof Fault && error.code === "vault.unreadable")
    return `A secret of the service "${SEARCH_SERVICE}" can't be opened: enter it again.`;
  throw error;
}

const refused = (code: Refused["code"], why: string): Refused => ({
  ok: false,
  code,
  message: `web_search could not search: ${why}.`,
});

async function ask(
  session: EgressSession,
  { engine, place, owner }: FoundEngine,
  asked: Parameters<FoundEngine["engine"]["request"]>[0],
  signal: AbortSignal,
  bodyId: number,
): Promise<Refused | { ok: true; text: string }> {
  const request = { ...engine.request(asked, place), bodyEncoding: "utf8", redirect: "error" } as const;
  const head = await session.fetch(request, signal, bodyId);
  if (!head.ok) return head;
  const why = whyNot(head, engine, owner);
  return why === null ? wholeText(session, head, bodyId, signal) : refused("failed", why);
}

/** What a status says, in words that tell who can do what about it; null where it brings results. */
function whyNot(
  { status, headers }: EgressResponse,
  { name, refusesKey }: SearchEngine,
  owner: FoundEngine["owner"],
): string | null {
  if (status === 200) return null;
  const where = owner === "tenant" ? `in the service "${SEARCH_SERVICE}"` : "in this deployment's settings";
  if (status === 403 && name === "searxng")
    return "searxng refused the request (403): its settings must have json among search.formats";
  if (refusesKey.includes(status))
    return `${name} refused the key (${status}): a valid one is to be entered ${where}`;
  if (PLAN_USED_UP.includes(status)) return `the plan at ${name} is used up (${status})`;
  if (status !== 429) return `${name} answered with the status ${status}`;
  const after = headers.find(([header]) => header.toLowerCase() === "retry-after")?.[1] ?? "";
  const when = /^\d{1,6}$/.test(after) ? `in ${after} seconds` : "later";
  return `${name} takes no more searches at the moment (429): try again ${when}`;
}

async function wholeText(
  session: EgressSession,
  head: EgressResponse,
  bodyId: number,
  signal: AbortSignal,
): Promise<EgressRefused | Refused | { ok: true; text: string }> {
  const chunks = [Buffer.from(head.body, head.bodyEncoding)];
  let bytes = chunks[0]?.length ?? 0;
  for (let isDone = head.done; !isDone && bytes <= SEARCH_ANSWER_BYTES_MAX;) {
    const part = await session.read(bodyId, signal);
    if (!part.ok) return part;
    const chunk = Buffer.from(part.body, part.bodyEncoding);
    chunks.push(chunk);
    bytes += chunk.length;
    isDone = part.done;
  }
  if (bytes > SEARCH_ANSWER_BYTES_MAX)
    return refused("failed", `the answer has more than ${SEARCH_ANSWER_BYTES_MAX} bytes`);
  return { ok: true, text: Buffer.concat(chunks).toString() };
}

/** Null for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
