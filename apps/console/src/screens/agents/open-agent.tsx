import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId, useState } from "react";
import { Button } from "../../design/button.tsx";
import { TextInput } from "../../design/fields.tsx";
import { ASKER_CHARS_MAX } from "../policy/policy-search.ts";

/** Goes to any agent by its id: the calls of one that no key names are known by what they say. */
export function OpenAgent({ known }: { known: readonly string[] }) {
  const list = useId();
  const [id, setId] = useState("");
  const navigate = useNavigate();
  const open = (event: FormEvent): void => {
    event.preventDefault();
    void navigate({ to: "/agents/one", search: { agent: id.trim() } });
  };
  return (
    <form className="flex gap-2" onSubmit={open}>
      <TextInput
        aria-label="Id of an agent"
        placeholder="Id of an agent"
        list={list}
        value={id}
        maxLength={ASKER_CHARS_MAX.agent}
        onChange={({ target }) => setId(target.value)}
      />
      <datalist id={list}>
        {known.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <Button type="submit" disabled={id.trim() === ""}>
        Open
      </Button>
    </form>
  );
}
