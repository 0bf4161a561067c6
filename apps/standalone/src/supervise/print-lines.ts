import type { AppStart } from "./app-process.ts";

/** Prints what the processes say: as it is, and log lines made readable where a person looks on. */
export async function linePrinter(): Promise<AppStart["print"]> {
  const plain = (line: string): string => `${line}\n`;
  const onStdout = process.stdout.isTTY
    ? (await import("@bulkhead/process/telemetry")).prettyLines(true)
    : plain;
  return (line, from) => void process[from].write(from === "stdout" ? onStdout(line) : plain(line));
}
