import { type FormEvent, useState } from "react";
import {
  keepTraceTemplate,
  TRACE_ID,
  traceLink,
  traceTemplate,
  traceTemplateFault,
} from "../../data/trace-link.ts";
import { Button } from "../../design/button.tsx";
import { CopyButton } from "../../design/copy-button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, TextInput } from "../../design/fields.tsx";
import { ExternalLink, Link2 } from "../../design/icons.tsx";

/** A trace's id, to copy, and a link to it in the person's own tracing. */
export function TraceId({ traceId }: { traceId: string }) {
  const [template, setTemplate] = useState(traceTemplate);
  const [isAsking, setAsking] = useState(false);
  const link = traceLink(template, traceId);
  return (
    <span className="flex items-center justify-end gap-0.5">
      <code className="min-w-0 truncate font-mono text-xs" title={traceId}>
        {traceId}
      </code>
      <CopyButton text={traceId} what="the trace's id" isSmall />
      {link !== null && (
        <a
          href={link}
          target="_blank"
          rel="noreferrer"
          aria-label="Open the trace"
          title="Open the trace"
          className="flex size-6 items-center justify-center rounded-md text-accent-strong hover:bg-hover"
        >
          <ExternalLink size={15} />
        </a>
      )}
      <Button
        look="quiet"
        icon={Link2}
        aria-label="Where traces are opened"
        title="Where traces are opened"
        isSmall
        onClick={() => setAsking(true)}
      />
      {isAsking && (
        <TemplateDialog
          template={template}
          onClose={() => setAsking(false)}
          onKeep={(next) => {
            keepTraceTemplate(next);
            setTemplate(next);
            setAsking(false);
          }}
        />
      )}
    </span>
  );
}

interface DialogProps {
  template: string;
  onKeep: (template: string) => void;
  onClose: () => void;
}

function TemplateDialog({ template, onKeep, onClose }: DialogProps) {
  const [typed, setTyped] = useState(template);
  const [fault, setFault] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const next = typed.trim();
    const found = next === "" ? null : traceTemplateFault(next);
    setFault(found);
    if (found === null) onKeep(next);
  };
  return (
    <Dialog
      title="Where traces are opened"
      onClose={onClose}
      actions={
        <Button look="primary" type="submit" form="trace-template">
          Keep
        </Button>
      }
    >
      <form id="trace-template" onSubmit={submit} className="text-left whitespace-normal">
        <Field
          label="Address of a trace"
          hint={`With ${TRACE_ID} where the id goes. This browser keeps it; empty takes it away.`}
          fault={fault ?? undefined}
        >
          {(tie) => (
            <TextInput
              {...tie}
              autoFocus
              spellCheck={false}
              placeholder={`https://tracing.example.com/trace/${TRACE_ID}`}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
