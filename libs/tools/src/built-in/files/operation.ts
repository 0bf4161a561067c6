import type { CapabilityAnswer, CapabilityRequest, FileCondition, JsonObject } from "@bulkhead/core";
import { z } from "zod";
import type { FileAsker, FilesDeps, SeenFile } from "../../files.ts";
import { readAsked } from "../read-asked.ts";
import { PATH_CHARS_MAX, PATTERN_CHARS_MAX } from "./bounds.ts";

type Content = CapabilityRequest["content"];
export type Operate = (
  deps: FilesDeps,
  asker: FileAsker,
  asked: unknown,
  content: Content,
) => Promise<CapabilityAnswer>;

/** Characters of an ETag in arguments; a real one has 64. */
const TAG_CHARS_MAX = 200;

export const path = z.string().max(PATH_CHARS_MAX);
export const pattern = z.string().min(1).max(PATTERN_CHARS_MAX);
export const line = z.int().min(1);
export const tag = z.string().max(TAG_CHARS_MAX);

/** Reads arguments, does it, and answers a value; what the arguments lack or have too much is refused. */
export const operation =
  <T>(
    schema: z.ZodType<T>,
    work: (deps: FilesDeps, asker: FileAsker, asked: T, content: Content) => Promise<CapabilityAnswer>,
  ): Operate =>
  async (deps, asker, said, content) => {
    const read = readAsked(schema, said);
    return read.ok ? work(deps, asker, read.asked, content) : read;
  };

export const given = (value: JsonObject, content?: string | Uint8Array): CapabilityAnswer => ({
  ok: true,
  value,
  ...(content !== undefined && { content }),
});

export function conditionOf({
  ifMatch,
  ifNoneMatch,
}: {
  ifMatch?: string | undefined;
  ifNoneMatch?: "*" | undefined;
}): FileCondition {
  return {
    exists: ifNoneMatch === undefined ? null : false,
    // As REST writes it, in quotes, or as answers here do.
    hashes: ifMatch === undefined ? null : [ifMatch.replaceAll('"', "")],
  };
}

export const bytesOf = (content: Content): Uint8Array =>
  typeof content === "string" || content === null ? Buffer.from(content ?? "") : content;

export const told = ({
  path: at,
  size,
  contentType,
  hash,
  version,
  writtenAt,
  createdAt,
}: SeenFile): JsonObject => ({
  path: at,
  size,
  contentType,
  etag: hash,
  version,
  modifiedAt: writtenAt.toISOString(),
  createdAt: createdAt.toISOString(),
});

/** Of a file that its empty content has deleted there is nothing more to tell. */
export const toldWritten = (
  at: string,
  { file, created, changed }: { file: SeenFile | null; created: boolean; changed: boolean },
): JsonObject => ({ ...(file ? told(file) : { path: at, deleted: true }), created, changed });

export const refused = (message: string): CapabilityAnswer => ({
  ok: false,
  code: "invalid_request",
  message,
});

export const tooLarge = ({ path: at, size }: SeenFile, max: number, advice: string): CapabilityAnswer => ({
  ok: false,
  code: "capability_limit",
  message: `${at} has ${size} bytes, and one read brings ${max} at most: ${advice}`,
});

type Compact<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Without what is undefined. */
export const compact = <T extends object>(value: T): Compact<T> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Compact<T>;
