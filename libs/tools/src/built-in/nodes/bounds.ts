/** Devices that `list` shows. */
export const DEVICES_SHOWN_MAX = 100;
/** Characters of a device's name or id, as a call names it. */
export const DEVICE_REF_CHARS_MAX = 100;
export const COMMAND_CHARS_MAX = 64;
/** Beyond the invocation's own time, for the way there and back; milliseconds. */
export const WAY_MS = 5_000;
/** It is looked so often whether the device is still where it was asked; milliseconds. */
export const LOOK_EVERY_MS = 1_000;
/** Looks after which one that is away is gone: its last word may be on its way, and after a Redis that was away its process has 2 s to say that it lives. */
export const LOOKS_AWAY_MAX = 4;
