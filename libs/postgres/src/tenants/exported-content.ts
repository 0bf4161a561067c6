import { byId, type ExportedTable, ofTenant, words } from "./exported-table.ts";

/** What agents and users keep: files and custom data. */
export const EXPORTED_CONTENT = {
  files: {
    from: "files",
    ...ofTenant,
    key: byId,
    columns: words("id agent_id user_id path version size hash created_by written_by"),
    times: ["created_at", "written_at"],
    left: ["tenant_id"],
    large: ["path"],
  },
  "file-versions": {
    from: "file_versions",
    ...ofTenant,
    key: [
      ["file_id", "text"],
      ["version", "int"],
    ],
    columns: words("file_id version size hash chunks written_by"),
    times: ["written_at"],
    left: ["tenant_id"],
    large: ["chunks"],
  },
  "file-chunks": {
    from: "file_chunks",
    ...ofTenant,
    key: [["hash", "text"]],
    columns: ["hash"],
    times: [],
    derived: { base64: "translate(encode(t.bytes, 'base64'), E'\\n', '')" },
    left: ["tenant_id", "bytes", "touched_at"],
    large: ["bytes"],
  },
  "data-collections": {
    from: "data_collections",
    ...ofTenant,
    key: byId,
    columns: words("id agent_id user_id name"),
    times: ["created_at"],
    left: ["tenant_id", "documents", "bytes"],
    large: [],
  },
  "data-documents": {
    from: "data_documents",
    ...ofTenant,
    key: [
      ["collection_id", "text"],
      ["id", "text"],
    ],
    columns: words("collection_id id version created_by updated_by"),
    times: ["created_at", "updated_at", "expires_at"],
    derived: { value: "t.body -> t.collection_id" },
    left: ["tenant_id", "body", "bytes"],
    large: ["body"],
  },
} satisfies Record<string, ExportedTable>;
