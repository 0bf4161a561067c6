import { chosen, oneOf } from "../../format/address.ts";

export const TABS = [
  { name: "waiting", title: "Waiting" },
  { name: "answered", title: "Answered" },
  { name: "expired", title: "Unanswered" },
  { name: "standing", title: "Standing" },
] as const;

type ApprovalTab = (typeof TABS)[number]["name"];

export interface ApprovalSearch {
  tab?: ApprovalTab;
}

/** The tab that an address names; another one is the first. */
export const readApprovalSearch = (raw: Record<string, unknown>): ApprovalSearch =>
  chosen<ApprovalSearch>({
    tab: oneOf(
      TABS.map(({ name }) => name),
      raw["tab"],
    ),
  });
