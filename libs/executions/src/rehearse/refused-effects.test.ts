import { DRY_RUN_EFFECTS_MAX, RUN_LIMITS_DEFAULT, type Effect } from "@bulkhead/core";
import { expect, test } from "vitest";
import { RefusedEffects } from "./refused-effects.ts";

const TOOL = { limits: RUN_LIMITS_DEFAULT, allowedHosts: null };

const fetching = (url: string, headers: [string, string][] = []): Effect => ({
  kind: "fetch",
  requestId: 1,
  request: { method: "GET", url, headers, body: null, bodyEncoding: "utf8", redirect: "follow" } as never,
});
const asking = (operation: string, args: object): Effect => ({
  kind: "capability",
  family: "files",
  operation,
  argumentsJson: JSON.stringify(args),
  content: null,
  contentEncoding: "utf8",
});
const calling = (name: string): Effect => ({ kind: "call_tool", name, argumentsJson: "{}" });

test("everything is refused, and put down once, in its order", async () => {
  const effects = new RefusedEffects({ services: [] }, TOOL);
  const asked: Effect[] = [
    fetching("https://user:word@a.example/x?key=1"),
    calling("other"),
    { kind: "list_tools" },
    calling("other"),
    { kind: "read_body", bodyId: 1 },
    fetching("no url"),
    asking("move", { from: "a.md", to: "b.md" }),
    asking("read", { path: "a.md" }),
  ];
  for (const effect of asked) expect(await effects.perform(effect)).toMatchObject({ ok: false });
  expect(await effects.begin()).toMatchObject({ ok: false });
  expect(effects.seen).toEqual([
    { kind: "fetch", target: "GET https://a.example/x" },
    { kind: "call_tool", target: "other" },
    { kind: "list_tools", target: "" },
    { kind: "fetch", target: "GET (no address)" },
    { kind: "capability", target: "files.move a.md b.md" },
    { kind: "capability", target: "files.read a.md" },
  ]);
  expect(effects.requests).toBe(0);
});

test("a service is put down where what stands for its values is sent", async () => {
  const effects = new RefusedEffects({ services: ["weather", "weather2", "unused"] }, TOOL);
  const { services } = JSON.parse(effects.configJson);
  const { api_key: key } = services.weather.entries[0].data;
  const { base_url: base } = services.weather2.entries[0].data;
  await effects.perform(fetching("https://a.example/", [["x-api-key", key]]));
  await effects.perform(fetching(`${base}/v1`));
  expect(effects.seen.filter(({ kind }) => kind === "service")).toEqual([
    { kind: "service", target: "weather" },
    { kind: "service", target: "weather2" },
  ]);
});

test("services with like names have an address each", async () => {
  const names = ["my_api", "my-api", "my.api", "my_api_2"];
  const effects = new RefusedEffects({ services: names }, TOOL);
  const { services } = JSON.parse(effects.configJson);
  const bases = names.map((name) => services[name].entries[0].data.base_url);
  expect(bases.map((base) => new URL(base).hostname.replace(".dry-run.invalid", ""))).toEqual([
    "my-api",
    "my-api-2",
    "my-api-3",
    "my-api-2-2",
  ]);
  for (const base of bases) await effects.perform(fetching(`${base}/v1`));
  expect(effects.seen.filter(({ kind }) => kind === "service").map(({ target }) => target)).toEqual(names);
});

test("a tool's command is not run: its line is put down and is what it gives, or what was recorded for it", async () => {
  const effects = new RefusedEffects({ services: [] }, TOOL);
  expect(await effects.runCommand({ command: "git 'log'" })).toMatchObject({
    ok: true,
    value: { stdout: "git 'log'", exitCode: 0 },
  });
  expect(effects.seen).toEqual([{ kind: "capability", target: "shell.exec git 'log'" }]);
  const commands = [{ command: "git 'log'", stdout: "one", stderr: "two", exitCode: 3 }];
  const recorded = new RefusedEffects({ services: [], recorded: { fetch: [], calls: [], commands } }, TOOL);
  expect(await recorded.runCommand({ command: "git 'log'" })).toMatchObject({
    ok: true,
    value: { stdout: "one", stderr: "two", exitCode: 3 },
  });
  expect(await recorded.runCommand({ command: "git 'push'" })).toMatchObject({ code: "capability_denied" });
  expect([...recorded.refused]).toEqual(["capability_denied"]);
});

test("of each kind so many are put down, and that there were more; no kind hides another", async () => {
  const effects = new RefusedEffects({ services: [] }, TOOL);
  for (let n = 0; n < DRY_RUN_EFFECTS_MAX + 5; n += 1)
    await effects.perform(fetching(`https://a.example/${n}`));
  await effects.perform(calling("delete_all"));
  expect(effects.seen).toHaveLength(DRY_RUN_EFFECTS_MAX + 2);
  expect(effects.seen.slice(-2)).toEqual([
    { kind: "fetch", target: "(and more)" },
    { kind: "call_tool", target: "delete_all" },
  ]);
  const long = new RefusedEffects({ services: [] }, TOOL);
  await long.perform(calling("x".repeat(10_000)));
  expect(long.seen[0]?.target).toHaveLength(300);
});

test("an answer is recorded under a service's name where its key or its address would stand", async () => {
  const answer = (url: string) => ({ method: "GET", url, status: 200, headers: {}, body: url });
  const urls = ["https://a.example/?key={my_api}", "https://my-api.dry-run.invalid/v1"];
  const recorded = { fetch: urls.map(answer), calls: [], commands: [] };
  const effects = new RefusedEffects(
    { services: ["my_api"], recorded },
    { ...TOOL, allowedHosts: ["a.example"] },
  );
  const { api_key: key, base_url: base } = JSON.parse(effects.configJson).services["my_api"].entries[0].data;
  expect(await effects.perform(fetching(`https://a.example/?key=${key}`))).toMatchObject({ body: urls[0] });
  expect(await effects.perform(fetching(`${base}/v1`))).toMatchObject({ body: urls[1] });
  expect([effects.requests, [...effects.refused]]).toEqual([2, []]);
  expect(effects.seen.map(({ kind }) => kind)).toEqual(["fetch", "service", "fetch"]);
});
