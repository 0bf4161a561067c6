import { openProcessBoard } from "@bulkhead/redis";
import { isNightly, until } from "@bulkhead/testing";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  ask,
  askAnother,
  askAs,
  deleteKey,
  missing,
  newBackground,
  newKey,
  newTenant,
  output,
  paths,
  read,
  redis,
  setEngine,
  started,
  tenantId,
  useShells,
} from "./fixtures/shells.ts";

useShells();

describe("real programs", () => {
  beforeEach(async ({ skip }) => {
    skip(missing !== null, `this machine keeps no programs in: ${missing}`);
    await newTenant("namespaces");
  });

  test("in the background say what they say while they run, and take input", async () => {
    const id = await started(
      'read a; echo "got $a"; read b; echo "and $b" >&2; echo $b > kept; cat > /dev/null; exit 4',
    );
    expect(await ask("write", { id, text: "one\n" })).toEqual({ id, written: true });
    await until(async () => (await output(id)).output === "got one\n", { what: "the first line" });
    const { next, status } = await output(id);
    expect(status).toBe("running");
    await ask("write", { id, text: "two\n", end: true });
    await until(async () => (await output(id)).status === "ended", { what: "its end" });
    expect(await output(id, next)).toMatchObject({
      output: "and two\n",
      exitCode: 4,
      written: 1,
      unsaved: [],
    });
    expect(await read("kept")).toBe("two\n");
    expect(await ask("write", { id, text: "x" })).toMatchObject({ refused: "conflict" });
  });

  test("in the background are stopped with all that they have started", async () => {
    const id = await started("echo begun > a; echo begun; (sleep 1000 &); sleep 1000");
    await until(async () => (await output(id)).output === "begun\n", { what: "its beginning" });
    await ask("stop", { id });
    await until(async () => (await output(id)).status === "ended", { what: "its end" });
    expect(await output(id)).toMatchObject({ written: 1, timedOut: false });
  });
});

