import type { QueueConsumer } from "@bulkhead/core";
import type { RunningAttempts } from "@bulkhead/executions";

/** Takes nothing new, gives running attempts a bounded time, then hands the rest back. */
export async function stopGently(
  consumer: QueueConsumer,
  running: RunningAttempts,
  graceMs: number,
): Promise<void> {
  const drained = consumer.drain();
  let timer: NodeJS.Timeout | undefined;
  const graceOver = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  await Promise.race([drained, graceOver]);
  clearTimeout(timer);
  running.stopAll("shutdown");
  await drained;
}
