import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { Bulkhead } from "../bulkhead.ts";
import { cut, event, events, page, problem, serveScript, type Answer } from "../fixtures/scripted-server.ts";

const clientOf = ({ url }: { url: string }) => new Bulkhead({ url, key: "bh_1" });
const RETRY = "retry: 0\n";
const QUEUED = event("1-1", "queued");
const STARTED = event("1-2", "started");
const LOG = event("1-3", "log", { level: "info", text: "one" });
const END = event("1-9", "succeeded", { execution: { id: "exe_1", result: 7 } });

async function idsOf(told: AsyncIterable<{ id?: string; event: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id, event: kind } of told) ids.push(id ?? kind);
  return ids;
}

test("a stream that is cut in the middle of an event goes on behind the last whole one", async () => {
  await using server = await serveScript(
    events(RETRY + QUEUED + STARTED + LOG.slice(0, -20), "break"),
    events(LOG + END),
  );
  expect(await idsOf(clientOf(server).executions.events("exe_1"))).toEqual(["1-1", "1-2", "1-3", "1-9"]);
  expect(server.asked.map(({ path, headers }) => [path, headers["last-event-id"]])).toEqual([
    ["/api/v1/executions/exe_1/events", undefined],
    ["/api/v1/executions/exe_1/events", "1-2"],
  ]);
});

test("an event that is told again is given once, and a gap too", async () => {
  const gap = 'event: execution.gap\ndata: {"executionId":"exe_1","from":"1-1","to":"1-3"}\n\n';
  await using server = await serveScript(
    events(RETRY + QUEUED + QUEUED + gap, "break"),
    events(RETRY + QUEUED + gap + LOG),
    events(QUEUED + STARTED + LOG + END + event("2-1", "queued")),
  );
  expect(await idsOf(clientOf(server).executions.events("exe_1"))).toEqual([
    "1-1",
    "execution.gap",
    "1-3",
    "1-9",
  ]);
  expect(server.asked).toHaveLength(3);
});

test("what keeps a stream from being opened for now is waited for; 204 ends it", async () => {
  await using server = await serveScript(
    events(RETRY + LOG, "break"),
    problem(503, "service.unavailable", true, { headers: { "retry-after": "0" } }),
    (response) => void response.writeHead(204).end(),
  );
  expect(await idsOf(clientOf(server).executions.events("exe_1", { lastEventId: "1-2" }))).toEqual(["1-3"]);
  expect(server.asked.map(({ headers }) => headers["last-event-id"])).toEqual(["1-2", "1-3", "1-3"]);
});

test.each([
  ["what is not there", problem(404, "execution.not_found", false), "execution.not_found"],
  ["a page of something else", page(200, "<p>Welcome</p>"), "client.answer_invalid"],
  ["data that is no JSON", events("id: 1-4\nevent: execution.log\ndata: {no\n\n"), "client.answer_invalid"],
])("%s is not asked for again", async (_what, answer: Answer, code) => {
  await using server = await serveScript(events(RETRY + LOG, "break"), answer);
  await expect(idsOf(clientOf(server).executions.events("exe_1"))).rejects.toMatchObject({ code });
  expect(server.asked).toHaveLength(2);
});

test("connections that break in a row without an event are bounded", async () => {
  await using server = await serveScript(events(RETRY + LOG, "break"), cut);
  const told = clientOf(server).executions.events("exe_1", { retries: 1 });
  await expect(idsOf(told)).rejects.toMatchObject({ code: "client.unreachable", retryable: true });
  expect(server.asked).toHaveLength(2);
});

test("a signal ends it with its reason, and a reader that leaves closes the connection", async () => {
  const left: string[] = [];
  const open: Answer = (response, asked) => {
    response.on("close", () => left.push(asked.path));
    return events(LOG, "open")(response, asked);
  };
  await using server = await serveScript(open);
  const client = clientOf(server);
  const controller = new AbortController();
  const told = client.executions.events("exe_1", { signal: controller.signal });
  await told.next();
  controller.abort(new Error("enough"));
  await expect(told.next()).rejects.toThrow("enough");
  for await (const _event of client.events({ types: ["tool.created"] })) break;
  while (left.length < 2) await setTimeout(5);
  expect(left).toEqual(["/api/v1/executions/exe_1/events", "/api/v1/events?types=tool.created"]);
});

test("a run that is streamed begins once: by its key until its id is known, then by its id", async () => {
  await using server = await serveScript(
    cut,
    events(RETRY, "break"),
    events(RETRY + QUEUED, "break"),
    events(STARTED + END),
  );
  const told = clientOf(server).tools.stream("adder", { a: 1 }, { priority: 9 });
  const all = await Array.fromAsync(told);
  expect(all.map(({ id }) => id)).toEqual(["1-1", "1-2", "1-9"]);
  expect(all.at(-1)).toMatchObject({ event: "execution.succeeded", data: { execution: { result: 7 } } });
  const [first, second, third, last] = server.asked;
  for (const one of [first, second, third])
    expect(one).toMatchObject({
      method: "POST",
      path: "/api/v1/custom-tools/adder/execute",
      body: { arguments: { a: 1 }, mode: "stream", priority: 9 },
      headers: { "idempotency-key": first?.headers["idempotency-key"] },
    });
  expect(last).toMatchObject({ method: "GET", headers: { "last-event-id": "1-1" } });
  expect(last?.headers).not.toHaveProperty("idempotency-key");
});
