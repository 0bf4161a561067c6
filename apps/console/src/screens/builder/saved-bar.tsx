import type { Tool } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import { useMayAnswer } from "../../data/session.ts";
import { LINK } from "../../design/classes.ts";
import { X } from "../../design/icons.tsx";

/** What comes of a tool that was saved just now, and where one goes on. */
export function SavedBar({ tool }: { tool: Tool }) {
  const mayAnswer = useMayAnswer();
  const waiting = tool.status === "pending_approval" ? tool.version : tool.pendingVersion;
  const params = { toolId: tool.id };
  const [missing] = tool.unconfiguredServices;
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-1.5 text-sm md:px-6 ${waiting === undefined ? "bg-good-soft" : "bg-warn-soft"}`}
    >
      <span className="min-w-0">
        {waiting === undefined ? savedWords(tool) : waitsWords(tool, waiting, mayAnswer)}
      </span>
      {waiting !== undefined && (
        <Link to="/tools/$toolId" params={params} search={{ tab: "versions", v: waiting }} className={LINK}>
          See what it may do
        </Link>
      )}
      <Link to="/tools/$toolId" params={params} className={LINK}>
        Open the tool
      </Link>
      {missing !== undefined && (
        <Link to="/secrets" search={{ missing }} className={LINK}>
          Fill in the missing secrets
        </Link>
      )}
      <Link to="/tools/$toolId" params={params} search={{ tab: "access" }} className={LINK}>
        Which agents get it
      </Link>
      <Link
        to="."
        search={((before: object) => ({ ...before, saved: undefined })) as never}
        replace
        aria-label="Close"
        className="ml-auto text-ink-3 hover:text-ink"
      >
        <X size={14} />
      </Link>
    </div>
  );
}

const savedWords = ({ version, status }: Tool): string =>
  status === "active"
    ? `Saved. Version ${version} runs from now on.`
    : `Saved as version ${version}. The tool is ${status === "disabled" ? "disabled: enable it to run it" : "rejected, and does not run"}.`;

function waitsWords({ status, version }: Tool, waiting: number, mayAnswer: boolean): string {
  const who = mayAnswer
    ? "you or another person has to approve it"
    : "an owner of the tenant has to approve it";
  const till =
    status === "pending_approval" ? "until then it does not run" : `until then version ${version} runs`;
  return `Saved. Version ${waiting} waits: ${who}; ${till}.`;
}
