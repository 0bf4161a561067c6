import type {
  CapabilityAnswer,
  FileToolName,
  Json,
  JsonObject,
  ProvidedAnswer,
  ProvidedCall,
} from "@bulkhead/core";

type Refused = Extract<CapabilityAnswer, { ok: false }>;
type Given = Extract<CapabilityAnswer, { ok: true }>;
type Run = (args: JsonObject, call: ProvidedCall) => Promise<ProvidedAnswer>;

/** A tool that is one operation with the same arguments. */
const asked =
  (operation: string): Run =>
  async (args, { ask, signal }) =>
    valued(await ask("files", operation, args, null, signal));

const valued = (answer: CapabilityAnswer): Refused | { ok: true; value: Json } =>
  answer.ok ? { ok: true, value: answer.value } : answer;

/** Each tool asks the capability of its caller's run, whose permission, bounds and bill are thereby the caller's. */
export const runFileTool: Readonly<Record<FileToolName, Run>> = {
  async read_file({ path, startLine, endLine }, { ask, signal }) {
    const range = {
      ...(startLine !== undefined && { startLine }),
      ...(endLine !== undefined && { endLine }),
    };
    const answer = await ask("files", "show", { path: path ?? "", ...range }, null, signal);
    return answer.ok ? { ok: true, value: shown(answer) } : answer;
  },
  async write_file({ path, content }, { ask, signal }) {
    const text = typeof content === "string" ? content : "";
    return valued(await ask("files", "write", { path: path ?? "" }, text, signal));
  },
  edit_file: asked("edit"),
  list_files: asked("list"),
  search: asked("search"),
  glob: asked("glob"),
  delete_file: asked("remove"),
  move_file: asked("move"),
  file_exists: asked("exists"),
  file_info: asked("stat"),
};

/** Text as a value; an image as a model sees one; anything else as bytes with its type. */
function shown({ value, content }: Given): Json {
  if (typeof content === "string" || content === undefined) return { ...value, text: content ?? "" };
  const data = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64");
  const mimeType =
    typeof value["contentType"] === "string" ? value["contentType"] : "application/octet-stream";
  const part: Json = mimeType.startsWith("image/")
    ? { type: "image", data, mimeType }
    : { type: "resource", resource: { uri: `file:///${uriPath(value)}`, mimeType, blob: data } };
  return { $bulkhead: "content", content: [part, { type: "json", json: value }] };
}

const uriPath = ({ path }: JsonObject): string =>
  typeof path === "string" ? path.split("/").map(encodeURIComponent).join("/") : "";
