import { row } from "./row.ts";

/** Devices that are told of notices. */
export const pushRefusals = {
  push_endpoint_wrong: row("invalid", "endpoint"),
  push_keys_wrong: row("invalid", "keys"),
};
