import type { McpServer, TestMcpServerAnswer } from "@bulkhead/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { wordsOf } from "../../data/api.ts";
import {
  useDeleteMcpServer,
  useRefreshMcpServer,
  useSwitchMcpServer,
  useTestMcpServer,
} from "../../data/mcp-servers.ts";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Refusal } from "../../design/fields.tsx";
import { CirclePlay, Pencil, Power, RotateCw, Trash } from "../../design/icons.tsx";
import { notify } from "../../design/notices.tsx";
import { Facts } from "../../design/part.tsx";
import { Words } from "../../design/words.tsx";
import { count, duration } from "../../format/numbers.ts";
import { ServerDialog } from "./server-dialog.tsx";

type Open = "test" | "edit" | "delete" | null;

const failed = (what: string) => (error: Error) => notify("bad", `${what} ${wordsOf(error)}`);

/** What may be done with a server. */
export function ServerActions({ server }: { server: McpServer }) {
  const { name, enabled } = server;
  const [open, setOpen] = useState<Open>(null);
  const turn = useSwitchMcpServer(name);
  const refresh = useRefreshMcpServer(name);
  const test = useTestMcpServer(name);
  const close = (): void => setOpen(null);
  const runTest = (): void =>
    test.mutate(undefined, {
      onSuccess: () => setOpen("test"),
      onError: failed(`${name} was not tested.`),
    });
  const look = (): void =>
    refresh.mutate(undefined, {
      onSuccess: ({ state }) => {
        if (state === "connected") notify("good", `What ${name} offers now is taken.`);
        else notify("bad", `${name} could not be reached: it says why above.`);
      },
      onError: failed(`${name} was not refreshed.`),
    });
  return (
    <>
      {enabled && (
        <>
          <Button icon={CirclePlay} isBusy={test.isPending} onClick={runTest}>
            Test
          </Button>
          <Button icon={RotateCw} isBusy={refresh.isPending} onClick={look}>
            Refresh
          </Button>
        </>
      )}
      <Button
        icon={Power}
        look={enabled ? "plain" : "primary"}
        isBusy={turn.isPending}
        onClick={() => turn.mutate(!enabled, { onError: failed(`${name} was not changed.`) })}
      >
        {enabled ? "Disable" : "Enable"}
      </Button>
      <Button icon={Pencil} onClick={() => setOpen("edit")}>
        Change
      </Button>
      <Button look="danger" icon={Trash} aria-label={`Delete ${name}`} onClick={() => setOpen("delete")} />
      {open === "test" && test.data !== undefined && <Tested look={test.data} onClose={close} />}
      {open === "edit" && <ServerDialog server={server} onClose={close} />}
      {open === "delete" && <Delete name={name} onClose={close} />}
    </>
  );
}

/** What a look at the server has found. */
const Tested = ({ look, onClose }: { look: TestMcpServerAnswer; onClose: () => void }) => (
  <Dialog
    title={look.ok ? "The server can be reached" : "The server can't be reached"}
    onClose={onClose}
    actions={
      <Button data-first onClick={onClose}>
        Close
      </Button>
    }
  >
    {look.ok ? (
      <Facts
        facts={[
          [
            "It calls itself",
            <Words text={[look.serverName, look.serverVersion].filter(Boolean).join(" ")} />,
          ],
          ["Revision of MCP", <Words text={look.protocol ?? ""} />],
          ["Tools offered", count(look.tools ?? 0)],
          ["Connecting took", look.connectMs ? duration(look.connectMs) : "Nothing: somebody was connected"],
        ]}
      />
    ) : (
      <p className="text-sm break-words">
        <Words text={look.message ?? ""} /> Look at the address and the headers, then test again.
      </p>
    )}
  </Dialog>
);

function Delete({ name, onClose }: { name: string; onClose: () => void }) {
  const remove = useDeleteMcpServer();
  const navigate = useNavigate();
  const run = (): void =>
    remove.mutate(name, {
      onSuccess: () => {
        notify("good", `${name} is gone.`);
        void navigate({ to: "/mcp-servers" });
      },
    });
  return (
    <Confirm
      title={`Delete ${name}?`}
      does="Delete"
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={run}
    >
      Its tools, grants and requests for access go with it, and calls of its tools are refused.
      <Refusal error={remove.error} />
    </Confirm>
  );
}
