import { randomUUID } from "node:crypto";

const PARTS = [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
] as const;
type Settable = Exclude<(typeof PARTS)[number], "origin">;

const partsOf = (url: URL): string =>
  JSON.stringify(Object.fromEntries(PARTS.map((part) => [part, url[part]])));

const isSettable = (part: unknown): part is Settable => part !== "origin" && PARTS.includes(part as Settable);

const ANSWERS: Record<string, (text: string) => string> = {
  uuid: () => randomUUID(),
  "url.parse": (text) => {
    const [url, base] = JSON.parse(text) as [string, string?];
    return partsOf(new URL(url, base));
  },
  "url.set": (text) => {
    const [href, part, value] = JSON.parse(text) as [string, string, string];
    const url = new URL(href);
    if (isSettable(part)) url[part] = value;
    return partsOf(url);
  },
  "query.parse": (text) => JSON.stringify([...new URLSearchParams(text)]),
  "query.write": (text) => new URLSearchParams(JSON.parse(text) as [string, string][]).toString(),
};

/** What the guest asks the host for and waits; pure functions of text. "null" where there is no answer: it never throws. */
export function answer(operation: string, text: string): string {
  try {
    return ANSWERS[operation]?.(text) ?? "null";
  } catch {
    // Not a URL: the guest makes the error, since a thrown one would carry this process's stack into the tool.
    return "null";
  }
}
