import { connect } from "node:net";

const ANSWER_MS_MAX = 5_000;
const OK = "+OK\r\n";

/** Sends commands to a server of this machine in one go; the raw replies. Throws when it is away or one is an error. */
export async function askRedis(
  { port, password }: { port: number; password: string },
  commands: string[],
): Promise<string> {
  const replies = await send(port, [`AUTH ${password}`, ...commands]);
  if (!replies.startsWith(OK)) throw new Error(`no Redis at port ${port}`);
  const rest = replies.slice(OK.length);
  if (/(?:^|\r\n)-/u.test(rest)) throw new Error(`${commands.join("; ")}: ${rest}`);
  return rest;
}

/** Answers "" if nobody does. The end of the input stands for QUIT, which Sentinels don't know. */
function send(port: number, commands: string[]): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect({ port, host: "127.0.0.1" });
    socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => (answer += chunk.toString("utf8")));
    socket.once("close", () => resolve(answer));
    socket.end([...commands, ""].join("\r\n"));
  });
}