describe("commands in the background", () => {
  beforeEach(() => newTenant("virtual"));

  test("of the shell in JavaScript tell all at their end", async () => {
    const id = await started("cat; echo x > a; sleep 0.2", {}, "in\n");
    await until(async () => (await output(id)).status === "ended", { what: "its end" });
    expect(await output(id)).toMatchObject({ output: "in\n", exitCode: 0, written: 1, next: 3 });
    expect(await ask("list", {})).toMatchObject({ processes: [{ id, status: "ended", engine: "virtual" }] });
    expect(await ask("output", { id, since: 4 })).toMatchObject({ refused: "conflict" });
  });

  test("are there for the agent and the user that began them alone", async () => {
    const id = await started("sleep 100");
    for (const operation of ["output", "write", "stop"])
      expect(await ask(operation, { id }, null, "bob")).toMatchObject({ refused: "not_found" });
    expect(await ask("list", {}, null, "bob")).toEqual({ processes: [] });
    const own = tenantId;
    await newTenant("virtual");
    expect(await ask("output", { id })).toMatchObject({ refused: "not_found" });
    expect(await ask("list", {})).toEqual({ processes: [] });
    askAs(own);
    expect(await ask("write", { id, text: "x" })).toMatchObject({ refused: "conflict" });
    await ask("stop", { id });
    await until(async () => (await output(id)).status === "ended", { what: "its end" });
  });

  test("have a bound for a tenant, and end with their worker, which is told", async () => {
    const other = newBackground();
    askAnother(other);
    const ids = [];
    for (let n = 0; n < 4; n += 1) ids.push(await started("sleep 100; echo x > a"));
    expect(await ask("start", { command: "echo" })).toMatchObject({ refused: "capability_limit" });
    await other.close();
    askAnother(null);
    for (const id of ids)
      expect(await output(id)).toMatchObject({
        status: "ended",
        exitCode: null,
        failure: expect.stringContaining("worker"),
      });
    expect(await paths()).toEqual([]);
  });

  test("end with the key by which they were started, and where the settings turn commands off", async () => {
    await newKey("key_gone");
    await newKey("key_over", new Date(Date.now() + 2_000));
    await newKey("key_good");
    // Each costs a process.
    const [gone, staying] = isNightly
      ? [
          ["key_gone", "key_over"],
          ["key_good", "key_never"],
        ]
      : [["key_gone"], ["key_good"]];
    const workers = [...gone, ...staying].map((keyId) => newBackground(keyId, 100));
    const ids: string[] = [];
    for (const worker of workers) {
      askAnother(worker);
      ids.push(await started("sleep 100; echo x > a"));
    }
    askAnother(null);
    await deleteKey("key_gone");
    const endOf = async (id: string) => {
      await until(async () => (await output(id)).status === "ended", { what: `the end of ${id}` });
      return (await output(id))["failure"];
    };
    for (const id of ids.slice(0, gone.length))
      expect(await endOf(id)).toMatch(/key by which it was started is no longer valid/);
    const others = ids.slice(gone.length);
    for (const id of others) expect(await output(id)).toMatchObject({ status: "running" });
    await setEngine("off");
    for (const id of others) expect(await endOf(id)).toMatch(/settings let no such command run/);
    for (const worker of workers) await worker.close();
    expect(await paths()).toEqual([]);
  });

  test("have a slow board asked again when it has answered, which holds up no end", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const board = openProcessBoard(redis);
    const answers = Promise.withResolvers<void>();
    let asked = 0;
    const exchange: typeof board.exchange = async (...about) => {
      asked += 1;
      await answers.promise;
      return board.exchange(...about);
    };
    const worker = newBackground(null, undefined, { ...board, exchange });
    askAnother(worker);
    const id = await started("sleep 100");
    vi.advanceTimersByTime(60_000);
    const closed = worker.close();
    answers.resolve();
    await closed;
    askAnother(null);
    expect(await output(id)).toMatchObject({ status: "ended" });
    expect(asked).toBe(2);
  });

  test("hear what they were told though the answer with it is lost, and say nothing twice", async () => {
    const board = openProcessBoard(redis);
    let lost = 0;
    const exchange: typeof board.exchange = async (...about) => {
      const told = await board.exchange(...about);
      if (lost++ % 2 === 0) throw new Error("no answer");
      return told;
    };
    const faults: string[] = [];
    const worker = newBackground(null, undefined, { ...board, exchange }, (what) => faults.push(what));
    askAnother(worker);
    const stopped = await started("sleep 100");
    const said = await started("echo once");
    await ask("stop", { id: stopped });
    for (const id of [stopped, said])
      await until(async () => (await output(id)).status === "ended", { what: `the end of ${id}` });
    expect(await output(said)).toMatchObject({ output: "once\n" });
    await worker.close();
    askAnother(null);
    expect(new Set(faults)).toEqual(
      new Set(["the board of commands in the background could not be reached"]),
    );
  });

  test("whose worker is gone without a word are lost", async () => {
    const facts = {
      agentId: "a",
      userId: null,
      command: "x",
      engine: "virtual",
      startedAt: new Date().toISOString(),
    } as const;
    await openProcessBoard(redis).open({ tenantId, processId: "prc_x", ...facts });
    await redis.commands.del(`bh:shell:{${tenantId}}`);
    expect(await output("prc_x")).toMatchObject({ status: "lost", output: "" });
  });

  test.each([
    ["start", {}, /command/],
    ["start", { command: "x", timeoutMs: 1_800_001 }, /timeoutMs/],
    ["start", { command: "x", id: "y" }, /id/],
    ["list", { id: "x" }, /id/],
    ["output", {}, /id/],
    ["output", { id: "x", since: -1 }, /since/],
    ["write", { id: "x", text: 1 }, /text/],
    ["stop", { id: "x".repeat(65) }, /id/],
    ["kill", { id: "x" }, /operation kill/],
  ])("bad arguments are refused: %#", async (operation, args, message) => {
    const answer = await ask(operation, args);
    expect(answer).toEqual({ refused: "invalid_request", message: expect.stringMatching(message) });
  });
});
