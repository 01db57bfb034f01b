import { readExtensions } from "../config/extensions.ts";
import type { Environment } from "../config/read.ts";
import type { Group, WholeGroup } from "./command.ts";

/** Everything that the operator can ask for. */
export const groups: readonly Group[] = [
  { name: "serve", summary: "run the hub: HTTP and jobs", load: () => import("./serve.ts") },
  { name: "work", summary: "run jobs and deliveries only, beside hubs that serve", load: () => import("./work.ts") },
  { name: "migrate", summary: "bring the tables up to date", load: () => import("./migrate.ts") },
  {
    name: "config",
    summary: "show every setting, its value and where it comes from",
    load: () => import("./config.ts"),
  },
  { name: "doctor", summary: "look for what would keep the hub from working", load: () => import("./doctor.ts") },
  { name: "account", summary: "accounts: create, list, password, block, unblock", load: () => import("./account.ts") },
  { name: "channel", summary: "channels: create, list, import, export, remove", load: () => import("./channel.ts") },
  { name: "connect", summary: "connect two channels of this hub", load: () => import("./connect.ts") },
  {
    name: "peer",
    summary: "other hubs: list, show, block, unblock, import, export, allow-list",
    load: () => import("./peer.ts"),
  },
  { name: "probe", summary: "look somebody or something elsewhere up, step by step", load: () => import("./probe.ts") },
  {
    name: "oauth-client",
    summary: "applications: create, list, delete",
    load: () => import("./oauth-client.ts"),
  },
  { name: "backup", summary: "write database and files to one file", load: () => import("./backup.ts") },
  { name: "restore", summary: "bring back what a backup holds", load: () => import("./restore.ts") },
  { name: "files", summary: "files: check, adopt", load: () => import("./files.ts") },
  { name: "jobs", summary: "jobs: list, retry, forget", load: () => import("./jobs.ts") },
  { name: "deliveries", summary: "deliveries to other hubs: list, retry, drop", load: () => import("./deliveries.ts") },
  { name: "inbox", summary: "what came from other hubs: list, retry", load: () => import("./inbox.ts") },
  {
    name: "completion",
    summary: "print what lets a shell complete commands: bash, zsh or fish",
    load: () => import("./completion.ts"),
  },
  { name: "man", summary: "print the manual page", load: () => import("./man.ts") },
  { name: "docs", summary: "write docs/api from the tables of endpoints", load: () => import("./docs.ts") },
];

/** Those of the hub and of the extensions that the operator names. */
export async function groupsWithExtensions(env: Environment): Promise<readonly Group[]> {
  const places = readExtensions(env);
  if (places.length === 0) return groups;
  const { extensionGroups } = await import("./extension-groups.ts");
  return [...groups, ...(await extensionGroups(places))];
}

/** The same with all commands, loaded. */
export async function allGroups(env: Environment = {}): Promise<WholeGroup[]> {
  const all = await groupsWithExtensions(env);
  return Promise.all(all.map(async ({ name, summary, load }) => ({ name, summary, ...(await load()) })));
}
