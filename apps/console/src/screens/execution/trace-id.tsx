import { useState } from "react";
import { traceLink, traceTemplate } from "../../data/trace-link.ts";
import { Button } from "../../design/button.tsx";
import { CopyButton } from "../../design/copy-button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { ExternalLink, Link2 } from "../../design/icons.tsx";
import { TraceTemplateForm } from "./trace-template.tsx";

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
        <Dialog
          title="Where traces are opened"
          onClose={() => setAsking(false)}
          actions={
            <Button look="primary" type="submit" form="trace-template">
              Keep
            </Button>
          }
        >
          <TraceTemplateForm
            id="trace-template"
            onKeep={(next) => {
              setTemplate(next);
              setAsking(false);
            }}
          />
        </Dialog>
      )}
    </span>
  );
}
