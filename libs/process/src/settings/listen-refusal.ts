import { SettingsError } from "./settings.ts";

/** The settings that name a place to listen at, and what they say. */
export interface ListenSettings {
  hostName: string;
  host: string;
  portName: string;
  port: number;
}

/** Why nobody can listen there, as a fault of the setting that can change it; `cause` is what `listen` met. */
export function listenRefusal(
  { hostName, host, portName, port }: ListenSettings,
  { code, message }: NodeJS.ErrnoException,
): SettingsError {
  if (code === "EADDRINUSE")
    return new SettingsError([`${portName}: port ${port} of ${host} is taken; choose another, or 0 for any`]);
  if (code === "EACCES")
    return new SettingsError([`${portName}: port ${port} needs more rights than this user has`]);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new SettingsError([`${hostName}: ${host} is no address of this machine`]);
  return new SettingsError([`${hostName}: ${host}, port ${port} can't be listened on: ${message}`]);
}
