import { readFile, writeFile } from "node:fs/promises";
import { exportBlockList, importBlockList } from "../domain/peers/block-lists.ts";
import { findHost, listHosts } from "../domain/peers/host-list.ts";
import {
  blockLevels,
  listSiteBlocks,
  removeSiteBlock,
  setOnlyAllowedHosts,
  setSiteBlock,
} from "../domain/peers/site-blocks.ts";
import type { BlockLevel } from "../domain/peers/site-blocks.ts";
import {
  findBlockList,
  listBlockLists,
  listsNaming,
  refresh,
  subscribe,
  takeOver,
  unsubscribe,
} from "../domain/peers/subscribed-lists.ts";
import type { Hub } from "../hub.ts";
import { command } from "./command.ts";
import { UsageError } from "./error-message.ts";
import { table } from "./table.ts";
import { withHub } from "./with-hub.ts";

const most = 1000;

export const commands = [
  command({
    name: "peer list",
    summary: `show other hubs by name (the first ${most})`,
    options: {
      search: { value: "text", meaning: "those in whose name this is" },
      blocked: { meaning: "the domains of which something is said, instead" },
    },
    run: (call, { search, blocked }) =>
      withHub(call, async (hub): Promise<object[]> =>
        blocked ? listSiteBlocks(hub) : listHosts(hub, { count: most, ...(search !== undefined && { text: search }) }),
      ),
    print: (rows) => table(rows as Record<string, unknown>[], columnsOf(rows)),
  }),
  command({
    name: "peer show",
    summary: "show what is known of another hub",
    arguments: { host: "its name" },
    run: (call, { host }) =>
      withHub(call, async (hub) => ({
        ...(await findHost(hub, host)),
        lists: (await listsNaming(hub, host)).join(" "),
      })),
    print: (host) =>
      Object.entries(host)
        .map(([name, value]) => `${name.replaceAll("_", " ")}: ${String(value)}`)
        .join("\n"),
  }),
  command({
    name: "peer block",
    summary: "say how a domain and all that is below it is treated",
    arguments: { domain: "its name" },
    options: {
      level: { value: "level", meaning: `${blockLevels.join(", ")}; suspend when left out` },
      "without-media": { meaning: "leave out pictures and other media from there" },
      reason: { value: "text", meaning: "why, for administrators" },
      comment: { value: "text", meaning: "why, for everybody" },
    },
    run: (call, { domain, level = "suspend", "without-media": noMedia, reason, comment }) =>
      withHub(call, (hub) =>
        setSiteBlock(hub, {
          domain,
          level: readLevel(level),
          noMedia: noMedia === true,
          ...(reason !== undefined && { reason }),
          ...(comment !== undefined && { publicComment: comment }),
        }),
      ),
    print: ({ domain, level }) => `${domain}: ${level}.`,
  }),
  command({
    name: "peer unblock",
    summary: "treat a domain like any other again",
    arguments: { domain: "its name" },
    run: (call, { domain }) =>
      withHub(call, async (hub) => {
        await removeSiteBlock(hub, domain);
        return { domain, unblocked: true };
      }),
    print: ({ domain }) => `${domain}: treated like any other again.`,
  }),
  command({
    name: "peer import",
    summary: "take a list of blocked domains over, as CSV in Mastodon's columns",
    arguments: { file: "the list" },
    async run(call, { file }) {
      const text = await readFile(file, "utf8");
      return withHub(call, (hub) => importBlockList(hub, text));
    },
    print: ({ taken, skipped }) =>
      [
        `${taken} taken over.`,
        ...skipped.map(({ line, text }) => `Line ${line} names no domain that can be blocked: ${text}`),
      ].join("\n"),
  }),
  command({
    name: "peer export",
    summary: "write the list of blocked domains, as CSV in Mastodon's columns",
    options: { out: { value: "file", meaning: "where to; shown when left out" } },
    async run(call, { out }) {
      const list = await withHub(call, exportBlockList);
      if (out === undefined) return { list };
      await writeFile(out, list);
      return { file: out };
    },
    print: (answer) => ("list" in answer ? answer.list.trimEnd() : `${answer.file}: the list of blocked domains.`),
  }),
  command({
    name: "peer lists",
    summary: "show the lists of blocked domains that the hub follows, and how many domains of each count or wait",
    run: (call) => withHub(call, listBlockLists),
    print: (rows) => table(rows, ["id", "url", "counting", "waiting", "fetched", "fault"]),
  }),
  command({
    name: "peer subscribe",
    summary: "follow a list of blocked domains, which is fetched anew once a day",
    arguments: { url: "its address: CSV in Mastodon's columns, or JSON" },
    options: { review: { meaning: "what is new on it counts only when it is taken over" } },
    run: (call, { url, review }) => withHub(call, (hub) => subscribe(hub, url, review === true)),
    print: ({ url }) => `${url}: followed.`,
  }),
  command({
    name: "peer unsubscribe",
    summary: "no longer follow a list; what it brought counts no more",
    arguments: { url: "its address" },
    run: (call, { url }) => withHub(call, (hub) => onList(hub, url, unsubscribe)),
    print: ({ url }) => `${url}: no longer followed.`,
  }),
  command({
    name: "peer refresh",
    summary: "fetch a list anew",
    arguments: { url: "its address" },
    run: (call, { url }) =>
      withHub(call, async (hub) => {
        await onList(hub, url, refresh);
        return findBlockList(hub, url);
      }),
    print: ({ url, fault }) => (fault === "" ? `${url}: fetched.` : `${url}: could not be fetched.`),
  }),
  command({
    name: "peer take-over",
    summary: "apply what waits for review on a list",
    arguments: { url: "its address" },
    run: (call, { url }) => withHub(call, (hub) => onList(hub, url, takeOver)),
    print: ({ url }) => `${url}: taken over.`,
  }),
  command({
    name: "peer allow-list",
    summary: "deal only with hubs on the list (on), or with all but the blocked (off)",
    arguments: { state: "on or off" },
    async run(call, { state }) {
      if (state !== "on" && state !== "off") throw new UsageError("Say on or off.");
      await withHub(call, (hub) => setOnlyAllowedHosts(hub, state === "on"));
      return { allow_list: state === "on" };
    },
    print: ({ allow_list: on }) =>
      on ? "Only hubs on the list count from now on." : "All hubs count that are not suspended.",
  }),
];

function columnsOf([first]: readonly object[]): string[] {
  return first && "domain" in first
    ? ["domain", "level", "noMedia", "reason", "public_comment", "created"]
    : ["host", "software", "level", "people", "last_contact", "circuit", "failures", "last_error"];
}

function readLevel(text: string): BlockLevel {
  const level = blockLevels.find((known) => known === text);
  if (level === undefined) throw new UsageError(`A level is one of ${blockLevels.join(", ")}.`);
  return level;
}

async function onList(hub: Hub, url: string, deed: (hub: Hub, id: number) => Promise<void>): Promise<{ url: string }> {
  const list = await findBlockList(hub, url);
  await deed(hub, list.id);
  return { url: list.url };
}
