import { landlockLink } from "../layers/landlock.ts";
import { link, PRIVILEGES, userFlags, type LaunchTools } from "../layers/launch-plan.ts";
import { limitFlags, type ResourceLimits } from "../layers/resource-limits.ts";
import { HOME, ownRootLink } from "./own-root.ts";
import { WRITABLE_DEVICE } from "./server-view.ts";

/** By which rights a server's namespaces are made, and whether it gets a root of its own in them. */
export interface ServerRoad {
  /** `through_user`: inside a user namespace, which needs no privilege where the system allows it. */
  namespaces: "direct" | "through_user";
  ownRoot: boolean;
}

export type ServerTools = { [Tool in keyof LaunchTools]: string } & { nice: string | null };

export interface ServerInput {
  tools: ServerTools;
  limits: ResourceLimits;
  /** Also the group id; null leaves the worker's. */
  uid: number | null;
  /** Files and folders that it sees, none of which lies in another. */
  view: readonly string[];
  homeBytes: number;
  homeFiles: number;
  /** How much nicer it is than the worker. */
  nicer: number;
  /** What it may reach and offer on the loopback of its own network; null: it has none. */
  loopbackPort: number | null;
}

/** The descriptor over which a server's first program is told the environment. */
export const ENTRY_FD = 3;
/** Where a server without a root of its own is at home: nowhere, since it may write to no folder. */
const NO_HOME = "/nonexistent";

/**
 * The last link: it says that all layers stand around it, waits for the whole environment, and becomes the server. Without the end of the
 * environment its worker is gone, and so is it. The links before it have no environment: one that a stranger says would
 * change what they do, with rights that the stranger must not have.
 */
const ENTER = `
open(my $worker, "+<&=", ${ENTRY_FD}) or die "Enter: $!\\n";
syswrite $worker, "ready";
my $said = "";
1 while sysread $worker, $said, 65536, length $said;
$said =~ s/\\0\\0\\z// or exit 1;
close $worker;
%ENV = map { split /=/, $_, 2 } split /\\0/, $said;
exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\\n";
`;

/** Switches the loopback of a new network on, which takes a right that the links after it give up. */
const LOOPBACK = `
socket(my $any, 2, 2, 0) or die "Loopback: $!\\n";
my $up = pack("a16sx22", "lo", 1);
ioctl($any, 0x8914, $up) or die "Loopback: $!\\n";
close $any;
exec { $ARGV[0] } @ARGV or die "Loopback: $ARGV[0]: $!\\n";
`;

/** The environment as the last link reads it. */
export const environmentText = (variables: Readonly<Record<string, string>>): string =>
  `${Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\0`)
    .join("")}\0`;

/** Where a server is at home. */
export const homeOn = ({ ownRoot }: ServerRoad): string => (ownRoot ? HOME : NO_HOME);

/**
 * The command before a server's own. What makes the namespaces stays, as the parent of the first process in them, and ends
 * with it; the links after it replace themselves by the next, so the server is process 1 of its namespace, and with it ends
 * all that it has started. Each of the two asks the kernel to be killed with its parent.
 */
export function composeServer(road: ServerRoad, input: ServerInput): string[] {
  const { tools, limits, uid, view, homeBytes, homeFiles, nicer, loopbackPort } = input;
  const isDirect = road.namespaces === "direct";
  const user = userFlags(uid);
  return [
    ...link(tools.nice, ["-n", `${nicer}`]),
    ...link(tools.setpriv, [...(isDirect ? [] : user), "--pdeathsig", "KILL"]),
    ...link(tools.unshare, namespaceFlags(road)),
    // Inside, where a limit of processes counts those of this namespace alone.
    ...link(tools.prlimit, limitFlags(limits)),
    ...(loopbackPort === null ? [] : [tools.perl, "-e", LOOPBACK, "--"]),
    ...(road.ownRoot
      ? ownRootLink(tools.perl, { paths: view, homeBytes, homeFiles, uid: isDirect ? uid : null })
      : []),
    ...link(tools.setpriv, [...(isDirect ? user : []), ...PRIVILEGES.emptied]),
    ...landlockLink(
      tools.perl,
      // Without a root of its own it sees the worker's processes, and may read of itself alone.
      [...view, road.ownRoot ? "/proc" : "/proc/self"],
      road.ownRoot ? [HOME, WRITABLE_DEVICE] : [WRITABLE_DEVICE],
      loopbackPort === null ? [] : [loopbackPort],
    ),
    tools.perl,
    "-e",
    ENTER,
  ];
}

const namespaceFlags = ({ namespaces, ownRoot }: ServerRoad): string[] => [
  ...(namespaces === "direct" ? [] : ["--user", "--map-current-user", "--keep-caps"]),
  "--pid",
  "--fork",
  "--net",
  "--ipc",
  "--uts",
  ...(ownRoot ? ["--mount"] : []),
];
