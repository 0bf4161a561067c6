import { StartRefusal } from "./start-refusal.ts";

const MAJOR_MIN = 26;

/** Throws a StartRefusal when this is an older Node: the sandbox's native parts and the type stripping need 26. */
export function requireNode(version: string): void {
  const major = Number(/^v?(\d+)\./u.exec(version)?.[1] ?? 0);
  if (major >= MAJOR_MIN) return;
  throw new StartRefusal(
    `This is Node ${version}; Bulkhead needs ${MAJOR_MIN} or newer, which \`npm ci\` has installed in the project. ` +
      "Start it with `npm start`, which uses that one.",
  );
}
