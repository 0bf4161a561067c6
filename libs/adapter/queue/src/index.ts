export {
  openExecutionQueue,
  type OpenedExecutionQueue,
  type OpenExecutionQueueInput,
} from "./execution-queue.ts";
export { HANDED_OUT_LEASE_MS, RUNNING_LEASE_MS } from "./names.ts";
export { openQueueConsumer, type OpenQueueConsumerInput } from "./queue-consumer.ts";
export {
  openWorkerDirectory,
  type OpenedWorkerDirectory,
  type OpenWorkerDirectoryInput,
} from "./workers/worker-directory.ts";
