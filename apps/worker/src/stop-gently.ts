import type { QueueConsumer } from "@bulkhead/core";
import type { Report, RunningAttempts } from "@bulkhead/executions";

/** What could not be handed back by then is taken over when its lease has run out; milliseconds. */
const HAND_BACK_MS_MAX = 10_000;

interface StopDeps {
  consumer: Pick<QueueConsumer, "drain">;
  running: Pick<RunningAttempts, "stopAll" | "size">;
  report: Report;
}

/** Takes nothing new, gives running attempts a bounded time, then hands the rest back, for which it waits no longer either. */
export async function stopGently(
  { consumer, running, report }: StopDeps,
  graceMs: number,
  handBackMs = HAND_BACK_MS_MAX,
): Promise<void> {
  const drained = consumer.drain();
  await within(graceMs, drained);
  running.stopAll("shutdown");
  if (await within(handBackMs, drained)) return;
  report("this worker stops although not all was handed back", "a store answers too late", {
    running: running.size,
  });
}

/** Whether it is done by then; it goes on if not. */
async function within(ms: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
