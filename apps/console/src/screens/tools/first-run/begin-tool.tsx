import { AgentDialog } from "./agent-dialog.tsx";
import { CodeDialog } from "./code-dialog.tsx";
import { TemplatesDialog } from "./templates-dialog.tsx";

/** The ways to get a tool. */
export type Begin = "template" | "code" | "agent" | "import";

/** The dialog of one of the ways; an import has its own. */
export function BeginTool({ how, onClose }: { how: Begin | null; onClose: () => void }) {
  if (how === "template") return <TemplatesDialog onClose={onClose} />;
  if (how === "code") return <CodeDialog onClose={onClose} />;
  if (how === "agent") return <AgentDialog onClose={onClose} />;
  return null;
}
