import { BulkheadError, type McpServer } from "@bulkhead/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useCreateMcpServer, useUpdateMcpServer } from "../../data/mcp-servers.ts";
import { Refusal } from "../../design/fields.tsx";
import { FormDialog } from "../../design/form-dialog.tsx";
import { notify } from "../../design/notices.tsx";
import { changeOf, createBodyOf, faultsOf, formOf, NEW_SERVER, type ServerForm } from "./server-form.ts";
import { ServerFields } from "./server-fields.tsx";

interface Props {
  /** The one that is changed; left out: a new one is added. */
  server?: McpServer;
  onClose: () => void;
}

/** How a server is reached, and which agents get its tools. */
export function ServerDialog({ server, onClose }: Props) {
  const [form, setForm] = useState(() => (server === undefined ? NEW_SERVER : formOf(server)));
  const [isTried, setTried] = useState(false);
  const navigate = useNavigate();
  const create = useCreateMcpServer();
  const update = useUpdateMcpServer(server?.name ?? "");
  const { isPending, error, reset } = server === undefined ? create : update;
  const faults = faultsOf(form);
  const submit = (): void => {
    setTried(true);
    if (Object.keys(faults).length > 0) return;
    if (server === undefined)
      create.mutate(createBodyOf(form), {
        onSuccess: ({ name }) => {
          notify("good", `${name} is there. Test it to take its tools.`);
          void navigate({ to: "/mcp-servers/$name", params: { name } });
        },
      });
    else
      update.mutate(changeOf(form), {
        onSuccess: () => {
          notify("good", `${server.name} is changed.`);
          onClose();
        },
      });
  };
  return (
    <FormDialog
      title={server === undefined ? "Add an MCP server" : `Change ${server.name}`}
      onClose={onClose}
      does={server === undefined ? "Add the server" : "Save"}
      isBusy={isPending}
      tellsFaults
      onSubmit={submit}
    >
      <ServerFields
        form={form}
        isNew={server === undefined}
        faults={{ ...(isTried ? faults : {}), ...faultsOfServer(error) }}
        change={(next: Partial<ServerForm>) => {
          if (error !== null) reset();
          setForm({ ...form, ...next });
        }}
      />
      <Refusal error={error} />
    </FormDialog>
  );
}

/** What the server says of single fields. */
const faultsOfServer = (error: unknown): Record<string, string> =>
  error instanceof BulkheadError
    ? Object.fromEntries(error.errors.map(({ path, message }) => [path, `It ${message}.`]))
    : {};
