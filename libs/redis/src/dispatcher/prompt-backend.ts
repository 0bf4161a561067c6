import { createRedisBackend, type BackendFactory, type RedisQueueBackend } from "bullmq";

/** The answer to BullMQ's worker when no job waits. */
const NONE: Awaited<ReturnType<RedisQueueBackend["moveToActive"]>> = [];
/** The answer that wakes a waiting worker: it looks for a job then. */
const LOOK: Awaited<ReturnType<RedisQueueBackend["waitForJob"]>> = { member: "0", score: 0 };

/**
 * BullMQ's own way to Redis, but for one thing: its worker, having taken a job, asks for the next one, and for the next,
 * before it begins with the first. Here it hears after each that there is none, and begins. Then it would wait for Redis to
 * wake it; the look that it was kept from is owed to it first.
 */
export const promptBackend: BackendFactory<RedisQueueBackend> = (name, options, connections) => {
  const backend = createRedisBackend(name, options, connections);
  const moveToActive = backend.moveToActive.bind(backend);
  const waitForJob = backend.waitForJob.bind(backend);
  let hasTaken = false;
  let isOwedLook = false;
  backend.moveToActive = async (token, worker) => {
    isOwedLook = hasTaken;
    hasTaken = false;
    if (isOwedLook) return NONE;
    const [job, ...rest] = await moveToActive(token, worker);
    hasTaken = Boolean(job);
    return [job, ...rest];
  };
  backend.waitForJob = async (seconds) => {
    // A worker that was full when it took its last job did not ask again: its next wait is as good as that question.
    if (!hasTaken && !isOwedLook) return waitForJob(seconds);
    hasTaken = isOwedLook = false;
    return LOOK;
  };
  return backend;
};
