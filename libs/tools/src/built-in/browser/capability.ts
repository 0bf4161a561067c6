import {
  Fault,
  type CapabilityAnswer,
  type CapabilityFamily,
  type JsonObject,
  type TenantStore,
} from "@bulkhead/core";
import { z } from "zod";
import { CONTENT_BYTES_MAX, SCROLL_PX_MAX, WAIT_MS_MAX } from "../../browser/action-bounds.ts";
import type { ActionNotes, ActionResult, BrowserAction } from "../../browser/actions.ts";
import { TEXT_CHARS_MAX } from "../../browser/bounds.ts";
import type { Browsers } from "../../browser/browsers.ts";
import { readAsked } from "../read-asked.ts";
import {
  ADDRESS_CHARS_MAX,
  KEY_CHARS_MAX,
  SHOWN_BYTES_MAX,
  SLOWLY_CHARS_MAX,
  TYPED_CHARS_MAX,
  VALUE_CHARS_MAX,
  VALUES_MAX,
  WAIT_TEXT_CHARS_MAX,
} from "./bounds.ts";

export interface BrowserDeps {
  tenants: Pick<TenantStore, "find">;
  browsers: Pick<Browsers, "act" | "endTenant">;
}

const pageId = z.string().regex(/^p[1-9]\d{0,8}$/, "must be a page's id, such as p1");
const page = { page: pageId.optional() };
const ref = z.string().regex(/^(f\d{1,6})?e\d{1,9}$/, "must be a ref of a snapshot, such as e12");
/** Which part of a text is told: it is cut from the whole where that has been covered. */
const part = {
  startChar: z.int().min(0).optional(),
  maxChars: z.int().min(1).max(TEXT_CHARS_MAX).optional(),
};
const url = z
  .string()
  .max(ADDRESS_CHARS_MAX)
  .refine(
    (text) => /^https?:\/\//i.test(text) && URL.canParse(text),
    "must be an address that begins with http:// or https://",
  );
const saves = z.boolean().optional();
const of = <Name extends BrowserAction["action"], Shape extends z.core.$ZodLooseShape>(
  name: Name,
  shape: Shape,
) => z.strictObject({ action: z.literal(name), ...shape });

/** What an action may be given, each by its own. */
const ASKED = z.discriminatedUnion("action", [
  of("open", { url, page: z.union([z.literal("new"), pageId]).optional() }),
  of("snapshot", { ...page, ...part }),
  of("click", {
    ...page,
    ref,
    double: z.boolean().optional(),
    button: z.enum(["left", "middle", "right"]).optional(),
  }),
  of("type", {
    ...page,
    ref,
    text: z.string().max(TYPED_CHARS_MAX),
    submit: z.boolean().optional(),
    slowly: z.boolean().optional(),
  }).refine(({ slowly, text }) => slowly !== true || text.length <= SLOWLY_CHARS_MAX, {
    path: ["text"],
    message: `must have ${SLOWLY_CHARS_MAX} characters at most where it is typed slowly`,
  }),
  of("press", { ...page, key: z.string().min(1).max(KEY_CHARS_MAX) }),
  of("select", { ...page, ref, values: z.array(z.string().max(VALUE_CHARS_MAX)).min(1).max(VALUES_MAX) }),
  of("scroll", {
    ...page,
    direction: z.enum(["up", "down"]),
    pixels: z.int().min(1).max(SCROLL_PX_MAX).optional(),
    ref: ref.optional(),
  }),
  of("back", page),
  of("wait", {
    ...page,
    text: z.string().min(1).max(WAIT_TEXT_CHARS_MAX).optional(),
    ms: z.int().min(0).max(WAIT_MS_MAX).optional(),
  }).refine(({ text, ms }) => text !== undefined || ms !== undefined, "needs a text or ms"),
  of("text", { ...page, ref: ref.optional(), ...part }),
  of("screenshot", {
    ...page,
    ref: ref.optional(),
    fullPage: z.boolean().optional(),
    format: z.enum(["png", "jpeg"]).default("png"),
    saves,
  }).refine(
    ({ ref: element, fullPage }) => element === undefined || fullPage !== true,
    "takes fullPage or a ref, not both",
  ),
  of("pdf", { ...page, saves }),
  of("pages", {}),
  of("close", page),
]);

function actionOf(asked: z.output<typeof ASKED>): BrowserAction {
  if (asked.action === "snapshot" || asked.action === "text") {
    const { startChar = 0, maxChars: _, ...rest } = asked;
    return rest.action === "text" ? rest : { ...rest, goesOn: startChar > 0 };
  }
  if (asked.action !== "screenshot" && asked.action !== "pdf") return asked;
  const { saves: isFile, ...rest } = asked;
  return { ...rest, bytesMax: isFile === true ? CONTENT_BYTES_MAX : SHOWN_BYTES_MAX };
}

/** The capability `browser`: what its one operation does is done in the browser of whoever made the call. */
export function openBrowser({ tenants, browsers }: BrowserDeps): CapabilityFamily {
  return {
    operations: new Map([["act", "writes"]]),
    coversAnswers: true,
    async run({ operation, arguments: said }, caller, signal) {
      const { tenantId, agentId, userId, way } = caller;
      if (operation !== "act") return invalid(`there is no operation ${operation}`);
      const read = readAsked(ASKED, said);
      if (!read.ok) return read;
      const tenant = await tenants.find(tenantId);
      if (!tenant || tenant.deletingAt) {
        browsers.endTenant(tenantId);
        throw new Fault("tenant.not_found");
      }
      if (way === null)
        return { ok: false, code: "capability_denied", message: "A browser needs the permission network." };
      const acted = await browsers.act({ tenantId, agentId, userId }, actionOf(read.asked), way, signal);
      if (!acted.ok) return { ok: false, code: acted.code, message: withNotes(acted.message, acted.notes) };
      return tell(acted.result, acted.notes);
    },
  };
}

function tell(result: ActionResult, notes: ActionNotes): CapabilityAnswer {
  const { action: _, ...found } = result;
  const told = {
    ...(notes.refused.count > 0 && { refused: notes.refused }),
    ...(notes.dismissed.count > 0 && { dismissed: notes.dismissed }),
  };
  if (!("base64" in found)) return { ok: true, value: { ...shortly(found), ...told } };
  const { base64, shows, ...rest } = found;
  const content = Buffer.from(base64, "base64");
  return { ok: true, value: { ...shortly(rest), bytes: content.length, ...told }, content, shows };
}

/** Without what says nothing: no pages opened, no more of a text, an unknown size. */
function shortly(found: object): JsonObject {
  const said = Object.entries(found).filter(
    ([name, value]) => value !== null && !(name === "opened" && value.length === 0),
  );
  return Object.fromEntries(said);
}

function withNotes(message: string, notes: ActionNotes | undefined): string {
  const told = [...(notes?.refused.first ?? []), ...(notes?.dismissed.first ?? [])].filter(
    (one) => !message.includes(one),
  );
  return [message, ...told].join(" ");
}

const invalid = (message: string): CapabilityAnswer => ({ ok: false, code: "invalid_request", message });
