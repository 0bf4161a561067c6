import { kept } from "./kept.ts";

const KEPT_AS = "traceTemplate";
const CHARS_MAX = 500;
/** Where the id of a trace goes in a template. */
export const TRACE_ID = "{traceId}";

/** What is wrong with a template for the address of a trace; null: nothing. */
export function traceTemplateFault(template: string): string | null {
  if (template.length > CHARS_MAX) return `It has more than ${CHARS_MAX} characters.`;
  if (!template.includes(TRACE_ID)) return `It has to hold ${TRACE_ID}, where the trace's id goes.`;
  return traceLink(template, "0") === null
    ? "It has to be an address that begins with https:// or http://."
    : null;
}

/** The address of a trace in the person's own tracing; null where the template gives none that a browser should follow. */
export function traceLink(template: string, traceId: string): string | null {
  const address = template.replaceAll(TRACE_ID, encodeURIComponent(traceId));
  if (!template.includes(TRACE_ID) || !URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return protocol === "https:" || protocol === "http:" ? href : null;
}

/** The template that this browser keeps; empty: none. */
export const traceTemplate = (): string => kept.read(KEPT_AS) ?? "";

/** Keeps a template that has no fault; an empty one takes it away. */
export function keepTraceTemplate(template: string): void {
  if (template === "") kept.forget(KEPT_AS);
  else kept.keep(KEPT_AS, template);
}
