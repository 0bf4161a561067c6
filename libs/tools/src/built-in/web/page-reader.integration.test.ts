import { everyNth, isNightly, leakCheck, until } from "@bulkhead/testing";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { PROCESSES_MAX, WAITING_PER_TENANT_MAX } from "../programs/bounds.ts";
import { PageReader } from "./page-reader.ts";

leakCheck();

const NEVER = new AbortController().signal;
/** More than a busy machine takes for a page that is sound, in milliseconds. */
const AMPLE_MS = 20_000;
/** Nesting beyond the bound, which still takes time in the square of its length. */
const STALLING = "<blockquote>y".repeat(150_000);

/** Time enough for a page that is sound, little for one that stalls. */
const BRIEF_MS = 1_500;

const patient = (): PageReader => new PageReader(AMPLE_MS, AMPLE_MS);
let reader = patient();
afterEach(async () => {
  await reader.close();
  reader = patient();
});

const read = (body: string, tenantId = "ten_a", signal = NEVER, contentType = "text/html") =>
  reader.run(
    { bytes: Buffer.from(body), contentType, url: "https://a.example/", textCharsMax: 100, format: "text" },
    { tenantId, signal },
  );
const isRead = (text: string) => ({ outcome: "read", page: { text } });
describe("pages", () => {
  test("of many tenants at once are all read, each its own, in few processes", async () => {
    const all = Array.from({ length: 20 }, (_, at) => read(`<p>page ${at}`, `ten_${at % 5}`));
    expect(reader.pids.length).toBeLessThanOrEqual(PROCESSES_MAX);
    expect(await Promise.all(all)).toMatchObject(Array.from({ length: 20 }, (_, at) => isRead(`page ${at}`)));
  });

  test("share a process, which ends when none come", async () => {
    reader = new PageReader(50, AMPLE_MS);
    await read("<p>one");
    const [first] = reader.pids;
    await read("<p>two");
    expect(reader.pids).toEqual([first]);
    await until(() => Promise.resolve(reader.pids.length === 0), { what: "the process ends" });
    expect(await read("<p>three")).toMatchObject(isRead("three"));
  });

  const ODD_PAGES: [what: string, html: string, text: unknown][] = [
    ["a cell of 100,000,000 columns", "<table><tr><td colspan=100000000>x<tr><td>y", "x\ny"],
    ["a cell of as many rows", "<table><tr><td rowspan=1e9>x<tr><td>y", "x\ny"],
    ["a row of 100,000 cells", `<table><tr><td>x<tr>${"<td>".repeat(100_000)}`, expect.stringMatching(/^x/)],
    ["a list from 1e308", "<ol start=1e308 type=i><li>x", "1000000. x"],
    ["a list from Infinity", "<ol start=Infinity type=a><li>x", "1000000. x"],
    ["a list from nowhere", "<ol start=x type=I><li>x", "1. x"],
  ];
  test.each(everyNth(ODD_PAGES, 4))(
    "with %s are read, and the next one in the same process",
    async (_, html, text) => {
      const [hostile, next] = await Promise.all([read(html), read("<p>well")]);
      expect(hostile).toMatchObject({ outcome: "read" });
      expect(hostile.outcome === "read" && hostile.page?.text.trim()).toEqual(text);
      expect(next).toMatchObject(isRead("well"));
      expect(reader.pids).toHaveLength(1);
    },
  );

  test.runIf(isNightly)("of JSON that indentation would blow up are cut off before", async () => {
    const bomb = "[".repeat(5_000) + "1,".repeat(900_000) + "1" + "]".repeat(5_000);
    expect(await read(bomb, "ten_a", NEVER, "application/json")).toMatchObject({
      outcome: "read",
      page: { text: expect.stringMatching(/^\[\n {2}\[\n {4}\[/), truncated: true },
    });
    expect(reader.pids).toHaveLength(1);
  });
});

describe("a page that takes too much", () => {
  const COSTLY_PAGES: [what: string, readMs: number, html: string, outcome: string][] = [
    ["time", BRIEF_MS, STALLING, "overran"],
    ["memory", AMPLE_MS, "<p>y".repeat(500_000), "died"],
  ];
  test.each(everyNth(COSTLY_PAGES, 2))(
    "of %s ends its process, and the next one is read",
    async (_, readMs, html, outcome) => {
      reader = new PageReader(AMPLE_MS, readMs);
      expect(await read(html)).toEqual({ outcome });
      expect(await read("<p>well")).toMatchObject(isRead("well"));
    },
  );

  test.runIf(isNightly)("holds up nobody but its tenant, who has no more of a turn than others", async () => {
    const order: string[] = [];
    const note = (name: string) => () => order.push(name);
    await Promise.all([read("<p>both processes", "ten_b"), read("<p>are ready", "ten_c")]);
    const stalling = Array.from({ length: 3 }, () => read(STALLING, "ten_a").then(note("stalling")));
    await Promise.all([read("<p>x", "ten_b"), read("<p>y", "ten_c")]).then(note("others"));
    expect(order).toEqual(["others"]);
    await reader.close();
    await Promise.all(stalling);
  });

  test("is dead when something else kills its process", async () => {
    await read("<p>the process is ready");
    const underWay = read(STALLING);
    await nextTurn();
    for (const pid of reader.pids) process.kill(pid, "SIGKILL");
    expect(await underWay).toEqual({ outcome: "died" });
    expect(await read("<p>well")).toMatchObject(isRead("well"));
  });
});

test("of one tenant, only so many wait; others still get in line", async () => {
  const own = Array.from({ length: WAITING_PER_TENANT_MAX + 2 }, () => read("<p>x"));
  expect(await own.pop()).toEqual({ outcome: "crowded" });
  expect(await read("<p>y", "ten_b")).toMatchObject(isRead("y"));
  expect(new Set((await Promise.all(own)).map(({ outcome }) => outcome))).toEqual(new Set(["read"]));
});

test("a page that is given up is dropped from the line, and ended where it is under way", async () => {
  const [running, waiting] = [new AbortController(), new AbortController()];
  await read("<p>the process is ready");
  const first = read(STALLING, "ten_a", running.signal);
  const second = read("<p>x", "ten_a", waiting.signal);
  const third = read("<p>third", "ten_a");
  waiting.abort();
  expect(await second).toEqual({ outcome: "aborted" });
  await nextTurn();
  const { pids } = reader;
  running.abort();
  expect(await first).toEqual({ outcome: "aborted" });
  expect(await third).toMatchObject(isRead("third"));
  await until(() => !reader.pids.includes(pids[0] ?? -1), { what: "its process is gone" });
  expect(await read("<p>x", "ten_a", running.signal)).toEqual({ outcome: "aborted" });
});

test("a reader that is closed reads nothing, and leaves no process", async () => {
  const all = [read("<p>x".repeat(1_000)), read("<p>x")];
  await reader.close();
  for (const reading of await Promise.all(all)) expect(reading).toEqual({ outcome: "unavailable" });
  expect(await read("<p>x")).toEqual({ outcome: "unavailable" });
  expect(reader.pids).toEqual([]);
});
