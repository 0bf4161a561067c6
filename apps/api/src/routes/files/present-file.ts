import type { File } from "@bulkhead/contracts";
import type { FileVersion } from "@bulkhead/core";
import type { SeenFile } from "@bulkhead/tools/files";
import type { FastifyReply } from "fastify";
import type { z } from "zod";

export const presentFile = (file: SeenFile): z.infer<typeof File> => ({
  path: file.path,
  ...presentFileVersion(file),
  contentType: file.contentType,
  inherited: file.isInherited,
  createdAt: file.createdAt.toISOString(),
  createdBy: file.createdBy,
});

export const presentFileVersion = ({ version, size, hash, writtenAt, writtenBy }: FileVersion) => ({
  version,
  size,
  etag: hash,
  modifiedAt: writtenAt.toISOString(),
  modifiedBy: writtenBy,
});

export const tagOf = ({ hash }: Pick<FileVersion, "hash">): string => `"${hash}"`;

/** Each part as it stands in a URL. */
export const locationOf = (path: string): string =>
  `/api/v1/files/${path.split("/").map(encodeURIComponent).join("/")}`;

/** RFC 6266 and 8187: whatever the name holds, no header ends in it. */
const downloadOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const plain = name.replaceAll(/[^\w. ()+-]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, escapeLetter);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
};

const escapeLetter = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;

/** A file is somebody's bytes: whatever a browser makes of them, they run as no page of this host. */
export function guardDownload(reply: FastifyReply, file: SeenFile): FastifyReply {
  return reply
    .type(file.contentType)
    .header("etag", tagOf(file))
    .header("last-modified", file.writtenAt.toUTCString())
    .header("cache-control", "private, no-cache")
    .header("accept-ranges", "bytes")
    .header("content-disposition", downloadOf(file.path))
    .header("content-security-policy", "sandbox; default-src 'none'")
    .header("cross-origin-resource-policy", "same-origin");
}
