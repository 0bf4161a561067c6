import type { FromDriver, ToDriver } from "../browser-frames.ts";

const PREFIX_BYTES = 4;

/** Tells the worker; answers in how many bytes. */
export function say(message: FromDriver): number {
  const text = Buffer.from(JSON.stringify(message));
  const prefix = Buffer.allocUnsafe(PREFIX_BYTES);
  prefix.writeUInt32BE(text.length, 0);
  process.stdout.write(Buffer.concat([prefix, text]));
  return PREFIX_BYTES + text.length;
}

/** Hears the worker; without it there is nothing left to do. */
export function hear(take: (message: ToDriver) => void): void {
  let chunks: Buffer[] = [];
  let bytes = 0;
  process.stdin.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes >= PREFIX_BYTES) {
      const waiting = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      chunks = [waiting];
      const end = PREFIX_BYTES + waiting.readUInt32BE(0);
      if (waiting.length < end) return;
      chunks = [waiting.subarray(end)];
      bytes -= end;
      take(JSON.parse(waiting.toString("utf8", PREFIX_BYTES, end)) as ToDriver);
    }
  });
  process.stdin.on("end", () => process.exit(0));
}
