import { useId, useState } from "react";
import { useAgentIds } from "../../data/agents.ts";
import { Field, TextInput } from "../../design/fields.tsx";
import { FormDialog } from "../../design/form-dialog.tsx";
import { type DataSearch, WHO_CHARS_MAX } from "./data-search.ts";

interface Props {
  onClose: () => void;
  onOpen: (next: DataSearch) => void;
}

const NAME = /^[a-zA-Z][a-zA-Z0-9_.-]{0,63}$/;

/** Asks into which collection, and whose, a document is to be put; a collection is made by its first one. */
export function OpenCollection({ onClose, onOpen }: Props) {
  const list = useId();
  const agents = useAgentIds();
  const [name, setName] = useState("");
  const [agent, setAgent] = useState("");
  const [user, setUser] = useState("");
  const isName = NAME.test(name.trim());
  const submit = (): void => {
    onOpen({
      in: name.trim(),
      ...(agent.trim() !== "" && { agent: agent.trim() }),
      ...(user.trim() !== "" && { user: user.trim() }),
    });
  };
  return (
    <FormDialog title="New document" onClose={onClose} does="Go on" cannotSend={!isName} onSubmit={submit}>
      <Field
        label="Collection"
        hint="It is made by its first document."
        fault={
          name === "" || isName
            ? undefined
            : "Letters, digits, _, . and -, 64 at most, with a letter in front."
        }
      >
        {(tie) => (
          <TextInput {...tie} data-first value={name} onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
      <Field label="Agent" hint="Left empty: the tenant's own.">
        {(tie) => (
          <TextInput
            {...tie}
            list={list}
            value={agent}
            maxLength={WHO_CHARS_MAX}
            onChange={({ target }) => setAgent(target.value)}
          />
        )}
      </Field>
      <datalist id={list}>
        {agents.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <Field label="User" hint="Left empty: of no user.">
        {(tie) => (
          <TextInput
            {...tie}
            value={user}
            maxLength={WHO_CHARS_MAX}
            onChange={({ target }) => setUser(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}
