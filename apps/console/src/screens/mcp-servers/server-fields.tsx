import { Field, Select, TextInput, Toggle } from "../../design/fields.tsx";
import { HeaderFields } from "./header-fields.tsx";
import type { ServerForm } from "./server-form.ts";
import { TRANSPORTS } from "./server-words.ts";

interface Props {
  form: ServerForm;
  isNew: boolean;
  faults: Readonly<Record<string, string>>;
  change: (next: Partial<ServerForm>) => void;
}

export const ServerFields = ({ form, isNew, faults, change }: Props) => (
  <>
    {isNew && (
      <Field
        label="Name"
        hint="Short: the names of its tools begin with it, and mcp:name is their group."
        fault={faults["name"]}
      >
        {(tie) => (
          <TextInput
            {...tie}
            data-first
            placeholder="github"
            value={form.name}
            maxLength={32}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
    )}
    {form.transport === "stdio" ? (
      <p className="rounded-md bg-info-soft px-3 py-2 text-sm">
        This server is a process on the platform's machines: its administrator alone says how it is started.
      </p>
    ) : (
      <Reached form={form} isNew={isNew} faults={faults} change={change} />
    )}
    <Field label="Seconds for one call" fault={faults["timeoutMs"]} hint="1 to 300.">
      {(tie) => (
        <TextInput
          {...tie}
          inputMode="numeric"
          className="max-w-28"
          value={form.timeoutSeconds}
          onChange={({ target }) => change({ timeoutSeconds: target.value })}
        />
      )}
    </Field>
    <Toggle
      label="Nobody gets its tools but by a grant"
      isOn={form.isByGrantAlone}
      onTurn={(isByGrantAlone) => change({ isByGrantAlone })}
    />
    {!form.isByGrantAlone && (
      <Field
        label="Agents"
        hint="Who gets its tools without a grant; with commas between. Empty: all agents."
        fault={faults["agentIds"]}
      >
        {(tie) => (
          <TextInput
            {...tie}
            placeholder="All agents"
            value={form.agentIds}
            onChange={({ target }) => change({ agentIds: target.value })}
          />
        )}
      </Field>
    )}
  </>
);

const Reached = ({ form, isNew, faults, change }: Props) => (
  <>
    <Field
      label="Transport"
      hint="A server that is a process (stdio) is added by the platform's administrator, since it runs on the platform's machines."
      fault={faults["transport"]}
    >
      {(tie) => (
        <Select
          {...tie}
          value={form.transport}
          onChange={({ target }) => change({ transport: target.value === "sse" ? "sse" : "streamable-http" })}
        >
          <option value="streamable-http">{TRANSPORTS["streamable-http"]}</option>
          <option value="sse">{TRANSPORTS.sse}</option>
        </Select>
      )}
    </Field>
    <Field label="Address" hint="Requests go to this host alone." fault={faults["url"]}>
      {(tie) => (
        <TextInput
          {...tie}
          type="url"
          placeholder="https://mcp.example.com/mcp"
          value={form.url}
          maxLength={2_000}
          onChange={({ target }) => change({ url: target.value })}
        />
      )}
    </Field>
    <HeaderFields headers={form.headers} faults={faults} change={(headers) => change({ headers })} />
    {isNew && (
      <Field
        label="Prefix"
        hint={`What the names of its tools begin with; it can't be changed later. Empty: mcp__${form.name || "name"}__`}
        fault={faults["toolPrefix"]}
      >
        {(tie) => (
          <TextInput
            {...tie}
            value={form.toolPrefix}
            maxLength={32}
            onChange={({ target }) => change({ toolPrefix: target.value })}
          />
        )}
      </Field>
    )}
  </>
);
