import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { GuardedProcess } from "../stores/guarded-process.ts";

const POLL_MS = 25;
const ANSWER_MS_MAX = 2_000;

export interface RedisStarting {
  port: number;
  password: string;
  server: GuardedProcess;
  msMax: number;
}

/** Waits until the server has loaded its data and answers PING. False when it ended or the time is up. */
export async function waitForRedis({ port, password, server, msMax }: RedisStarting): Promise<boolean> {
  const deadline = performance.now() + msMax;
  while (!server.hasEnded() && performance.now() < deadline) {
    const answer = await askRedis(port, [`AUTH ${password}`, "PING"]);
    // While it loads it answers -LOADING; another process on this port would refuse the password.
    if (answer === "+OK\r\n+PONG\r\n") return true;
    await delay(POLL_MS);
  }
  return false;
}

/** Sends inline commands and QUIT over a connection of its own; the raw answers before QUIT's, or "" when nobody answers. */
export function askRedis(port: number, commands: string[]): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect({ port, host: "127.0.0.1" });
    socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => (answer += chunk.toString("utf8")));
    socket.once("close", () => resolve(answer.replace(/\+OK\r\n$/u, "")));
    socket.write([...commands, "QUIT", ""].join("\r\n"));
  });
}
