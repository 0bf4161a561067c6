import { TextArea, TextInput, Field } from "../../design/fields.tsx";
import { Part } from "../../design/part.tsx";
import { ApprovalFields } from "./approval-fields.tsx";
import type { Bench } from "./bench.ts";
import { MoreFields } from "./more-fields.tsx";
import { faultOf } from "./problems.ts";
import { tagsIn, withTags } from "./tags.ts";

/** What the tool is called and said to do, who is asked before it runs, and what is rarely said. */
export const DetailsPart = ({ bench }: { bench: Bench }) => (
  <div className="flex max-w-3xl flex-col gap-8">
    <Names bench={bench} />
    <ApprovalFields bench={bench} />
    <MoreFields bench={bench} />
  </div>
);

function Names({ bench: { draft, set, problems } }: { bench: Bench }) {
  const { name, title, description, category, metadata } = draft;
  const tags = tagsIn(metadata);
  return (
    <Part title="What it is">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Name"
          hint="Lower-case letters, digits and _, as models call it."
          fault={faultOf(problems, "name")}
        >
          {(tie) => (
            <TextInput
              {...tie}
              spellCheck={false}
              className="font-mono"
              placeholder="add_numbers"
              value={name}
              onChange={({ target }) => set({ name: target.value })}
            />
          )}
        </Field>
        <Field label="Title" hint="A name for people." fault={faultOf(problems, "title")}>
          {(tie) => (
            <TextInput {...tie} value={title ?? ""} onChange={({ target }) => set({ title: target.value })} />
          )}
        </Field>
        <div className="sm:col-span-2">
          <Field
            label="Description"
            hint="What it does, and when to use it: models decide by this."
            fault={faultOf(problems, "description")}
          >
            {(tie) => (
              <TextArea
                {...tie}
                rows={3}
                value={description}
                onChange={({ target }) => set({ description: target.value })}
              />
            )}
          </Field>
        </div>
        <Field
          label="Category"
          hint="Any word; lists are narrowed by it."
          fault={faultOf(problems, "category")}
        >
          {(tie) => (
            <TextInput
              {...tie}
              value={category ?? ""}
              onChange={({ target }) => set({ category: target.value })}
            />
          )}
        </Field>
        <Field label="Tags" hint="With commas between them." fault={faultOf(problems, "metadata.tags")}>
          {(tie) => (
            <TextInput
              {...tie}
              defaultValue={tags.join(", ")}
              onChange={({ target }) => set({ metadata: withTags(metadata, target.value) })}
            />
          )}
        </Field>
      </div>
    </Part>
  );
}
