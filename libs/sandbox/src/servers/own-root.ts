/** Where a server in a root of its own may write; the folder is its home and its current one. */
export const HOME = "/tmp";

/**
 * Gives what comes after it a root of its own, in a mount namespace that is there already: an empty one with these files
 * and folders, read-only, `/proc` of its process ids, and an empty `/tmp` in memory. So there are no sockets, devices or
 * files of the machine to find, what is written has a bound, and nothing is left of it when the namespace ends.
 * `/workspace` is a way to the folder of that name in `/tmp`, if whoever runs there makes one. The
 * arguments are the options of `/tmp` and the paths, each kind ended by `--`; a path that is missing is left out. These
 * system calls have the same numbers on every architecture (Linux 5.12 or later), which mount(2) has not.
 */
const SCRIPT = `
sub call {
  my ($what, $number, @given) = @_;
  my $found = syscall($number, @given);
  die "Own root: $what: $!\\n" if $found < 0;
  return $found;
}
sub made {
  my ($kind, $flags, @options) = @_;
  my $fs = call($kind, 430, $kind, 1);
  call("$kind, $_", 431, $fs, 1, split(/=/, $_), 0) for @options;
  call($kind, 431, $fs, 6, 0, 0, 0);
  return call($kind, 432, $fs, 1, $flags);
}
sub attach { my ($tree, $to) = @_; call($to, 429, $tree, "", -100, $to, 4) }
sub taken { my @taken; while (@ARGV and (my $next = shift @ARGV) ne "--") { push @taken, $next } return @taken }
my @home = taken();
my @paths = grep { -e } sort(taken());
my (%trees, %folders);
for my $path (@paths) {
  $folders{$path} = -d $path;
  $trees{$path} = call($path, 428, -100, $path, 0x88001);
  call($path, 442, $trees{$path}, "", 0x9000, pack("Q4", -c $path ? 3 : 7, 0, 0, 0), 32);
}
attach(made("tmpfs", 6, "size=1m", "mode=0755"), "/tmp");
mkdir "/tmp$_" for "/proc", "/tmp";
attach(made("proc", 14), "/tmp/proc");
attach(made("tmpfs", 6, @home), "/tmp/tmp");
for my $path (@paths) {
  my ($to, @above) = ("/tmp", split m{/}, substr($path, 1));
  my $name = pop @above;
  mkdir($to .= "/$_") for @above;
  $to .= "/$name";
  if ($folders{$path}) { mkdir $to } else { open my $file, ">", $to or die "Own root: $path: $!\\n" }
  attach($trees{$path}, $to);
}
symlink "${HOME}/workspace", "/tmp/workspace" or die "Own root: $!\\n";
call("read-only", 442, -100, "/tmp", 0, pack("Q4", 1, 0, 0, 0), 32);
chroot "/tmp" or die "Own root: $!\\n";
chdir "/tmp" or die "Own root: $!\\n";
exec { $ARGV[0] } @ARGV or die "Own root: $ARGV[0]: $!\\n";
`;

interface OwnRoot {
  /** Files and folders that are seen where they are; none lies in another. */
  paths: readonly string[];
  /** Bytes and files that `/tmp` holds. */
  homeBytes: number;
  homeFiles: number;
  /** Whose `/tmp` is; null: the one who mounts it. */
  uid: number | null;
}

/** The link of a launch that gives everything after it a root of its own. */
export const ownRootLink = (perl: string, { paths, homeBytes, homeFiles, uid }: OwnRoot): string[] => [
  perl,
  "-e",
  SCRIPT,
  `size=${homeBytes}`,
  `nr_inodes=${homeFiles}`,
  "mode=0700",
  ...(uid === null ? [] : [`uid=${uid}`, `gid=${uid}`]),
  "--",
  ...paths,
  "--",
];
