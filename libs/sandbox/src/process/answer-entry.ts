import type { EffectAnswer } from "../wire/to-sandbox.ts";

/** By which of the guest's entries an answer comes in, and what it is told there. */
export const answerEntry = (
  requestId: number,
  answer: EffectAnswer,
): [name: string, requestId: number, told: string, body: string] =>
  answer.ok
    ? [
        answer.bodyEncoding === "base64" ? "answered64" : "answered",
        requestId,
        answer.head,
        answer.body ?? "",
      ]
    : ["refused", requestId, answer.code, answer.message];
