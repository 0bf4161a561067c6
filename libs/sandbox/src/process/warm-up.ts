import type { RunFrame } from "../wire/to-sandbox.ts";

/** Touches what most runs need: arguments, a log line, a result, and `utils`, so that the next context has what it asks. */
export const WARM_UP_RUN: Readonly<RunFrame> = {
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
