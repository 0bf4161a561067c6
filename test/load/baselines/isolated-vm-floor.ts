// What nobody can be faster than who gives each run a context of its own: plain isolated-vm in one process, a warm
// isolate, the compiled script kept, no guest, no wire, no account of what is used. Start it with --no-node-snapshot.
import ivm from "isolated-vm";

/** One order of the bench's: run for so long, so many at a time. */
interface Order {
  concurrency: number;
  durationMs: number;
}

const { code, argumentsJson, timeoutMs } = JSON.parse(process.argv[2] ?? "{}") as {
  code: string;
  argumentsJson: string;
  timeoutMs: number;
};
const isolate = new ivm.Isolate({ memoryLimit: 50 });
const script = isolate.compileScriptSync(
  `(async (argumentsJson) => { const args = JSON.parse(argumentsJson); return JSON.stringify(await (async () => {${code}})()); })`,
);

async function run(): Promise<unknown> {
  const context = isolate.createContextSync();
  const tool = script.runSync(context, { reference: true }) as ivm.Reference<
    (json: string) => Promise<string>
  >;
  const options = { result: { promise: true, copy: true }, timeout: timeoutMs } as const;
  const json = await tool.apply(undefined, [argumentsJson], options);
  tool.release();
  context.release();
  return json;
}

async function carryOut({ concurrency, durationMs }: Order): Promise<void> {
  const latencies: number[] = [];
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const one = async (): Promise<void> => {
    while (performance.now() < startedAt + durationMs) {
      const sentAt = performance.now();
      await run();
      latencies.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before);
  process.send?.({ latencies, elapsedMs, cpuMs: (user + system) / 1_000, result: await run() });
}

process.on("message", (order: Order) => void carryOut(order));
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
