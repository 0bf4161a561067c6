/** The program of a sandbox process. It serves one tenant, one run at a time, and knows only what the worker sends. */
import { WIRE_VERSION, type RunFrame, type ToSandbox } from "@bulkhead/wire";
import { die, openChannel } from "./channel.ts";
import { Execution } from "./execution.ts";
import { bundleGuest } from "./guest-bundle.ts";
import { IsolateCache } from "./isolate-cache.ts";
import { WarmIsolate } from "./warm-isolate.ts";
import { WARM_UP_RUN } from "./warm-up.ts";

const guest = bundleGuest(new URL("../guest/", import.meta.url), "install");
// Everything is loaded: from here on no file can be read, where Node's permission model is on.
process.permission?.drop("fs.read");

let current: Execution | null = null;

const isolates = new IsolateCache((memoryMib) => new WarmIsolate(guest, memoryMib, onCatastrophe));
const channel = openChannel(onMessage);

function onCatastrophe(): void {
  const measures = { cpuMs: 0, memoryPeakMib: 0, rssMib: 0 };
  const executionId = current?.executionId ?? "none";
  const message = "The tool needed more memory than it may use.";
  channel.sendLast({ type: "stopped", executionId, reason: "memory", message, code: null, measures });
}

function onMessage(message: ToSandbox): void {
  switch (message.type) {
    case "hello":
      if (message.version !== WIRE_VERSION) die();
      void greet(message.warmMemoryMib);
      return;
    case "run":
      // A second run while one is under way is a fault of the worker's: nothing here may mix the two.
      if (current !== null) die();
      void execute(message);
      return;
    case "fetched":
      // The answer to a run that has ended meanwhile is nobody's.
      if (current?.executionId === message.executionId) current.fetched(message.requestId, message.answer);
      return;
  }
}

/** Runs a tool that does nothing, so that the first real run finds everything compiled, then says that it is ready. */
async function greet(memoryMib: number): Promise<void> {
  const isolate = isolates.warmUp(memoryMib);
  await new Execution({ ...WARM_UP_RUN }, isolate, () => undefined).run();
  isolate.prepare();
  channel.send({ type: "hello", version: WIRE_VERSION });
}

async function execute(frame: RunFrame): Promise<void> {
  const isolate = isolates.take(frame.isolateKey, frame.limits.memoryMib);
  current = new Execution(frame, isolate, channel.send);
  const aftermath = await current.run();
  current = null;
  // The worker has its answer: the next context is made in the time until it asks again.
  if (aftermath === "clean") setImmediate(() => isolate.isDisposed || isolate.prepare());
}
