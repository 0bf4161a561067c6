import { Link } from "@tanstack/react-router";
import { useMe } from "../../../data/session.ts";
import { LINK } from "../../../design/classes.ts";
import { Dialog } from "../../../design/dialog.tsx";
import { McpClientBlock } from "../../keys/mcp-client-block.tsx";

const KEY = "<a key with the role agent>";

/** How an agent gets at the tenant's tools: the settings of its client, and where its key comes from. */
export function AgentDialog({ onClose }: { onClose: () => void }) {
  const { features, key } = useMe();
  return (
    <Dialog title="Connect an agent" onClose={onClose}>
      <div className="flex flex-col gap-3 text-sm text-ink-2">
        {features.mcp !== true && (
          <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-ink">
            This server has MCP switched off. Ask whoever runs it to switch it on.
          </p>
        )}
        <p>
          Put this into the settings of Claude Code, Claude Desktop, Cursor, VS Code or another client of MCP:
        </p>
        <McpClientBlock secret={KEY} />
        <p>
          In place of <code className="font-mono text-ink">{KEY}</code> goes a key of its own.{" "}
          {key.role === "owner" ? (
            <>
              <Link to="/keys" className={LINK}>
                Create one on the page of keys
              </Link>
              , with the role agent and an agent id.
            </>
          ) : (
            "An owner of the tenant makes one, with the role agent and an agent id."
          )}
        </p>
        <p>
          Calls by agents ask a person first, unless the tenant&apos;s settings say otherwise. What an agent
          makes that may reach files, a shell or e-mail waits for your approval here.
        </p>
      </div>
    </Dialog>
  );
}
