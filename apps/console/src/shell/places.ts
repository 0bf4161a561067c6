import type { Me } from "@bulkhead/client";
import { useWaitingCount } from "../data/approvals.ts";
import { useMe } from "../data/session.ts";
import { useWaitingRequests } from "../data/mcp-access.ts";
import {
  Activity,
  Bot,
  CalendarClock,
  ChartColumn,
  Database,
  FolderOpen,
  type Icon,
  KeyRound,
  Laptop,
  Plug,
  Scale,
  ScrollText,
  Server,
  Settings,
  ShieldCheck,
  Vault,
  Wrench,
} from "../design/icons.tsx";

export interface Place {
  to: string;
  name: string;
  icon: Icon;
  /** Behind `g`. */
  key: string;
  /** Places of one group stand together: what runs, what it needs, who watches. */
  group: "work" | "needs" | "watch";
  /** For these keys alone; for all of a tenant's where it is not said. */
  roles?: readonly Me["key"]["role"][];
  /** A hook that tells how many wait there. */
  useCount?: () => number;
}

const LOOK: Place["roles"] = ["owner", "developer", "viewer"];

/** Where one can go from everywhere: the navigation, the palette and the keys `g …` say the same. */
export const PLACES: readonly Place[] = [
  { to: "/tools", name: "Tools", icon: Wrench, key: "t", group: "work" },
  {
    to: "/approvals",
    name: "Approvals",
    icon: ShieldCheck,
    key: "a",
    group: "work",
    useCount: useWaitingCount,
  },
  { to: "/executions", name: "Executions", icon: Activity, key: "e", group: "work" },
  { to: "/schedules", name: "Schedules", icon: CalendarClock, key: "d", group: "work" },
  { to: "/files", name: "Files", icon: FolderOpen, key: "f", group: "needs", roles: LOOK },
  { to: "/data", name: "Data", icon: Database, key: "b", group: "needs", roles: LOOK },
  { to: "/devices", name: "Devices", icon: Laptop, key: "v", group: "needs", roles: LOOK },
  { to: "/agents", name: "Agents", icon: Bot, key: "n", group: "needs", roles: LOOK },
  {
    to: "/mcp-servers",
    name: "MCP servers",
    icon: Plug,
    key: "m",
    group: "needs",
    roles: LOOK,
    useCount: useWaitingRequests,
  },
  { to: "/policy", name: "Policy", icon: Scale, key: "p", group: "needs", roles: LOOK },
  { to: "/secrets", name: "Secrets", icon: Vault, key: "s", group: "needs", roles: LOOK },
  { to: "/keys", name: "Keys", icon: KeyRound, key: "k", group: "needs", roles: ["owner"] },
  { to: "/usage", name: "Usage", icon: ChartColumn, key: "l", group: "watch", roles: LOOK },
  { to: "/audit", name: "Audit", icon: ScrollText, key: "u", group: "watch", roles: LOOK },
  { to: "/settings", name: "Settings", icon: Settings, key: "c", group: "watch", roles: LOOK },
  { to: "/system", name: "System", icon: Server, key: "y", group: "watch", roles: ["admin"] },
];

/** The places that this person's key may see, group by group. */
export function usePlaces(): Place[][] {
  const { role } = useMe().key;
  const seen = PLACES.filter(({ roles }) => roles?.includes(role) ?? role !== "admin");
  return (["work", "needs", "watch"] as const)
    .map((group) => seen.filter((place) => place.group === group))
    .filter((places) => places.length > 0);
}

/** Where somebody begins: the administrator belongs to no tenant, and so has no tools. */
export const homeOf = ({ tenant }: Me): "/tools" | "/system" => (tenant === null ? "/system" : "/tools");
