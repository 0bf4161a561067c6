import type { MediaToolName, ProvidedTool } from "@bulkhead/core";
import {
  ANSWER_BYTES_MAX,
  IMAGE_CALL_MS_MAX,
  PICTURES_MAX,
  RESULT_BYTES_MAX,
  SPEECH_CALL_MS_MAX,
  TEXT_CHARS_MAX,
} from "./bounds.ts";
import { MEDIA_TOOL_PARAMETERS } from "./schema.ts";

/** Neither is in a group of the policy beside that of all tools of the product. */
const GROUP = "native";
const PAID = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
const MORE = { bytesIn: ANSWER_BYTES_MAX, resultBytes: RESULT_BYTES_MAX };

/** As models are told of them: what, when, and within what bounds. */
export const MEDIA_TOOLS: Readonly<Record<MediaToolName, ProvidedTool>> = {
  image: {
    name: "image",
    title: "Make a picture",
    description:
      `Makes up to ${PICTURES_MAX} pictures of a description: image content, and { model, pictures: [{ mimeType, bytes, ` +
      `revisedPrompt? }] }; with saveAs files of the workspace: { model, files: [{ path, size, etag, mimeType, ` +
      `revisedPrompt? }] }, whose ending is that of what came; of several that can't all be had, beside them missing: [{ picture, ` +
      `code, why }]. It costs money and may take a minute.`,
    group: GROUP,
    parameters: MEDIA_TOOL_PARAMETERS.image,
    annotations: PAID,
    needs: "network",
    argumentNeeds: { saveAs: "filesystem" },
    letBy: "name",
    capability: null,
    wallMs: IMAGE_CALL_MS_MAX,
    ...MORE,
  },
  tts: {
    name: "tts",
    title: "Say a text",
    description:
      `Says up to ${TEXT_CHARS_MAX} characters: audio content, and { provider, voice, format, mimeType, bytes }; with saveAs a ` +
      `file of the workspace: { provider, voice, format, files: [{ path, size, etag, mimeType }] }. Most providers cost money ` +
      `and take the caller's network permission; espeak_ng takes neither, makes wav, and speaks like a machine.`,
    group: GROUP,
    parameters: MEDIA_TOOL_PARAMETERS.tts,
    annotations: PAID,
    needs: null,
    argumentNeeds: { saveAs: "filesystem" },
    mayUse: ["network"],
    letBy: "name",
    capability: null,
    wallMs: SPEECH_CALL_MS_MAX,
    ...MORE,
  },
};
