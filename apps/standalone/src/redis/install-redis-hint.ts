import { readIfThere } from "../stores/private-folder.ts";

const COMMANDS = [
  { systems: ["debian", "ubuntu"], command: "sudo apt-get install redis-server" },
  { systems: ["fedora", "rhel", "centos"], command: "sudo dnf install valkey" },
  { systems: ["alpine"], command: "sudo apk add redis" },
  { systems: ["arch"], command: "sudo pacman -S valkey" },
  { systems: ["suse", "opensuse"], command: "sudo zypper install redis" },
] as const;

/** How to install Redis on this system, in one line. */
export async function installRedisHint(platform: string = process.platform): Promise<string> {
  if (platform === "darwin") return hint("brew install redis");
  const release = platform === "linux" ? ((await readIfThere("/etc/os-release")) ?? "") : "";
  return hint(installCommand(release));
}

const hint = (command: string | null): string =>
  command === null
    ? "Install Redis 6.2 or newer (https://redis.io/docs/latest/operate/oss_and_stack/install/), or set REDIS_URL."
    : `Install one with \`${command}\`, or set REDIS_URL.`;

/** Chooses by the ID and ID_LIKE of an os-release file; null for an unknown system. */
export function installCommand(osRelease: string): string | null {
  const ids = [...osRelease.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gmu)].flatMap(
    (match) => match[1]?.split(" ") ?? [],
  );
  const known = COMMANDS.find(({ systems }) => ids.some((id) => systems.some((system) => system === id)));
  return known?.command ?? null;
}
