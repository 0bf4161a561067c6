import type { RedisSearchEnd } from "./redis-binary.ts";
import { runCommand } from "../stores/run-command.ts";

const PROBE_MS_MAX = 10_000;
/** BullMQ asks for 6.2; older ones lack the commands its scripts use. Valkey counts on from Redis 7. */
const VERSION_MIN = [6, 2] as const;

/** Runs `<command> --version`. Says why when it is no Redis that we can use. */
export async function probeRedis(command: string, env: Record<string, string>): Promise<RedisSearchEnd> {
  const run = await runCommand(command, ["--version"], { env, msMax: PROBE_MS_MAX });
  const match = /(redis|valkey)?\s*server v=(\d+)\.(\d+)\.(\d+)/iu.exec(run.output);
  if (run.code !== 0 || match === null) return { refusal: `${command} does not run: ${run.output.trim()}` };
  const [major, minor] = [Number(match[2]), Number(match[3])];
  const version = `${command.includes("valkey") ? "Valkey" : "Redis"} ${major}.${minor}.${match[4]}`;
  if (major < VERSION_MIN[0] || (major === VERSION_MIN[0] && minor < VERSION_MIN[1])) {
    return { refusal: `${command} is ${version}, too old: ${VERSION_MIN.join(".")} or newer is needed` };
  }
  return { binary: { command, env, version } };
}
