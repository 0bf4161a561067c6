import type { AgentKind } from "./file-settings.ts";
import type { Workspace } from "./workspace.ts";

/** Whose a file is: of the user with whom the workspace is, of its agent, or of the tenant. */
type FileOwner = "user" | "agent" | "tenant";

export interface FileRoute {
  /** Whose file is read: the first of them who has one. */
  read: readonly FileOwner[];
  /** Whose file is written. */
  write: FileOwner;
  /** An empty file is as good as none. */
  emptyIsGone: boolean;
}

interface RouteRow extends FileRoute {
  /** Paths from the root; one that ends with `/` means all within. */
  paths: readonly string[];
  /** Unset: of every agent. */
  kind?: AgentKind;
}

const PERSONAL = { read: ["user", "agent"], write: "user" } as const;
const SHARED = { read: ["agent"], write: "agent" } as const;

const MEMORY_PATHS = ["MEMORY.md", "memory.md", "memory/"] as const;

/** The files that are not simply the workspace's own. The first row that fits decides. */
const FILE_ROUTES: readonly RouteRow[] = [
  { paths: ["USER.md"], kind: "predefined", read: ["user"], write: "user", emptyIsGone: false },
  { paths: ["BOOTSTRAP.md"], kind: "predefined", ...SHARED, emptyIsGone: true },
  {
    paths: ["SOUL.md", "IDENTITY.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md"],
    kind: "predefined",
    ...SHARED,
    emptyIsGone: false,
  },
  { paths: ["BOOTSTRAP.md"], kind: "open", ...PERSONAL, emptyIsGone: true },
  {
    paths: ["SOUL.md", "IDENTITY.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "USER.md"],
    kind: "open",
    ...PERSONAL,
    emptyIsGone: false,
  },
  {
    paths: MEMORY_PATHS,
    read: ["user", "agent", "tenant"],
    write: "user",
    emptyIsGone: false,
  },
  { paths: ["skills/"], read: ["user", "agent", "tenant"], write: "user", emptyIsGone: false },
];

const fits = (paths: readonly string[], path: string): boolean =>
  paths.some((said) => (said.endsWith("/") ? path.startsWith(said) : path === said));

/** Whether the file is of the memory, Markdown or not. */
export const isMemoryPath = (path: string): boolean => fits(MEMORY_PATHS, path);

/** The route of a path; null: it is the workspace's own, whoever's that is. */
export const routeOf = (path: string, agentKind: AgentKind): FileRoute | null =>
  FILE_ROUTES.find(({ paths, kind = agentKind }) => kind === agentKind && fits(paths, path)) ?? null;

/** Folders of routes, which are folders for everybody: no file can stand in their place. */
export const ROUTED_FOLDERS: readonly string[] = FILE_ROUTES.flatMap(({ paths }) =>
  paths.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1)),
);

/** The workspace of the owner, as seen from this one: without a user its files are the agent's, without both the tenant's. */
function workspaceOf({ tenantId, agentId, userId }: Workspace, owner: FileOwner): Workspace {
  if (owner === "user") return { tenantId, agentId, userId };
  return { tenantId, agentId: owner === "agent" ? agentId : null, userId: null };
}

const isSame = (one: Workspace, other: Workspace): boolean =>
  one.agentId === other.agentId && one.userId === other.userId;

const distinct = (workspaces: readonly Workspace[]): Workspace[] =>
  workspaces.filter((one, at) => workspaces.findIndex((other) => isSame(one, other)) === at);

/** Where a file of this path is looked for, in this order. */
export function readPlaces(workspace: Workspace, path: string, kind: AgentKind): Workspace[] {
  const owners = routeOf(path, kind)?.read ?? ["user" as const];
  return distinct(owners.map((owner) => workspaceOf(workspace, owner)));
}

/** Where documents of the memory are looked for, in this order; the kind of the agent is nothing to it. */
export const memoryPlaces = (workspace: Workspace): Workspace[] =>
  readPlaces(workspace, MEMORY_PATHS[0], "open");

/** Where a file of this path is written; null: to somebody else's, which this workspace may only read. */
export function writePlace(workspace: Workspace, path: string, kind: AgentKind): Workspace | null {
  const place = workspaceOf(workspace, routeOf(path, kind)?.write ?? "user");
  return isSame(place, workspace) ? place : null;
}

/** A part of a workspace that lists show: with `only`, none but the files at these paths (`/` behind one: all within). */
export interface WorkspaceLayer {
  workspace: Workspace;
  only: readonly string[] | null;
  /** Files of this layer that lists leave out, since others' are read in their place. */
  except: readonly string[];
}

/** What a list of the workspace is made of; a file of an earlier layer hides one of the same path. */
export function layersOf(workspace: Workspace, kind: AgentKind): WorkspaceLayer[] {
  const rows = FILE_ROUTES.filter((row) => (row.kind ?? kind) === kind);
  const reads = (place: Workspace) =>
    rows.filter(({ read }) => read.some((owner) => isSame(workspaceOf(workspace, owner), place)));
  const places = distinct(rows.flatMap(({ read }) => read.map((owner) => workspaceOf(workspace, owner))));
  const others = places.filter((place) => !isSame(place, workspace));
  const own = new Set(reads(workspace));
  return [
    { workspace, only: null, except: rows.filter((row) => !own.has(row)).flatMap(({ paths }) => paths) },
    ...others.map((place) => ({
      workspace: place,
      only: reads(place).flatMap(({ paths }) => paths),
      except: [],
    })),
  ];
}
