import { createRedisBackend, type BackendFactory, type RedisQueueBackend } from "bullmq";

/** What BullMQ's worker is told where no job waits. */
const NONE: Awaited<ReturnType<RedisQueueBackend["moveToActive"]>> = [];

/**
 * BullMQ's own way to Redis, but for one thing: its worker, having taken a job, asks for the next one, and for the next,
 * before it begins with the first. Here it hears after each that there is none, begins with what it has, and goes on by the
 * marker that each job taken leaves for whoever waits.
 */
export const promptBackend: BackendFactory<RedisQueueBackend> = (name, options, connections) => {
  const backend = createRedisBackend(name, options, connections);
  const moveToActive = backend.moveToActive.bind(backend);
  let hasTaken = false;
  backend.moveToActive = async (token, worker) => {
    if (hasTaken) {
      hasTaken = false;
      return NONE;
    }
    const [job, ...rest] = await moveToActive(token, worker);
    hasTaken = Boolean(job);
    return [job, ...rest];
  };
  return backend;
};
