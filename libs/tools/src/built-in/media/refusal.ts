import type { EffectRefusal, MediaToolName } from "@bulkhead/core";
import { HARMFUL } from "@bulkhead/core/harmless";
import { cutText } from "../web/cut-text.ts";
import { ANSWER_SIGNS_MAX, REASON_CHARS_MAX } from "./bounds.ts";

export interface Refused {
  ok: false;
  code: EffectRefusal;
  message: string;
}

export const refused = (code: EffectRefusal, message: string): Refused => ({ ok: false, code, message });

/** What is told of a status that brings nothing. */
export interface StatusAnswer {
  status: number;
  headers: readonly [string, string][];
  bytes: Buffer;
}

/** Who was asked, and who can mend what is wrong there. */
export interface Asked {
  tool: MediaToolName;
  provider: string;
  /** Where its key is entered, as `in the service "tts"`. */
  where: string;
}

/** Words by which providers say that they make nothing of such a text. */
const POLICY = /content_policy|moderation|content_filter|safety|sensitive/;
const QUOTA = /quota|billing|insufficient_(funds|balance|credits)/;

/** Of strangers' words so many times the characters that are shown are looked at: what is taken out of them is not shown. */
const LOOKED_AT = 4;

/** Strangers' words on one line. */
export const plain = (text: string, charsMax: number): string => {
  const begin = cutText(text, charsMax * LOOKED_AT);
  return cutText(begin.toWellFormed().replace(/\s+/g, " ").replaceAll(HARMFUL, "").trim(), charsMax);
};

/** Why there is no picture or speech, by what the endpoint answered in place of one. */
export function whyRefused(
  { status, headers, bytes }: StatusAnswer,
  { tool, provider, where }: Asked,
): Refused {
  const { codes, reason } = faultIn(bytes);
  const because = reason === "" ? "" : `: ${reason}`;
  const told = (code: EffectRefusal, why: string): Refused => refused(code, `${tool}: ${provider} ${why}.`);
  if (POLICY.test(codes))
    return told("capability_denied", `makes nothing of such a text by its rules${because}`);
  if (status === 402 || QUOTA.test(codes))
    return told("capability_limit", `has nothing left on its plan (${status})${because}`);
  if (status === 401 || status === 403)
    return told("failed", `refused the key (${status}): a valid one is to be entered ${where}`);
  if (status === 429)
    return told("capability_limit", `takes no more at the moment (429): try again ${when(headers)}`);
  if (status === 400 || status === 404 || status === 422)
    return told("invalid_request", `refused the request (${status})${because}`);
  return told("failed", `answered with the status ${status}${because}`);
}

function when(headers: StatusAnswer["headers"]): string {
  const after = headers.find(([header]) => header.toLowerCase() === "retry-after")?.[1] ?? "";
  return /^\d{1,6}$/.test(after) ? `in ${after} seconds` : "later";
}

type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Null for what is no object in JSON, and for what has so many parts that no honest endpoint says it. */
export function jsonIn(bytes: Buffer): Fields | null {
  if (hasManySigns(bytes)) return null;
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

const SIGNS = Buffer.from("[{,:");

/** Those within texts count too: base64 and hexadecimal have none. */
const hasManySigns = (bytes: Buffer): boolean => {
  let signs = 0;
  for (const sign of SIGNS)
    for (let at = bytes.indexOf(sign); at !== -1 && signs <= ANSWER_SIGNS_MAX; signs += 1)
      at = bytes.indexOf(sign, at + 1);
  return signs > ANSWER_SIGNS_MAX;
};

/** OpenAI has `error: {code, type, message}`, ElevenLabs `detail: {status, message}`, others a text in one of these. */
function faultIn(bytes: Buffer): { codes: string; reason: string } {
  const answer = jsonIn(bytes);
  const said = answer?.["error"] ?? answer?.["detail"] ?? answer;
  if (typeof said === "string") return { codes: "", reason: plain(said, REASON_CHARS_MAX) };
  if (!isFields(said)) return { codes: "", reason: "" };
  const codes = [said["code"], said["type"], said["status"]].filter((one) => typeof one === "string");
  const { message } = said;
  return {
    codes: codes.join(" "),
    reason: typeof message === "string" ? plain(message, REASON_CHARS_MAX) : "",
  };
}
