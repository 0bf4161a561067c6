import { Link } from "@tanstack/react-router";
import { useIsOwner } from "../../data/session.ts";
import { LINK } from "../../design/classes.ts";
import { Part } from "../../design/part.tsx";
import { Words } from "../../design/words.tsx";
import { McpClientBlock } from "../keys/mcp-client-block.tsx";

/** How the agent's client comes to its tools; a secret is shown where a key is made, and nowhere else. */
export function Connect({ agentId }: { agentId: string | undefined }) {
  const isOwner = useIsOwner();
  return (
    <div className="max-w-2xl">
      <Part title="For clients of the Model Context Protocol">
        <p className="mb-3 text-sm text-ink-2">
          Put a key of the role agent
          {agentId !== undefined && (
            <>
              {" "}
              and the agent <Words text={agentId} />
            </>
          )}{" "}
          in the place of YOUR_KEY.{" "}
          {isOwner ? (
            <>
              <Link
                to="/keys"
                search={{ create: true, ...(agentId !== undefined && { agent: agentId }) }}
                className={LINK}
              >
                Create a key
              </Link>
              : its secret is shown once, with this same block.
            </>
          ) : (
            "An owner of the tenant makes keys."
          )}
        </p>
        <McpClientBlock secret="YOUR_KEY" />
      </Part>
    </div>
  );
}
