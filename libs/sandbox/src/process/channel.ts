import { Socket } from "node:net";
import { encodeFromSandbox, FrameDecoder } from "../wire/frame.ts";
import { readToSandbox, type ToSandbox } from "../wire/to-sandbox.ts";
import { TO_SANDBOX_BYTES_MAX } from "../wire/bounds.ts";
import type { FromSandbox } from "../wire/from-sandbox.ts";

/** The file descriptor on which the worker speaks. */
const WORKER_FD = 3;

/** The one connection to the worker. */
export interface Channel {
  send: (message: FromSandbox) => void;
  /** Sends a last message and ends the process, also where it can't end itself in an orderly way. */
  sendLast(message: FromSandbox): void;
}

/** SIGKILL, since after V8 has lost control of an isolate `process.exit` waits for its thread for ever. */
export function die(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("killed");
}

/** Opens the connection; when the worker is gone, or breaks the wire's rules, the process dies. */
export function openChannel(onMessage: (message: ToSandbox) => void): Channel {
  const socket = new Socket({ fd: WORKER_FD, readable: true, writable: true });
  const decoder = new FrameDecoder(TO_SANDBOX_BYTES_MAX);
  socket.on("data", (chunk: Buffer) => {
    try {
      for (const text of decoder.push(chunk)) onMessage(readToSandbox(text));
    } catch {
      // Nobody is left to tell: the worker sees the connection end and judges the run by it.
      die();
    }
  });
  socket.on("end", die);
  socket.on("close", die);
  socket.on("error", die);
  const write = (message: FromSandbox, then?: () => void): void => {
    socket.write(encodeFromSandbox(message, TO_SANDBOX_BYTES_MAX), then);
  };
  return { send: (message) => write(message), sendLast: (message) => write(message, die) };
}
