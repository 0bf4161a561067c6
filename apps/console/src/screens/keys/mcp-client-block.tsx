import { CodeBlock } from "../../design/code-block.tsx";

/** What a client of the Model Context Protocol is told so that it finds the tenant's tools. */
export const McpClientBlock = ({ secret }: { secret: string }) => (
  <CodeBlock
    label="For clients of the Model Context Protocol"
    text={JSON.stringify(
      {
        mcpServers: {
          bulkhead: {
            type: "http",
            url: `${location.origin}/mcp`,
            headers: { Authorization: `Bearer ${secret}` },
          },
        },
      },
      null,
      2,
    )}
  />
);
