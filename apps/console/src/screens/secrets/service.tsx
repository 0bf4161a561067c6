import type { ConfigService } from "@bulkhead/client";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useService } from "../../data/services.ts";
import { useMayWrite } from "../../data/session.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Pencil, Plus, SearchX, Trash } from "../../design/icons.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { Words } from "../../design/words.tsx";
import { EntryForm } from "./entry-form.tsx";
import { DeleteEntry, DeleteService } from "./deletes.tsx";
import { Entries, type Open } from "./entries.tsx";
import { EditService } from "./service-form.tsx";
import { ServiceFacts } from "./service-facts.tsx";
import { missingWords } from "./service-words.ts";

const route = getRouteApi("/secrets/$service");

/** One service: what is filled in, where its secrets may go, how code gets them, which tools use it. */
export function Service() {
  const { service: name } = route.useParams();
  const { data: service, error, isPending, refetch } = useService(name);
  if (isPending) return <Loading what="the service" />;
  if (error?.status === 404) return <NoService name={name} />;
  if (service === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  return <ServicePage key={name} service={service} />;
}

function NoService({ name }: { name: string }) {
  const navigate = route.useNavigate();
  const mayWrite = useMayWrite();
  return (
    <>
      <PageHead title={name} heading={<Words text={name} />} back={{ to: "/secrets", name: "Secrets" }} />
      <Picture
        icon={SearchX}
        title="There is no such service"
        actions={
          mayWrite && (
            <Button
              look="primary"
              icon={Plus}
              onClick={() => void navigate({ to: "/secrets", search: { create: true, name } })}
            >
              Create it
            </Button>
          )
        }
      >
        It was deleted, or nobody has created it yet.
      </Picture>
    </>
  );
}

/** The form that a link to `fill` opens: of the default entry, else of the first one. */
const firstForm = ({ entries }: ConfigService): Open => {
  const entry = entries.find(({ isDefault }) => isDefault);
  return entry === undefined ? { what: "add" } : { what: "edit", entry };
};

function ServicePage({ service }: { service: ConfigService }) {
  const { fill } = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useMayWrite();
  const [open, setOpen] = useState<Open>(() => (fill === true && mayWrite ? firstForm(service) : null));
  const close = (): void => {
    setOpen(null);
    if (fill === true) void navigate({ search: {}, replace: true });
  };
  return (
    <>
      <Head service={service} open={setOpen} />
      <div className="grid gap-6 p-4 md:p-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Entries service={service} open={setOpen} />
        <ServiceFacts service={service} />
      </div>
      {(open?.what === "add" || open?.what === "edit") && (
        <EntryForm service={service} entry={open.what === "edit" ? open.entry : undefined} onClose={close} />
      )}
      {open?.what === "remove" && <DeleteEntry service={service} entry={open.entry} onClose={close} />}
      {open?.what === "settings" && <EditService service={service} onClose={close} />}
      {open?.what === "delete" && (
        <DeleteService
          service={service}
          onClose={close}
          onGone={() => void navigate({ to: "/secrets", replace: true })}
        />
      )}
    </>
  );
}

function Head({ service, open }: { service: ConfigService; open: (next: Open) => void }) {
  const mayWrite = useMayWrite();
  const { name, displayName = name, description, configured, entries, multiEntry } = service;
  const missing = missingWords(service);
  return (
    <PageHead
      title={displayName}
      heading={<Words text={displayName} />}
      back={{ to: "/secrets", name: "Secrets" }}
      badges={
        <Badge tone={configured ? "good" : "warn"} hasDot>
          {missing === null ? "Configured" : <Words text={missing} />}
        </Badge>
      }
      actions={
        mayWrite && (
          <>
            {(multiEntry || entries.length === 0) && (
              <Button look="primary" icon={Plus} onClick={() => open({ what: "add" })}>
                {entries.length === 0 ? "Fill in" : "New entry"}
              </Button>
            )}
            <Button icon={Pencil} onClick={() => open({ what: "settings" })}>
              Settings
            </Button>
            <Button
              look="danger"
              icon={Trash}
              aria-label="Delete the service"
              title="Delete the service"
              onClick={() => open({ what: "delete" })}
            />
          </>
        )
      }
    >
      {description !== undefined && (
        <p className="-mt-2 mb-4 max-w-3xl text-ink-2">
          <Words text={description} />
        </p>
      )}
    </PageHead>
  );
}
