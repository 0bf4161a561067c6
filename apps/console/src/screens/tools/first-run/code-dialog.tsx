import { BulkheadError } from "@bulkhead/client";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId } from "react";
import { wordsOf } from "../../../data/api.ts";
import { useCreateTool } from "../../../data/templates.ts";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { Field, TextArea, TextInput } from "../../../design/fields.tsx";
import { Words } from "../../../design/words.tsx";

const FIELDS = ["name", "description", "code"] as const;
const BEGINNING = "return { sum: args.a + args.b };";

/** A tool of code that somebody has; the rest of its record is for its page. */
export function CodeDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateTool();
  const navigate = useNavigate();
  const form = useId();
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const [name = "", description = "", code = ""] = FIELDS.map((field) => given.get(field) as string);
    create.mutate(
      { body: { name: name.trim(), description, code, parameters: { type: "object" } } },
      { onSuccess: ({ id }) => void navigate({ to: "/tools/$toolId", params: { toolId: id } }) },
    );
  }
  const { error } = create;
  const errors = error instanceof BulkheadError ? error.errors : [];
  const faultOf = (field: string): string | undefined => errors.find(({ path }) => path === field)?.message;
  const others = errors.filter(({ path }) => !FIELDS.some((field) => field === path));
  return (
    <Dialog
      title="Paste code"
      place="side"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={form} isBusy={create.isPending}>
            Create tool
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Name"
          hint="Lower-case letters, digits and _, as models call it."
          fault={faultOf("name")}
        >
          {(tie) => (
            <TextInput
              {...tie}
              name="name"
              required
              autoFocus
              spellCheck={false}
              placeholder="add_numbers"
              className="font-mono"
            />
          )}
        </Field>
        <Field
          label="Description"
          hint="What it does, and when to use it: models decide by this."
          fault={faultOf("description")}
        >
          {(tie) => <TextArea {...tie} name="description" required rows={2} />}
        </Field>
        <Field
          label="Code"
          hint="The body of an async function, or a whole function. It reads its arguments as args."
          fault={faultOf("code")}
        >
          {(tie) => (
            <TextArea
              {...tie}
              name="code"
              required
              rows={16}
              spellCheck={false}
              className="font-mono"
              placeholder={BEGINNING}
            />
          )}
        </Field>
        {error !== null && (errors.length === 0 || others.length > 0) && (
          <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm">
            <Words
              text={[wordsOf(error), ...others.map(({ path, message }) => `${path} ${message}`)].join(" ")}
            />
          </p>
        )}
      </form>
    </Dialog>
  );
}
