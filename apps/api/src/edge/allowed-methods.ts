import type { FastifyInstance } from "fastify";

/** A route's path as a pattern; a parameter is at least one character, as `missEmptyParams` has it. */
const patternOf = (url: string): RegExp => {
  const parts = url.split("/").map((part) => {
    if (part === "*") return ".+";
    return part.startsWith(":") ? "[^/]+" : RegExp.escape(part);
  });
  return new RegExp(`^${parts.join("/")}$`, "s");
};

/**
 * Tells which methods the routes of the app take at a path, sorted; none where no route is. Put it before all routes. It
 * knows what routes tell of themselves, so nothing that is not asked for is found out: they are in the reference.
 */
export function watchMethods(app: FastifyInstance): (url: string) => string[] {
  const patterns = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook("onRoute", ({ url, method }) => {
    const known = patterns.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    patterns.set(url, known);
    for (const one of [method].flat()) known.methods.add(one);
  });
  return (url) => {
    const path = pathOf(url);
    const matching = [...patterns.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].toSorted();
  };
}

/** The path as the router reads it: decoded, without a query, and without the host of an absolute address. */
function pathOf(url: string): string {
  const [path = ""] = url.replace(/^https?:\/\/[^/]*/i, "").split(/[?#]/);
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
