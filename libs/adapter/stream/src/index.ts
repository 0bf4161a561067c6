export { openEventStream, type OpenedEventStream, type OpenEventStreamInput } from "./event-stream.ts";
export { openSignalBus, type OpenedSignalBus } from "./signal-bus.ts";
export { unpackPiece } from "./pack-log.ts";
export { openStreamLogs, type OpenedStreamLogs } from "./stream-logs.ts";
export { openStreamRedis, type OpenStreamRedisInput, type StreamRedis } from "./stream-redis.ts";
export { openTenantRemnants } from "./tenant-remnants.ts";
export { openTenantEvents, type OpenedTenantEvents } from "./tenant-events.ts";
