import { head, spend } from "../budget.ts";

/** Services that one run is warned of, and characters of a name that are shown. */
const WARNINGS_MAX = 20;
const SHOWN_CHARS_MAX = 100;

const warned = new Set<string>();

/**
 * Why the run has no values of a service, and what to do; null if it has entries. Undefined: the run doesn't know the
 * service.
 */
export function whyMissing(
  service: string,
  told: { entries: readonly unknown[] } | undefined,
): string | null {
  const shown = head(service, SHOWN_CHARS_MAX);
  if (told === undefined)
    return (
      `this run knows no service "${shown}": the tool does not declare it (requiredConfigServices), or it is ` +
      `gone (GET /api/v1/config-services)`
    );
  if (told.entries.length > 0) return null;
  return (
    `the service "${shown}" has no entry yet: a person fills it in with ` +
    `POST /api/v1/config-services/${shown}/entries`
  );
}

/** One line in the run's log for each service whose values were requested but are missing. */
export function warnOfMissing(service: string, told: { entries: readonly unknown[] } | undefined): void {
  const why = whyMissing(service, told);
  if (why === null || warned.has(service) || warned.size >= WARNINGS_MAX) return;
  warned.add(service);
  spend("log", `utils: ${why}.`, "warn");
}
