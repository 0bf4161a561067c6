import type { McpGrant } from "@bulkhead/client";
import { useId, useState } from "react";
import { useAgentIds } from "../../data/agents.ts";
import { usePutGrant } from "../../data/mcp-access.ts";
import { useMcpTools } from "../../data/mcp-servers.ts";
import { Field, Refusal, Select, TextInput, Toggle } from "../../design/fields.tsx";
import { FormDialog } from "../../design/form-dialog.tsx";
import { notify } from "../../design/notices.tsx";
import { ToolChoice } from "./tool-choice.tsx";

interface Props {
  server: string;
  /** The one that is changed; left out: a new one. */
  grant?: McpGrant;
  onClose: () => void;
}

const NEW: McpGrant = { scope: "agent", id: "", toolAllow: null, toolDeny: [], enabled: true };
const ID_CHARS_MAX = 256;

/** What one agent or one user gets of the server, in the place of what was said before. */
export function GrantDialog({ server, grant = NEW, onClose }: Props) {
  const list = useId();
  const [said, setSaid] = useState(grant);
  const known = useAgentIds();
  const tools = useMcpTools(server);
  const put = usePutGrant(server);
  const isNew = grant === NEW;
  const change = (next: Partial<McpGrant>): void => setSaid({ ...said, ...next });
  const submit = (): void => {
    put.mutate(
      { ...said, id: said.id.trim() },
      {
        onSuccess: ({ id, warnings = [] }) => {
          notify(
            "good",
            [`The grant of ${id} is saved.`, ...warnings.map(({ message }) => message)].join(" "),
          );
          onClose();
        },
      },
    );
  };
  const names = (tools.data ?? []).map(({ tool }) => tool);
  return (
    <FormDialog
      title={isNew ? "Add a grant" : "Change the grant"}
      onClose={onClose}
      does="Save"
      isBusy={put.isPending}
      cannotSend={said.id.trim() === ""}
      onSubmit={submit}
    >
      <div className="grid gap-4 sm:grid-cols-[8rem_minmax(0,1fr)]">
        <Field label="For">
          {(tie) => (
            <Select
              {...tie}
              disabled={!isNew}
              value={said.scope}
              onChange={({ target }) => change({ scope: target.value === "user" ? "user" : "agent" })}
            >
              <option value="agent">An agent</option>
              <option value="user">A user</option>
            </Select>
          )}
        </Field>
        <Field
          label={said.scope === "agent" ? "Id of the agent" : "Id of the user"}
          hint={said.scope === "agent" ? undefined : "As context.userId of calls says it."}
        >
          {(tie) => (
            <>
              <TextInput
                {...tie}
                data-first
                disabled={!isNew}
                list={list}
                value={said.id}
                maxLength={ID_CHARS_MAX}
                onChange={({ target }) => change({ id: target.value })}
              />
              <datalist id={list}>
                {said.scope === "agent" && known.map((one) => <option key={one} value={one} />)}
              </datalist>
            </>
          )}
        </Field>
      </div>
      <Toggle
        label="Takes the whole server away"
        isOn={!said.enabled}
        onTurn={(isOn) => change({ enabled: !isOn })}
      />
      {said.enabled && (
        <>
          <Toggle
            label="Gets every tool, also those that come later"
            isOn={said.toolAllow === null}
            onTurn={(isOn) => change({ toolAllow: isOn ? null : [] })}
          />
          {said.toolAllow !== null && (
            <ToolChoice
              label="Gets"
              tools={names}
              chosen={said.toolAllow}
              change={(toolAllow) => change({ toolAllow })}
            />
          )}
          <ToolChoice
            label="Never gets, whatever else gives it"
            tools={names}
            chosen={said.toolDeny}
            change={(toolDeny) => change({ toolDeny })}
          />
        </>
      )}
      <Refusal error={put.error} />
    </FormDialog>
  );
}
