import { Button } from "../../design/button.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { McpClientBlock } from "./mcp-client-block.tsx";

interface Props {
  title: string;
  secret: string;
  agentId: string | undefined;
  onClose: () => void;
}

/** A secret that is shown this once, and how a program uses it. */
export const SecretOnce = ({ title, secret, agentId, onClose }: Props) => (
  <Dialog
    title={title}
    onClose={onClose}
    actions={
      <Button look="primary" onClick={onClose}>
        I have saved it
      </Button>
    }
  >
    <p className="mb-3 text-sm text-ink-2">
      It is shown this once. Keep it where the program finds it, and nowhere else.
    </p>
    <CodeBlock text={secret} label="The secret" />
    <p className="mt-4 mb-2 text-sm text-ink-2">
      {agentId === undefined
        ? "Programs send it as a bearer; clients of the Model Context Protocol do so, too:"
        : "The agent's client of the Model Context Protocol takes it like this:"}
    </p>
    <McpClientBlock secret={secret} />
  </Dialog>
);
