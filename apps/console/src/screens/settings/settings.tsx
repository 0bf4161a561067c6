import type { TenantSettings } from "@bulkhead/client";
import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";
import { wordsOf } from "../../data/api.ts";
import { useSaveSettings, useSettings } from "../../data/settings.ts";
import { useIsOwner } from "../../data/session.ts";
import { Button } from "../../design/button.tsx";
import { notify } from "../../design/notices.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading } from "../../design/page-states.tsx";
import { Part } from "../../design/part.tsx";
import { Words } from "../../design/words.tsx";
import { TraceTemplateForm } from "../execution/trace-template.tsx";
import { ApprovalSettings } from "./approval-settings.tsx";
import { DataSettings } from "./data-settings.tsx";
import { FileSettings } from "./file-settings.tsx";
import { Limits } from "./limits.tsx";
import { SharedData } from "./shared-data.tsx";
import { changeOf, faultsOf, formOf, isSame, type SettingsForm } from "./settings-form.ts";
import { ShellSettings } from "./shell-settings.tsx";

const TEMPLATE = "trace-template";

/** What each person has for themselves. */
const ThisBrowser = () => (
  <div className="max-w-2xl px-4 pb-6 md:px-6">
    <Part
      title="In this browser"
      aside={
        <Button type="submit" form={TEMPLATE} isSmall>
          Keep
        </Button>
      }
    >
      <TraceTemplateForm
        id={TEMPLATE}
        onKeep={(template) =>
          notify("good", template === "" ? "Traces have no link any more." : "Traces open there from now on.")
        }
      />
    </Part>
  </div>
);

/** What the tenant decides for all of its tools, and what bounds it. */
export function Settings() {
  const { data: settings, error, isPending, refetch } = useSettings();
  if (isPending) return <Loading what="the settings" />;
  if (settings === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  return <Form settings={settings} />;
}

function Form({ settings }: { settings: TenantSettings }) {
  const isOwner = useIsOwner();
  const [saved, setSaved] = useState(() => formOf(settings));
  const [form, setForm] = useState(saved);
  const save = useSaveSettings();
  const isChanged = !isSame(form, saved);
  const faults = faultsOf(form);
  const hasFaults = Object.keys(faults).length > 0;
  // Work that is not saved is not lost by a press on a link, nor by closing the window.
  useBlocker({
    shouldBlockFn: () => isChanged && !confirm("Leave without saving the settings?"),
    enableBeforeUnload: isChanged,
  });
  const change = (next: Partial<SettingsForm>): void => setForm({ ...form, ...next });
  const submit = (): void =>
    save.mutate(changeOf(form), {
      onSuccess: (now) => {
        setSaved(formOf(now));
        setForm(formOf(now));
        notify("good", "The settings are saved.");
      },
    });
  return (
    <>
      <PageHead
        title="Settings"
        actions={
          isOwner && (
            <>
              <Button disabled={!isChanged} onClick={() => setForm(saved)}>
                Undo changes
              </Button>
              <Button
                look="primary"
                isBusy={save.isPending}
                disabled={!isChanged || hasFaults}
                onClick={submit}
              >
                Save
              </Button>
            </>
          )
        }
      >
        {!isOwner && <p className="-mt-2 mb-4 text-ink-2">You see what owners of the tenant have set.</p>}
        {save.isError && (
          <p role="alert" className="mb-4 rounded-md bg-bad-soft px-3 py-2 text-sm">
            <Words text={wordsOf(save.error)} />
          </p>
        )}
        {save.data?.warnings !== undefined && (
          <p role="status" className="mb-4 rounded-md bg-warn-soft px-3 py-2 text-sm">
            <Words text={save.data.warnings.map(({ path, message }) => `${path}: ${message}.`).join(" ")} />
          </p>
        )}
      </PageHead>
      <fieldset
        disabled={!isOwner}
        className="grid min-w-0 gap-8 p-4 md:p-6 xl:grid-cols-[minmax(0,1fr)_22rem]"
      >
        <div className="flex min-w-0 flex-col gap-8">
          <ApprovalSettings form={form} faults={faults} change={change} isOwner={isOwner} />
          <DataSettings form={form} faults={faults} change={change} />
          <FileSettings form={form} faults={faults} change={change} />
          <ShellSettings form={form} faults={faults} change={change} />
          <SharedData form={form} faults={faults} change={change} />
        </div>
        <Limits />
      </fieldset>
      <ThisBrowser />
    </>
  );
}
