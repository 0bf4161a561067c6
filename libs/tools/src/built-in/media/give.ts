import type { Json, JsonObject, ProvidedAnswer, ProvidedCall } from "@bulkhead/core";
import { SHOWN_BYTES_MAX } from "./bounds.ts";
import { refused, type Refused } from "./refusal.ts";

/** One picture, or one piece of speech. */
export interface Made {
  bytes: Buffer;
  mimeType: string;
  /** What is told of it alone. */
  about: JsonObject;
}

type Ask = Pick<ProvidedCall, "ask" | "signal">;

/** Where what is made becomes a file: why it can't, as far as that is known before it is paid for. */
export async function whyNotSaved({ ask, signal }: Ask, path: string): Promise<Refused | null> {
  const there = await ask("files", "exists", { path }, null, signal);
  if (!there.ok) return refused(there.code, `saveAs: ${there.message}`);
  return there.value["kind"] === "folder"
    ? refused("conflict", "saveAs: there is a folder of this name.")
    : null;
}

/** Pictures or speech as content that people and models get; `told` of them is beside. */
export function shown(type: "image" | "audio", made: readonly Made[], told: JsonObject): ProvidedAnswer {
  const bytes = made.reduce((sum, one) => sum + one.bytes.length, 0);
  if (bytes > SHOWN_BYTES_MAX)
    return refused(
      "capability_limit",
      `What was made has ${bytes} bytes, and a result takes ${SHOWN_BYTES_MAX}: with saveAs it becomes a file of the workspace.`,
    );
  const parts = made.map((one): Json => ({
    type,
    data: one.bytes.toString("base64"),
    mimeType: one.mimeType,
  }));
  return { ok: true, value: { $bulkhead: "content", content: [...parts, { type: "json", json: told }] } };
}

const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  "image/png": ["png"],
  "image/jpeg": ["jpg", "jpeg"],
  "image/webp": ["webp"],
  "audio/mpeg": ["mp3"],
  "audio/wav": ["wav"],
  "audio/ogg": ["ogg", "opus"],
};

/** The asked path, for the second and later ones with their number, and with an ending that is true. */
export function pathOf(saveAs: string, mimeType: string, index: number): string {
  const dot = saveAs.lastIndexOf(".");
  const asked = saveAs.slice(dot + 1);
  const endings = ENDINGS[mimeType] ?? [];
  const ending = endings.includes(asked.toLowerCase()) ? asked : (endings[0] ?? asked);
  return `${saveAs.slice(0, dot)}${index === 0 ? "" : `-${index + 1}`}.${ending}`;
}

/** Writes each into the caller's workspace, within its quota. */
export async function saved(
  { ask, signal }: Ask,
  made: readonly Made[],
  saveAs: string,
  told: JsonObject,
): Promise<ProvidedAnswer> {
  const files: JsonObject[] = [];
  const paths: string[] = [];
  for (const [index, { bytes, mimeType, about }] of made.entries()) {
    const path = pathOf(saveAs, mimeType, index);
    const answer = await ask("files", "write", { path }, bytes, signal);
    if (!answer.ok) {
      const kept = paths.length === 0 ? "" : ` Saved before: ${paths.join(", ")}.`;
      return refused(answer.code, `What was made could not be saved: ${answer.message}${kept}`);
    }
    const { size, etag, covered } = answer.value;
    paths.push(path);
    files.push({
      path,
      size: size ?? bytes.length,
      etag: etag ?? null,
      mimeType,
      ...about,
      ...(covered === true && { covered }),
    });
  }
  return { ok: true, value: { ...told, files } };
}
