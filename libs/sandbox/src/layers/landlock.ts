import { dirname } from "node:path";

/**
 * Takes every right over files that no rule gives back, TCP, and signals and abstract sockets toward processes outside,
 * as far as the kernel's version of Landlock knows them; then becomes the program after `--`. It is a link before node,
 * since Landlock binds the calling thread and its offspring: from inside node its older threads would stay free. And
 * it is Perl's, since util-linux learns of Landlock in 2.40 only, while Perl belongs to every Debian and starts in 5 ms.
 * The system calls have the same numbers on every architecture.
 */
const SCRIPT = `
my $abi = syscall(444, 0, 0, 1);
die "Landlock: $!\\n" if $abi < 1;
my $fs = (1 << ($abi > 4 ? 16 : $abi > 2 ? 15 : $abi > 1 ? 14 : 13)) - 1;
my $handled = pack("QQQ", $fs, 3, 3);
my $set = syscall(444, $handled, $abi > 5 ? 24 : $abi > 3 ? 16 : 8, 0);
die "Landlock: no ruleset: $!\\n" if $set < 0;
while (@ARGV and (my $path = shift) ne "--") {
  if ($path =~ s/^=//) {
    $abi < 4 or syscall(445, $set, 2, pack("QQ", 3, $path), 0) == 0 or die "Landlock: no rule for port $path: $!\\n";
    next;
  }
  my $write = $path =~ s/^\\+//;
  sysopen(my $at, $path, 0x200000) or next;
  my $rule = pack("Ql", $write ? $fs & (-d $at ? -1 : 0x4006) : -d $at ? 13 : 5, fileno $at);
  syscall(445, $set, 1, $rule, 0) == 0 or die "Landlock: no rule for $path: $!\\n";
}
syscall(446, $set, 0) == 0 or die "Landlock: not restricted: $!\\n";
exec { $ARGV[0] } @ARGV or die "Landlock: $ARGV[0]: $!\\n";
`;

/** Files that a dynamically linked node reads before it runs anything: nothing in there is anyone's secret. */
const RUNTIME_FILES = [
  "/lib",
  "/lib64",
  "/usr/lib",
  "/usr/lib64",
  "/etc/ld.so.cache",
  "/etc/ssl/openssl.cnf",
  // The process's own folder: node asks it for its resident memory.
  "/proc/self",
];

/**
 * The link of a launch that confines everything after it to reading `readable`, to all of `writable`, and to TCP on these
 * ports; no path that is missing is a fault.
 */
export const landlockLink = (
  perl: string,
  readable: readonly string[],
  writable: readonly string[] = [],
  ports: readonly number[] = [],
): string[] => [
  perl,
  "-e",
  SCRIPT,
  ...readable,
  ...writable.map((path) => `+${path}`),
  ...ports.map((port) => `=${port}`),
  "--",
];

/** The paths that a program needs to read under Landlock, from what it may read under Node's permission model. */
export function landlockReadable(execPath: string, readable: string[]): string[] {
  const paths = readable.map((path) => (path.endsWith("/*") ? dirname(path) : path));
  return [...new Set([...RUNTIME_FILES, execPath, ...paths])];
}
