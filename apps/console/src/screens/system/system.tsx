import { getRouteApi } from "@tanstack/react-router";
import { useQueryClient, useIsFetching } from "@tanstack/react-query";
import { useSystem } from "../../data/system.ts";
import { Button } from "../../design/button.tsx";
import { RotateCw } from "../../design/icons.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading } from "../../design/page-states.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { When } from "../../design/when.tsx";
import { Overview } from "./overview.tsx";
import { SYSTEM_TABS } from "./system-search.ts";
import { Tenants } from "./tenants.tsx";

const route = getRouteApi("/system");

/** The platform as its administrator sees it: what runs where, what holds tenants apart, who waits. */
export function System() {
  const { tab = "overview" } = route.useSearch();
  const { data: system, error, isPending, refetch, dataUpdatedAt } = useSystem();
  const client = useQueryClient();
  const isBusy = useIsFetching() > 0;
  const lookAgain = (): void => {
    for (const key of ["system", "system-load", "tenants"])
      void client.invalidateQueries({ queryKey: [key] });
  };
  return (
    <>
      <PageHead
        title="System"
        actions={
          <>
            {dataUpdatedAt > 0 && (
              <span className="self-center text-xs text-ink-3">
                Looked <When at={new Date(dataUpdatedAt).toISOString()} />
              </span>
            )}
            <Button icon={RotateCw} isBusy={isBusy} onClick={lookAgain}>
              Refresh
            </Button>
          </>
        }
      >
        <Tabs label="Parts of the system" tabs={SYSTEM_TABS} current={tab} />
      </PageHead>
      {isPending ? (
        <Loading what="the system" />
      ) : system === undefined ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="p-4 md:p-6">{tab === "tenants" ? <Tenants /> : <Overview system={system} />}</div>
      )}
    </>
  );
}
