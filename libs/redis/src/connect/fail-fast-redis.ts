import { Redis, type Command } from "ioredis";
import { boundCommand } from "./bound-command.ts";

type SendArguments = Parameters<Redis["sendCommand"]>;

/** One server's client whose commands fail within `COMMAND_MS_MAX`. */
export class FailFastRedis extends Redis {
  override sendCommand(command: Command, stream?: SendArguments[1]): unknown {
    boundCommand(command);
    return super.sendCommand(command, stream);
  }
}
