import { everyNth, SEED, sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { badQueries, badRequests, type BadRequest, type Known } from "../support/bad-input/bad-requests.ts";
import { documentedFields, type Field } from "../support/bad-input/documented-fields.ts";
import { createTool, newTenant, type Client } from "../support/client.ts";

/** By day every twelfth field is tried, of queries every fourth. */
const NTH = 12;
const NTH_QUERIED = 4;
/** At a time. */
const REQUESTS_MAX = 8;
const ANSWER_MS_MAX = 20_000;
/** The platform's own; a tenant's key is refused there before anything is read. */
const OF_THE_PLATFORM = /^\/api\/v1\/(tenants|system)/;

const SAMPLE = { description: "A sample.", parameters: { type: "object" }, code: "return 1;" };

const product = await sharedProduct();
let owner: Client;
let known: Known;
let fields: Field[];

beforeAll(async () => {
  const tenant = await newTenant(product, { requestsPerSecond: 100_000 });
  owner = tenant.owner;
  await createTool(owner, "echo", "return args;");
  const ran = await owner.post("/api/v1/custom-tools/echo/execute", { arguments: {} });
  const schedule = { tool: "echo", arguments: {}, everyMs: 31_622_400_000 };
  const planned = await owner.post("/api/v1/schedules", schedule);
  known = {
    refs: {
      tenants: tenant.id,
      "custom-tools": "echo",
      versions: "1",
      executions: ran.body.data.executionId,
      deliveries: "1",
      schedules: planned.body.data.id,
    },
    bodies: {
      "POST /api/v1/custom-tools": { ...SAMPLE, name: "sample" },
      "POST /api/v1/meta-tools/create_tool": { ...SAMPLE, name: "sample_of_a_model" },
      "PUT /api/v1/policy": {},
      "POST /api/v1/schedules": schedule,
      "POST /api/v1/executions/batch": { executions: [{ tool: "echo" }] },
    },
  };
  const { body } = await owner.get("/docs/json");
  const { "/mcp": _ofJsonRpc, ...paths } = body.paths;
  fields = documentedFields(paths);
});

interface Outcome {
  status: number;
  type: string;
  /** Paths that are told to be at fault. */
  named: string[];
}

async function send({ field, url, headers, body }: BadRequest): Promise<Outcome> {
  const key = OF_THE_PLATFORM.test(field.route) ? product.adminKey : owner.key;
  const json = body === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(product.url + url, {
    method: field.method,
    headers: { authorization: `Bearer ${key}`, ...json, ...headers },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("event-stream")) await response.body?.cancel();
  const answer = type.includes("json") ? await response.json() : {};
  return outcomeOf(field, { status: response.status, type, named: [] }, answer as Told);
}

interface Told {
  errors?: { path: string }[];
  data?: { executions?: [{ error?: Told }] };
}

/** A batch is accepted as a whole, and the problem of the call that was bad is told in its place. */
function outcomeOf({ route }: Field, answered: Outcome, answer: Told): Outcome {
  const pathsOf = ({ errors = [] }: Told, within = "") => errors.map(({ path }) => within + path);
  const inBatch = route.endsWith("/batch") ? answer.data?.executions?.[0].error : undefined;
  if (!inBatch) return { ...answered, named: pathsOf(answer) };
  const asProblem = { status: 400, type: "application/problem+json" };
  return { ...asProblem, named: pathsOf(inBatch, "executions.0.").map((path) => path.replace(/\.$/, "")) };
}

/** What is wrong with an answer; nothing, where it is as promised. */
function faultsOf({ field, mustBeRefused }: BadRequest, { status, type, named }: Outcome): string[] {
  if (status < 400) return mustBeRefused ? [`was taken with ${status}`] : [];
  // What this deployment was not given is no failure of it; a bad field is refused before that is seen.
  if (status === 501 && !mustBeRefused) return [];
  if (status >= 500) return [`was answered ${status}`];
  if (!type.includes("application/problem+json")) return [`was answered ${status} as ${type}`];
  if (status !== 400) return mustBeRefused ? [`was answered ${status}`] : [];
  const name = field.path.join(".");
  // What is within an object of any content is named in its own way: an import names file and field.
  const isNamed = mustBeRefused
    ? named.some((path) => name === "" || path === name || path.startsWith(`${name}.`))
    : named.length > 0;
  return isNamed ? [] : [`was answered 400 naming ${JSON.stringify(named)}`];
}

async function faultsAmong(requests: BadRequest[]): Promise<string[]> {
  const found: string[] = [];
  const left = requests.values();
  const work = async (): Promise<void> => {
    for (const request of left) {
      const outcome = await send(request).catch((cause: unknown) => String(cause));
      const faults = typeof outcome === "string" ? [outcome] : faultsOf(request, outcome);
      const { method, route } = request.field;
      found.push(...faults.map((fault) => `${method} ${route}: ${request.what} ${fault}`));
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_MAX }, work));
  return found.sort();
}

test("[R34] whatever is wrong with whichever field of a request, the answer is a problem that names the field", async () => {
  const requests = everyNth(fields, NTH).flatMap((field, at) => badRequests(field, known, SEED + at));
  expect(requests.length).toBeGreaterThan(fields.length / NTH);
  expect(await faultsAmong(requests)).toEqual([]);
});

test("a field of a query that is none, or is there twice, is named", async () => {
  const queried = fields.filter(({ part }) => part === "query");
  expect(await faultsAmong(badQueries(everyNth(queried, NTH_QUERIED), known))).toEqual([]);
});
