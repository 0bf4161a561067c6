/** The program of a sandbox process. It serves one tenant, one run at a time, and knows only the worker's messages. */
import { WIRE_VERSION } from "../wire/bounds.ts";
import type { RunFrame, ToSandbox } from "../wire/to-sandbox.ts";
import { ISOLATE_RUNS_MAX } from "./bounds.ts";
import { die, openChannel } from "./channel.ts";
import { Execution } from "./execution.ts";
import { openGuestSnapshot } from "./guest-snapshot.ts";
import { readyCryptoFor } from "./host-crypto.ts";
import { IsolateCache } from "./isolate-cache.ts";
import { WarmIsolate } from "./warm-isolate.ts";

/** A parameter of the function around the bundle; `boot.cjs` passes the worker's bytes, here the guest's snapshot. */
declare const guest: Uint8Array;

/**
 * Uses the parts that most runs need: arguments, a log line, a result, and `utils`, so that they are compiled for the next
 * context.
 */
const WARM_UP_RUN: Readonly<RunFrame> = {
  type: "run",
  executionId: "warm-up",
  isolateKey: "warm-up",
  code: 'console.log("warm", { args }); await null; return { args, at: new URL("https://a.example/").href, utils: typeof utils };',
  argumentsJson: '{"a":1}',
  contextJson: '{"toolName":"warm_up"}',
  configJson: "{}",
  network: false,
  limits: { cpuMs: 5_000, wallMs: 5_000, memoryMib: 50, resultBytes: 1_024, logBytes: 1_024, bytesOut: 0 },
};

const snapshot = openGuestSnapshot(guest);

let current: Execution | null = null;
/** True from the worker's order to the verdict. */
let busy = false;

const isolates = new IsolateCache((memoryMib) => new WarmIsolate(snapshot, memoryMib, onCatastrophe));
const channel = openChannel(onMessage);

function onCatastrophe(): void {
  const measures = current?.measuresOutsideV8() ?? { cpuMs: 0, memoryPeakMib: 0, rssMib: 0 };
  const executionId = current?.executionId ?? "none";
  const message = "The tool needed more memory than it may use.";
  current?.sendLines();
  channel.sendLast({
    type: "stopped",
    executionId,
    reason: "memory",
    layer: "isolate",
    message,
    code: null,
    retryAfterMs: null,
    measures,
  });
}

function onMessage(message: ToSandbox): void {
  switch (message.type) {
    case "hello":
      if (message.version !== WIRE_VERSION) die();
      void greet(message.warmMemoryMib);
      return;
    case "run":
      // A second run while one is under way is a fault of the worker's: nothing here may mix the two.
      if (busy) die();
      void execute(message);
      return;
    case "answered":
      // The answer to a run that has ended meanwhile is nobody's.
      if (current?.executionId === message.executionId) current.answered(message.requestId, message.answer);
      return;
  }
}

/** Runs a tool that does nothing, so that the first real run finds everything compiled, then says that it is ready. */
async function greet(memoryMib: number): Promise<void> {
  const isolate = isolates.warmUp(memoryMib);
  await new Execution(
    { ...WARM_UP_RUN },
    isolate,
    await isolate.takeContext(WARM_UP_RUN),
    () => undefined,
  ).run();
  await isolate.prepare();
  channel.send({ type: "hello", version: WIRE_VERSION });
}

async function execute(frame: RunFrame): Promise<void> {
  busy = true;
  const ready = await readyFor(frame);
  if (ready === null) return refuse(frame);
  current = new Execution(frame, ready.isolate, ready.fresh, channel.send);
  const aftermath = await current.run();
  current = null;
  busy = false;
  // The worker has its answer: the next context is made in the time until it asks again.
  if (aftermath === "clean") void prepareNext(ready.isolate);
}

/** If it can't be made ahead, the run that needs the context reports why. */
async function prepareNext(isolate: WarmIsolate): Promise<void> {
  try {
    if (isolate.isDisposed) return;
    if (isolate.runs < ISOLATE_RUNS_MAX) await isolate.prepare();
    else isolate.dispose();
  } catch {
    isolate.dispose();
  }
}

/** An isolate whose earlier runs left it no memory for another context is not this run's fault; a new one has it. */
async function readyFor(frame: RunFrame) {
  for (;;) {
    const isolate = isolates.take(frame.isolateKey, frame.limits.memoryMib);
    const isLast = isolate.runs === 0;
    try {
      const fresh = await isolate.takeContext(frame);
      readyCryptoFor(isolate.globalsFor(frame).names);
      return { isolate, fresh };
    } catch {
      isolate.dispose();
      if (isLast) return null;
    }
  }
}

function refuse({ executionId, limits }: RunFrame): void {
  const message = `The tool may use ${limits.memoryMib} MiB of memory, which is too little to begin.`;
  const measures = { cpuMs: 0, memoryPeakMib: 0, rssMib: 0 };
  channel.sendLast({
    type: "stopped",
    executionId,
    reason: "memory",
    layer: "isolate",
    message,
    code: null,
    retryAfterMs: null,
    measures,
  });
}
