import { connect } from "node:net";

const ANSWER_MS_MAX = 5_000;

/**
 * Sends commands over a connection of its own and answers the raw replies, joined. Rejects when
 * Redis is not there or says nothing for 5 s.
 */
export function redisCommands(url: string, commands: string[][]): Promise<string> {
  const { hostname, port, password } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect({ host: hostname, port: Number(port) });
    socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error("Redis says nothing")));
    socket.on("data", (chunk) => (answer += chunk.toString("utf8")));
    socket.once("error", reject);
    socket.once("close", () => resolve(answer));
    // The end of what is sent instead of QUIT, which a paused Redis would not answer.
    socket.end([["AUTH", password], ...commands].map(encode).join(""));
  });
}

const encode = (words: string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`;
