import type { AuditEntry } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LINK } from "../../design/classes.ts";
import { Dialog } from "../../design/dialog.tsx";
import { JsonTree } from "../../design/json-tree.tsx";
import { Box, Facts } from "../../design/part.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { actionWords } from "./audit-search.ts";

/** One entry: who, what, of what, and the small facts that were kept of it. */
export function Entry({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { action, at, actor, subject, beforeHash, afterHash, requestId, details } = entry;
  const mono = (text: string): ReactNode => (
    <span className="font-mono text-xs break-all">
      <Words text={text} />
    </span>
  );
  const facts: (readonly [string, ReactNode])[] = [
    ["When", <When at={at} />],
    ["By", <Words text={actor.agentId === undefined ? actor.role : `${actor.role} ${actor.agentId}`} />],
    ...(actor.keyId === undefined
      ? []
      : [
          [
            "Key",
            <Link to="/audit" search={{ key: actor.keyId }} className={LINK}>
              {mono(actor.keyId)}
            </Link>,
          ] as const,
        ]),
    ["Of what", <Words text={subject.name ?? subject.id} />],
    [
      "All of its changes",
      <Link to="/audit" search={{ about: subject.type, id: subject.id }} className={LINK}>
        {mono(subject.id)}
      </Link>,
    ],
    ...(beforeHash === undefined ? [] : [["Content before", mono(beforeHash)] as const]),
    ...(afterHash === undefined ? [] : [["Content after", mono(afterHash)] as const]),
    ...(requestId === undefined ? [] : [["Request", mono(requestId)] as const]),
  ];
  return (
    <Dialog title={actionWords(action)} place="side" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Facts facts={facts} />
        {subject.type === "tool" && action !== "tool.deleted" && (
          <Link to="/tools/$toolId" params={{ toolId: subject.id }} className={`text-sm ${LINK}`}>
            Go to the tool
          </Link>
        )}
        {Object.keys(details).length > 0 && (
          <Box title="What was kept of it">
            <JsonTree value={details} />
          </Box>
        )}
      </div>
    </Dialog>
  );
}
