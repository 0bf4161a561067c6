import type { ConfigService } from "@bulkhead/client";
import { type ReactNode, useState } from "react";
import { useCreateService, useUpdateService } from "../../data/services.ts";
import { Refusal } from "../../design/fields.tsx";
import { FormDialog } from "../../design/form-dialog.tsx";
import { notify } from "../../design/notices.tsx";
import { About, Delivery, type DraftProps, Fields, Kind, Naming } from "./service-fields.tsx";
import { createBody, draftOf, newDraft, updateBody } from "./service-values.ts";

interface CreateProps {
  name: string;
  onClose: () => void;
  onMade: (name: string) => void;
}

/** Makes a service, which is then filled in. */
export function CreateService({ name, onClose, onMade }: CreateProps) {
  const [draft, setDraft] = useState(() => newDraft(name));
  const create = useCreateService();
  return (
    <ServiceForm
      title="New service"
      does="Create service"
      draft={draft}
      onChange={(next) => setDraft((before) => ({ ...before, ...next }))}
      isBusy={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate(createBody(draft), { onSuccess: (made) => onMade(made.name) })}
      onClose={onClose}
    >
      <Naming draft={draft} onChange={(next) => setDraft((before) => ({ ...before, ...next }))} />
      <Kind draft={draft} onChange={(next) => setDraft((before) => ({ ...before, ...next }))} />
    </ServiceForm>
  );
}

/** Changes all of a service but its name, by which code asks for it. */
export function EditService({ service, onClose }: { service: ConfigService; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(service));
  const update = useUpdateService(service.name);
  const save = (): void =>
    update.mutate(updateBody(draft), {
      onSuccess: () => {
        notify("good", "The service is changed. It holds from the next run on.");
        onClose();
      },
    });
  return (
    <ServiceForm
      title={`Settings of ${service.name}`}
      does="Save"
      draft={draft}
      onChange={(next) => setDraft((before) => ({ ...before, ...next }))}
      isBusy={update.isPending}
      error={update.error}
      onSubmit={save}
      onClose={onClose}
    />
  );
}

interface FormProps extends DraftProps {
  title: string;
  does: string;
  isBusy: boolean;
  error: Error | null;
  onSubmit: () => void;
  onClose: () => void;
  children?: ReactNode;
}

const ServiceForm = ({ title, does, isBusy, error, onSubmit, onClose, children, ...form }: FormProps) => {
  return (
    <FormDialog title={title} place="side" onClose={onClose} does={does} isBusy={isBusy} onSubmit={onSubmit}>
      {children}
      <About {...form} />
      {form.draft.kind === "api" && (
        <>
          <Fields {...form} />
          <Delivery {...form} />
        </>
      )}
      <Refusal error={error} />
    </FormDialog>
  );
};
