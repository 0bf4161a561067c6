import type { EffectAnswer } from "../wire/to-sandbox.ts";

/** The guest's entry for an answer, and the arguments of its call. */
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
