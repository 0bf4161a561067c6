export interface ReadyFacts {
  /** The address that was asked for; one that means "all" is shown as loopback in the commands. */
  host: string;
  port: number;
  demoKey: string;
  /** Logs a browser in, once, in the next ten minutes. */
  loginCode: string;
  /** The addresses of the processes' metrics. */
  metrics: { api: string; worker: string };
}

/**
 * The message that is printed once everything serves: one line for programs, then the commands with which a person tries
 * it.
 */
export function readyMessage({ host, port, demoKey, loginCode, metrics }: ReadyFacts): string {
  const api = `http://${reachable(host)}:${port}/api/v1/custom-tools`;
  const headers = `-H ${quoted(`Authorization: Bearer ${demoKey}`)} -H 'Content-Type: application/json'`;
  return [
    `bulkhead ready on http://${bracketed(host)}:${port}`,
    "",
    `The console:           http://${reachable(host)}:${port}/console/#code=${loginCode} (works once, for 10 minutes)`,
    `The demo tenant's key: ${demoKey}`,
    `The API reference:     http://${reachable(host)}:${port}/docs`,
    `Metrics:               ${metrics.api} (API), ${metrics.worker} (worker)`,
    "Paste this to create a tool and run it, streamed (Ctrl-C here stops everything):",
    "",
    // One line each, however long: each works as it is, pasted or read by a program.
    `curl -sS ${api} ${headers} -d ${quoted(JSON.stringify(TOOL))}; echo`,
    `curl -sSN ${api}/${TOOL.name}/execute ${headers} -d ${quoted(JSON.stringify(CALL))}`,
    "",
  ].join("\n");
}

/** No single quote and no backslash may be in it: it is pasted between single quotes, into any shell. */
const TOOL = {
  name: "word_count",
  description: "Counts the words of a text.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  code:
    "const words = args.text.split(` `).filter(Boolean); " +
    "for (const word of words) { console.log(word); emit({ seen: word }); } " +
    "return { words: words.length };",
};

const CALL = { arguments: { text: "one fish two fish" }, mode: "stream" };

/** Quotes any text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const ALL_ADDRESSES = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
]);

const bracketed = (host: string): string => (host.includes(":") ? `[${host}]` : host);
/** An address by which this machine reaches what listens on `host`. */
export const reachable = (host: string): string => ALL_ADDRESSES.get(host) ?? bracketed(host);
