import { type FormEvent, useState } from "react";
import { keepTraceTemplate, TRACE_ID, traceTemplate, traceTemplateFault } from "../../data/trace-link.ts";
import { Field, TextInput } from "../../design/fields.tsx";

interface Props {
  /** Of the form, for the button that sends it. */
  id: string;
  /** It is kept by then; empty: none is. */
  onKeep: (template: string) => void;
}

/** Asks for the address at which a person's own tracing shows a trace. This browser keeps it. */
export function TraceTemplateForm({ id, onKeep }: Props) {
  const [typed, setTyped] = useState(traceTemplate);
  const [fault, setFault] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const next = typed.trim();
    const found = next === "" ? null : traceTemplateFault(next);
    setFault(found);
    if (found !== null) return;
    keepTraceTemplate(next);
    onKeep(next);
  };
  return (
    <form id={id} onSubmit={submit} className="text-left whitespace-normal">
      <Field
        label="Address of a trace"
        hint={`With ${TRACE_ID} where the id goes. This browser keeps it; empty takes it away.`}
        fault={fault ?? undefined}
      >
        {(tie) => (
          <TextInput
            {...tie}
            spellCheck={false}
            placeholder={`https://tracing.example.com/trace/${TRACE_ID}`}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
    </form>
  );
}
