import { getRouteApi } from "@tanstack/react-router";
import { useServices } from "../../data/services.ts";
import { useMayWrite } from "../../data/session.ts";
import { Button } from "../../design/button.tsx";
import { Select } from "../../design/fields.tsx";
import { Plus, Vault } from "../../design/icons.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading, NoneLikeThat, Picture } from "../../design/page-states.tsx";
import { SearchWords } from "../../design/search-words.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { ScrubRules } from "./scrub-rules.tsx";
import { matching, type SecretSearch, STATES, WORDS_CHARS_MAX } from "./secret-search.ts";
import { CreateService } from "./service-form.tsx";
import { ServiceTable } from "./service-table.tsx";

const route = getRouteApi("/secrets");

const TABS = [
  { name: "services", title: "Services" },
  { name: "rules", title: "Scrub rules" },
];

type Change = (next: { [Name in keyof SecretSearch]?: SecretSearch[Name] | undefined }) => void;

/** The outside services that tools use, with their secrets, and what else is covered in all that tools say. */
export function Secrets() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useMayWrite();
  const change: Change = (next) =>
    void navigate({ search: (before) => ({ ...before, ...next }) as SecretSearch, replace: true });
  const isRules = search.tab === "rules";
  return (
    <>
      <PageHead
        title="Secrets"
        actions={
          mayWrite &&
          !isRules && (
            <Button look="primary" icon={Plus} onClick={() => change({ create: true })}>
              New service
            </Button>
          )
        }
      >
        <p className="-mt-2 mb-3 max-w-2xl text-ink-2">
          Services that tools use, with their keys. A secret is stored sealed and never shown again.
        </p>
        <Tabs label="Parts of the secrets" tabs={TABS} current={search.tab ?? "services"} />
      </PageHead>
      {isRules ? <ScrubRules /> : <Services search={search} change={change} />}
      {mayWrite && search.create === true && (
        <CreateService
          name={search.name ?? ""}
          onClose={() => change({ create: undefined, name: undefined })}
          onMade={(service) =>
            void navigate({ to: "/secrets/$service", params: { service }, search: { fill: true } })
          }
        />
      )}
    </>
  );
}

function Services({ search, change }: { search: SecretSearch; change: Change }) {
  const { data: services, error, isPending, refetch } = useServices();
  const mayWrite = useMayWrite();
  if (isPending) return <Loading what="the services" />;
  if (services === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (services.length === 0)
    return (
      <Picture
        icon={Vault}
        title="No service is known yet"
        actions={
          mayWrite && (
            <Button look="primary" icon={Plus} onClick={() => change({ create: true })}>
              New service
            </Button>
          )
        }
      >
        A tool that says which services it needs registers them by itself; or make the first one here.
      </Picture>
    );
  const found = matching(services, search);
  return (
    <div className="p-4 md:px-6">
      <div className="mb-3 flex flex-wrap gap-2">
        <SearchWords
          label="Search services"
          placeholder="Search services"
          words={search.q ?? ""}
          charsMax={WORDS_CHARS_MAX}
          change={(q) => change({ q })}
        />
        <Select
          aria-label="State"
          value={search.state ?? ""}
          onChange={({ target }) => change({ state: STATES.find((state) => state === target.value) })}
        >
          <option value="">Any state</option>
          <option value="configured">Configured</option>
          <option value="missing">Something missing</option>
        </Select>
      </div>
      {found.length > 0 ? (
        <ServiceTable services={found} />
      ) : (
        <NoneLikeThat what="service" onClear={() => change({ q: undefined, state: undefined })} />
      )}
    </div>
  );
}
