import { useState } from "react";
import { useCreateKey } from "../../data/keys.ts";
import { Field, Refusal, Select, TextInput } from "../../design/fields.tsx";
import { FormDialog } from "../../design/form-dialog.tsx";
import { endAfter, KEY_ROLES, type KeyRole, LIFETIMES_DAYS, lifetimeWords, ROLES } from "./key-state.ts";
import { AGENT_CHARS_MAX } from "./key-search.ts";
import { SecretOnce } from "./secret-once.tsx";

const NAME_CHARS_MAX = 100;

/** Asks what the key is for, then shows its secret once. */
export function CreateKey({ agent = "", onClose }: { agent?: string | undefined; onClose: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<KeyRole>("agent");
  const [agentId, setAgentId] = useState(agent);
  const [days, setDays] = useState(0);
  const create = useCreateKey();
  if (create.data !== undefined)
    return (
      <SecretOnce
        title="The key is created"
        secret={create.data.key}
        agentId={create.data.agentId}
        onClose={onClose}
      />
    );
  const submit = (): void => {
    const ownId = role === "agent" && agentId.trim() !== "" ? agentId.trim() : undefined;
    create.mutate({ name: name.trim(), role, agentId: ownId, expiresAt: endAfter(days, new Date()) });
  };
  return (
    <FormDialog
      title="New key"
      onClose={onClose}
      does="Create key"
      isBusy={create.isPending}
      cannotSend={name.trim() === ""}
      onSubmit={submit}
    >
      <Field label="Name" hint="Who or what uses it, so that people can tell keys apart.">
        {(tie) => (
          <TextInput
            {...tie}
            data-first
            value={name}
            maxLength={NAME_CHARS_MAX}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field label="Role" hint={ROLES[role]}>
        {(tie) => (
          <Select {...tie} value={role} onChange={({ target }) => setRole(target.value as KeyRole)}>
            {KEY_ROLES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </Select>
        )}
      </Field>
      {role === "agent" && (
        <Field
          label="Agent"
          hint="The agent that it is, with tools and approvals of its own. It may stay empty."
        >
          {(tie) => (
            <TextInput
              {...tie}
              value={agentId}
              maxLength={AGENT_CHARS_MAX}
              onChange={({ target }) => setAgentId(target.value)}
            />
          )}
        </Field>
      )}
      <Field label="Works for" hint="Then it is refused.">
        {(tie) => (
          <Select {...tie} value={days} onChange={({ target }) => setDays(Number(target.value))}>
            {LIFETIMES_DAYS.map((one) => (
              <option key={one} value={one}>
                {lifetimeWords(one)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Refusal error={create.error} />
    </FormDialog>
  );
}
