import type { Approval } from "@bulkhead/client";
import { CodeBlock } from "../../design/code-block.tsx";
import { Part } from "../../design/part.tsx";
import { Words } from "../../design/words.tsx";

const isText = (value: unknown): value is string => typeof value === "string";

/** What a meta-tool's call would make or delete, as people read it; its arguments stand below. */
export function MetaToolCall({ approval }: { approval: Extract<Approval, { kind: "meta_tool" }> }) {
  const { name, description, code, permissions } = approval.arguments;
  const asked = Array.isArray(permissions) ? permissions.filter(isText) : [];
  if (approval.toolName !== "create_tool")
    return (
      <p className="text-sm text-ink-2">
        It deletes the tool{" "}
        <span className="font-mono text-ink">
          <Words text={isText(name) ? name : approval.toolId} />
        </span>{" "}
        with all its versions.
      </p>
    );
  return (
    <Part title="The tool that it makes">
      <p className="mb-2 text-sm text-ink-2">
        {isText(name) && (
          <span className="font-mono font-semibold text-ink">
            <Words text={name} />
            {": "}
          </span>
        )}
        {isText(description) && <Words text={description} />}
      </p>
      <p className="mb-2 text-sm">
        {asked.length === 0 ? (
          "It asks for no permission."
        ) : (
          <Words text={`It may use: ${asked.join(", ")}`} />
        )}
      </p>
      {isText(code) && <CodeBlock text={code} label="Code of the new tool" />}
    </Part>
  );
}
