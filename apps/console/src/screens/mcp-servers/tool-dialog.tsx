import type { McpServerTool } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import { useDecideMcpTool } from "../../data/mcp-servers.ts";
import { useMayAnswer } from "../../data/session.ts";
import { useTool } from "../../data/tools.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { LINK } from "../../design/classes.ts";
import { CodeBlock } from "../../design/code-block.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Refusal } from "../../design/fields.tsx";
import { notify } from "../../design/notices.tsx";
import { Failed, Skeleton } from "../../design/page-states.tsx";
import { Facts, Part } from "../../design/part.tsx";
import { SideBySide } from "../../design/side-by-side.tsx";
import { Words } from "../../design/words.tsx";
import { offerText, STANDINGS } from "./server-words.ts";

interface Props {
  server: string;
  tool: McpServerTool;
  onClose: () => void;
}

/** One tool of a server: what was approved, what the server says now, and a person's word on it. */
export function ToolDialog({ server, tool, onClose }: Props) {
  const mayAnswer = useMayAnswer();
  const decide = useDecideMcpTool(server);
  const { standing, reason, name, alias, toolId, version, waiting } = tool;
  const answer = (isApproved: boolean): void =>
    decide.mutate(
      { tool, isApproved },
      {
        onSuccess: () => {
          notify("good", `${tool.tool} is ${isApproved ? "approved" : "blocked"}.`);
          onClose();
        },
      },
    );
  const mayBeApproved = waiting !== undefined || standing === "blocked" || standing === "new";
  const mayBeBlocked = standing !== "blocked" && standing !== "gone";
  return (
    <Dialog
      title={<Words text={tool.tool} />}
      place="side"
      onClose={onClose}
      actions={
        mayAnswer && (
          <>
            {mayBeBlocked && (
              <Button look="danger" isBusy={decide.isPending} onClick={() => answer(false)}>
                Block
              </Button>
            )}
            {mayBeApproved && (
              <Button look="primary" isBusy={decide.isPending} onClick={() => answer(true)}>
                {waiting === undefined || standing === "new" ? "Approve" : "Approve the change"}
              </Button>
            )}
          </>
        )
      }
    >
      <div className="flex flex-col gap-5">
        <Facts
          facts={[
            [
              "State",
              <Badge tone={STANDINGS[standing].tone} hasDot>
                {STANDINGS[standing].name}
              </Badge>,
            ],
            ...(reason === undefined ? [] : [["Why", <Words text={reason} />] as const]),
            [
              "In this tenant",
              <Link to="/tools/$toolId" params={{ toolId }} className={`font-mono ${LINK}`}>
                <Words text={alias ?? name} />
              </Link>,
            ],
            ["Version", version.toLocaleString()],
          ]}
        />
        <Refusal error={decide.error} />
        <Offers tool={tool} />
        <p className="text-xs text-ink-3">
          These are the server's own words: they bind nobody, and a model may be misled by them.
        </p>
      </div>
    </Dialog>
  );
}

/** What a person approved beside what waits; where nothing else waits, what there is. */
function Offers({ tool }: { tool: McpServerTool }) {
  const { data: record, error, isPending, refetch } = useTool(tool.toolId);
  if (isPending) return <Skeleton className="h-40" />;
  if (record === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  const { parameters, outputSchema } = record;
  const { title, description, annotations, waiting, standing } = tool;
  const now = offerText({ title, description, annotations, parameters, outputSchema });
  if (waiting === undefined || standing === "new")
    return (
      <Part title={standing === "new" ? "What it would be" : "As it was approved"}>
        <CodeBlock
          label="What the server says of it"
          text={waiting === undefined ? now : offerText(waiting)}
        />
      </Part>
    );
  return (
    <Part title="What has changed">
      <SideBySide
        label="What was approved against what the server says now"
        names={["As it was approved", "As the server says it now"]}
        before={now}
        after={offerText(waiting)}
      />
    </Part>
  );
}
