import type { Command, WholeGroup } from "./command.ts";

/** The commands that start with one word; they are loaded when that word is used. */
export type Group = { name: string; summary: string; load: () => Promise<{ commands: readonly Command[] }> };

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
  { name: "jobs", summary: "jobs: list, retry", load: () => import("./jobs.ts") },
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

/** The same with all commands, loaded. */
export function allGroups(): Promise<WholeGroup[]> {
  return Promise.all(groups.map(async ({ name, summary, load }) => ({ name, summary, ...(await load()) })));
}
