import { z } from "zod";
import { appendFile, editFile, moveFile, removeFile, writeFile } from "../../files.ts";
import { EDIT_CHARS_MAX, EDITS_MAX, ENTRIES_MAX } from "./bounds.ts";
import {
  bytesOf,
  conditionOf,
  given,
  operation,
  path,
  tag,
  told,
  toldWritten,
  type Operate,
} from "./operation.ts";

const WRITE = z.strictObject({
  path,
  ifMatch: tag.optional(),
  ifNoneMatch: z.literal("*").optional(),
});
const EDIT = z.strictObject({
  path,
  edits: z
    .array(
      z.strictObject({
        oldText: z.string().min(1).max(EDIT_CHARS_MAX),
        newText: z.string().max(EDIT_CHARS_MAX),
      }),
    )
    .min(1)
    .max(EDITS_MAX),
  ifMatch: tag.optional(),
});
const MOVE = z.strictObject({ from: path, to: path, overwrite: z.boolean().default(false) });
const REMOVE = z.strictObject({ path, recursive: z.boolean().default(false), ifMatch: tag.optional() });
const APPEND = z.strictObject({ path });

const write = operation(WRITE, async (deps, asker, asked, content) => {
  const condition = conditionOf(asked);
  const written = await writeFile(deps, asker, { path: asked.path, content: bytesOf(content), condition });
  return given(toldWritten(asked.path, written));
});

const append = operation(APPEND, async (deps, asker, asked, content) => {
  const written = await appendFile(deps, asker, { path: asked.path, content: bytesOf(content) });
  return given(toldWritten(asked.path, written));
});

const edit = operation(EDIT, async (deps, asker, { path: said, edits, ...asked }) => {
  const { file, diff } = await editFile(deps, asker, { path: said, edits, condition: conditionOf(asked) });
  return given({ ...told(file), diff });
});

const move = operation(MOVE, async (deps, asker, { overwrite, ...asked }) => {
  const { moved } = await moveFile(deps, asker, { ...asked, overwrites: overwrite });
  return given({ moved: moved.slice(0, ENTRIES_MAX).map((one) => ({ ...one })), count: moved.length });
});

const remove = operation(REMOVE, async (deps, asker, { path: said, recursive, ...asked }) => {
  const how = { path: said, isRecursive: recursive, condition: conditionOf(asked) };
  const { removed, bytes } = await removeFile(deps, asker, how);
  return given({ removed, bytes });
});

export const WRITING: Readonly<Record<string, Operate>> = { write, append, edit, move, remove };
