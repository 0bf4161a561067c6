export type { HandedOut } from "./handed-out.ts";
export type { OpenedExecutionQueue } from "./execution-queue.ts";
export { HANDED_OUT_LEASE_MS, RUNNING_LEASE_MS } from "./names.ts";
export { openExecutionQueue, type OpenExecutionQueueInput } from "./open-execution-queue.ts";
export { openQueueConsumer, type OpenQueueConsumerInput } from "./queue-consumer.ts";
export {
  openWorkerDirectory,
  type OpenedWorkerDirectory,
  type OpenWorkerDirectoryInput,
} from "./workers/worker-directory.ts";
