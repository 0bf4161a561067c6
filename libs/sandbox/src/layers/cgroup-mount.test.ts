import { expect, it } from "vitest";
import { cgroupMount } from "./cgroup-mount.ts";

const V1 = `31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw`;
const V1_OF_CONTAINER = "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro,relatime - cgroup cgroup rw,memory";
const V2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate";
const V2_AT_BLANK = "30 23 0:26 / /mnt/c\\040g rw - cgroup2 cgroup2 rw";

it.each([
  ["version 1", V1, "5:devices:/\n4:memory:/a/b\n0::/x", 1, ["memory/a/b", "memory/a", "memory"]],
  ["version 1 with joined controllers", V1, "4:cpu,memory:/a\n0::/", 1, ["memory/a", "memory"]],
  ["version 1 in a container", V1_OF_CONTAINER, "4:memory:/docker/abc/in", 1, ["memory/in", "memory"]],
  ["a container's own group", V1_OF_CONTAINER, "4:memory:/docker/abc", 1, ["memory"]],
  ["a group outside what is mounted", V1_OF_CONTAINER, "4:memory:/docker/abcd", 1, ["memory"]],
])("finds the folders of %s, the worker's own first", (_, mounts, cgroup, version, folders) => {
  const paths = folders.map((folder) => `/sys/fs/cgroup/${folder}`);
  expect(cgroupMount(mounts, cgroup)).toEqual({ version, folders: paths });
});

it.each([
  [
    "version 2",
    V2,
    "0::/user.slice/a",
    ["/sys/fs/cgroup/user.slice/a", "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"],
  ],
  ["version 2 in its own namespace", V2, "0::/", ["/sys/fs/cgroup"]],
  ["a namespace that was left", V2, "0::/../other", ["/sys/fs/cgroup"]],
  ["a mount with a blank in its name", V2_AT_BLANK, "0::/a", ["/mnt/c g/a", "/mnt/c g"]],
])("finds the folders of %s", (_, mounts, cgroup, folders) => {
  expect(cgroupMount(mounts, cgroup)).toEqual({ version: 2, folders });
});

it("finds none where none is mounted", () => {
  expect(cgroupMount("31 23 0:28 / / rw - ext4 /dev/a rw", "")).toBeNull();
});
