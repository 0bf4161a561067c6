import { Fault, FOLDER_FILES_MAX, type FileBounds, type FileRefusal } from "@bulkhead/core";

const QUOTA: Record<keyof FileBounds, { name: string; limit: string; meaning: string }> = {
  files: { name: "files", limit: "maxFiles", meaning: "files" },
  bytes: { name: "file-bytes", limit: "maxAllFileBytes", meaning: "bytes in its files" },
};

/** Why nothing was written, as its caller meets it; `path` is what was to be written, moved or removed. */
export function faultOf(refusal: FileRefusal, path: string): Fault {
  const detail = detailOf(refusal, path);
  if (refusal.outcome !== "too_many_files") return new Fault(CODES[refusal.outcome], { detail });
  const { limit } = refusal;
  const quotas = [{ name: QUOTA[refusal.bound].name, limit, remaining: 0 }];
  return new Fault("file.quota_exceeded", { detail, quotas });
}

const CODES = {
  is_folder: "file.is_folder",
  under_file: "file.under_file",
  exists: "file.exists",
  not_found: "file.not_found",
  condition_failed: "file.precondition_failed",
  folder_too_large: "file.folder_too_large",
} as const;

function detailOf(refusal: FileRefusal, path: string): string {
  switch (refusal.outcome) {
    case "is_folder":
      return `${refusal.path} is a folder.`;
    case "under_file":
      return `${refusal.path} is a file, so that nothing can lie within it.`;
    case "exists":
      return `There is something at ${refusal.path} already.`;
    case "not_found":
      return `There is no file or folder ${path}.`;
    case "condition_failed":
      return `The file ${path} is not as the request expects it; read it again.`;
    case "too_many_files": {
      const { limit, meaning } = QUOTA[refusal.bound];
      return `The tenant may have ${refusal.limit} ${meaning} (its limit ${limit}); remove some first.`;
    }
    case "folder_too_large":
      return `The folder ${path} holds more than ${FOLDER_FILES_MAX} files; take parts of it.`;
    default:
      return refusal satisfies never;
  }
}

export const notAllowed = (path: string): Fault =>
  new Fault("file.not_allowed", { detail: `Nothing can be written at ${path} from here.` });

export const ofOthers = (path: string): Fault =>
  new Fault("file.not_allowed", {
    detail: `${path} is the same for all users of the agent, so that it can't be changed for one of them: that is done without a userId.`,
  });
