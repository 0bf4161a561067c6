import type { McpServer } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Badge } from "../../design/badge.tsx";
import { LINK } from "../../design/classes.ts";
import { Facts, Part } from "../../design/part.tsx";
import { When } from "../../design/when.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { duration } from "../../format/numbers.ts";
import { TRANSPORTS } from "./server-words.ts";

const mono = (text: string): ReactNode => (
  <span className="font-mono text-xs break-all">
    <Words text={text} />
  </span>
);

/** How the server is reached, and what its requests carry; of a secret only where it is kept. */
export function Setup({ server }: { server: McpServer }) {
  const { name, transport, url, command, args, env, headers, toolPrefix, timeoutMs } = server;
  const values = transport === "stdio" ? env : headers;
  return (
    <div className="grid max-w-5xl gap-6 lg:grid-cols-2">
      <Part title="How it is reached">
        <Facts
          facts={[
            ["Transport", TRANSPORTS[transport]],
            ...(url === undefined ? [] : [["Address", mono(url)] as const]),
            ...(command === undefined ? [] : [["Program", mono([command, ...args].join(" "))] as const]),
            ["Names of its tools begin with", mono(toolPrefix ?? `mcp__${name}__`)],
            ["For one call", duration(timeoutMs)],
            ["Added", <When at={server.createdAt} />],
            ["Changed", <When at={server.updatedAt} />],
            [
              "All of its changes",
              <Link to="/audit" search={{ about: "mcp_server", id: name }} className={LINK}>
                Audit
              </Link>,
            ],
          ]}
        />
      </Part>
      <Part title={transport === "stdio" ? "Variables" : "Headers"}>
        {Object.keys(values).length === 0 ? (
          <p className="text-sm text-ink-2">It gets none.</p>
        ) : (
          <Facts
            facts={Object.entries(values).map(([header, value]) => [
              wordsLine(header),
              typeof value === "string" ? (
                mono(value)
              ) : (
                <span className="inline-flex flex-wrap items-center justify-end gap-2">
                  <Badge tone="info">Secret</Badge> {mono(value.config)}
                </span>
              ),
            ])}
          />
        )}
        {transport === "stdio" && (
          <p className="mt-2 text-sm text-ink-2">
            It is a process on the platform's machines, which its administrator alone sets up.
          </p>
        )}
      </Part>
    </div>
  );
}
