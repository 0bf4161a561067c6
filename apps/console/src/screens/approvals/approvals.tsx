import { getRouteApi, Outlet, useParams } from "@tanstack/react-router";
import { useWaiting, useWaitingCount } from "../../data/approvals.ts";
import { Badge } from "../../design/badge.tsx";
import { classes } from "../../design/classes.ts";
import { ShieldCheck } from "../../design/icons.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Picture } from "../../design/page-states.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { Ended } from "./ended.tsx";
import { TABS } from "./approval-search.ts";
import { NotifyMe } from "./notify-me.tsx";
import { Standing } from "./standing.tsx";
import { WaitingList } from "./waiting-list.tsx";

const route = getRouteApi("/approvals");

/** Calls of agents that wait for a person, and how others were answered; the one that is open stands beside the list, on narrow windows in its place. */
export function Approvals() {
  const { tab = "waiting" } = route.useSearch();
  const { approvalId: openId } = useParams({ strict: false });
  const isOpen = openId !== undefined && tab !== "standing";
  const isBare = useWaiting().data?.pages[0]?.approvals.length === 0 && tab === "waiting" && !isOpen;
  return (
    <>
      {isOpen && <h1 className="sr-only lg:hidden">Approvals</h1>}
      <div className={classes(isOpen && "max-lg:hidden")}>
        <Head tab={tab} />
      </div>
      {tab === "standing" && <Standing />}
      {isBare && <WaitingList openId={openId} />}
      {tab !== "standing" && !isBare && (
        <div className="grid flex-1 lg:grid-cols-[minmax(19rem,25rem)_minmax(0,1fr)]">
          <div
            className={classes(
              "min-w-0 lg:sticky lg:top-0 lg:max-h-dvh lg:self-start lg:overflow-y-auto",
              isOpen && "max-lg:hidden",
            )}
          >
            {tab === "waiting" && <WaitingList openId={openId} />}
            {(tab === "answered" || tab === "expired") && <Ended key={tab} kind={tab} openId={openId} />}
          </div>
          <div className="min-w-0 lg:border-l lg:border-line">
            {isOpen ? <Outlet /> : <NoneOpen tab={tab} />}
          </div>
        </div>
      )}
    </>
  );
}

function Head({ tab }: { tab: string }) {
  const count = useWaitingCount();
  return (
    <PageHead
      title="Approvals"
      badges={
        count > 0 && (
          <Badge tone="warn" hasDot>
            {count.toLocaleString()} waiting
          </Badge>
        )
      }
      actions={<NotifyMe />}
    >
      <Tabs label="Kinds of approvals" tabs={TABS} current={tab} />
    </PageHead>
  );
}

const NoneOpen = ({ tab }: { tab: string }) => (
  <div className="max-lg:hidden">
    <Picture icon={ShieldCheck} title="Choose a call">
      {tab === "waiting"
        ? "Here you see its exact arguments and what it can reach before you answer."
        : "Here you see what it asked for and what came of it."}
    </Picture>
  </div>
);
