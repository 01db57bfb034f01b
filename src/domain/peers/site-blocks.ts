import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { oncePerHub } from "../../caches.ts";
import { missing, refusal } from "../../errors.ts";
import { afterCommit, inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import type { SiteBlockTable } from "../../storage/tables/elsewhere.ts";
import { getSettings, setSetting } from "../identity/site/site-settings.ts";
import { domainsAround, readHost } from "./hosts.ts";

/**
 * What the site does with other hubs, by their domains with all that is below them; the narrowest one counts (federation
 * contract 13). Answers come from memory, so that the busy path can ask for each request.
 */

/** `limit`: not shown in public, and their follows wait for the owner. `suspend`: nothing comes from there, and nothing goes. */
export const blockLevels = ["none", "limit", "suspend"] as const;
export type BlockLevel = (typeof blockLevels)[number];

/** How a host is treated; `noMedia`: pictures and other media from there are left out. */
export type Treatment = { level: BlockLevel; noMedia: boolean };

/** A row of the list. One that blocks nothing excepts a domain from what is said of those around it, or from the allow-list. */
export type SiteBlock = Omit<Selectable<SiteBlockTable>, "id" | "level" | "no_media"> & Treatment;

export type SiteBlockChanges = Treatment & { domain: string; reason?: string; publicComment?: string };

/** How this host is treated. */
export async function treatmentOf(hub: Hub, host: string): Promise<Treatment> {
  return judge(await currentRules(hub), host);
}

/** Is there nothing to and from this host? */
export async function suspended(hub: Hub, host: string): Promise<boolean> {
  return (await treatmentOf(hub, host)).level === "suspend";
}

/** Blocks a domain, excepts it, or changes what is said of it. Throws invalid. */
export async function setSiteBlock(hub: Hub, changes: SiteBlockChanges): Promise<SiteBlock> {
  const [block] = await setSiteBlocks(hub, [changes]);
  return block!;
}

/** The same for several domains, all of them or none. Throws invalid. */
export async function setSiteBlocks(hub: Hub, all: readonly SiteBlockChanges[]): Promise<SiteBlock[]> {
  const own = domainsAround(new URL(hub.config.baseUrl).host);
  const columns = all.map((changes) => columnsOf(own, changes));
  return inTransaction(hub, async (hub) => {
    const blocks: SiteBlock[] = [];
    for (const { domain, ...said } of columns) {
      const row = await hub.db
        .insertInto("site_block")
        .values({ ...said, domain, created: now(hub) })
        .onConflict((conflict) => conflict.column("domain").doUpdateSet(said))
        .returning(columnsShown)
        .executeTakeFirstOrThrow();
      blocks.push(blockOf(row));
    }
    await rulesChanged(hub);
    return blocks;
  });
}

function columnsOf(own: readonly string[], { domain: text, level, noMedia, reason, publicComment }: SiteBlockChanges) {
  const domain = readHost(text);
  if (own.includes(domain)) throw refusal("own_host");
  return {
    domain,
    level,
    no_media: noMedia ? 1 : 0,
    ...(reason !== undefined && { reason: readComment("reason", reason) }),
    ...(publicComment !== undefined && { public_comment: readComment("public_comment", publicComment) }),
  };
}

/** Says nothing of this domain any more. Throws missing. */
export async function removeSiteBlock(hub: Hub, domain: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const removed = await hub.db.deleteFrom("site_block").where("domain", "=", readHost(domain)).executeTakeFirst();
    if (removed.numDeletedRows === 0n) throw missing("Block");
    await rulesChanged(hub);
  });
}

const columnsShown = ["domain", "level", "no_media", "reason", "public_comment", "created"] as const;

/** The domains of which something is said, by name; `after` is the last one of the page before. */
export async function listSiteBlocks(
  hub: Hub,
  { after = "", count }: { after?: string; count?: number } = {},
): Promise<SiteBlock[]> {
  const rows = hub.db.selectFrom("site_block").select(columnsShown).where("domain", ">", after).orderBy("domain");
  return (await (count === undefined ? rows : rows.limit(count)).execute()).map(blockOf);
}

/** Are all hosts suspended of which the list says nothing? */
export async function onlyAllowedHosts(hub: Hub): Promise<boolean> {
  return (await getSettings(hub, ["onlyAllowedHosts"])).onlyAllowedHosts;
}

/** Turns the allow-list on or off. */
export async function setOnlyAllowedHosts(hub: Hub, on: boolean): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await setSetting(hub, "onlyAllowedHosts", on);
    await rulesChanged(hub);
  });
}

type ByDomain = ReadonlyMap<string, Treatment>;

/** `own`: what the site says; `listed`: what the lists say that it follows. */
type Rules = { version: string; onlyAllowed: boolean; own: ByDomain; listed: ByDomain };

/** For so long, in milliseconds, it goes unnoticed that another process has changed something. */
const trustedFor = 5000;

const memory = oncePerHub((): { rules?: Rules | undefined; until: number } => ({ until: 0 }));

async function currentRules(hub: Hub): Promise<Rules> {
  const remembered = memory(hub);
  if (remembered.rules && performance.now() < remembered.until) return remembered.rules;
  // Others go by what was known while this is looked up.
  remembered.until = performance.now() + trustedFor;
  const said = await getSettings(hub, ["onlyAllowedHosts", "hostsVersion"]);
  if (remembered.rules?.version !== said.hostsVersion)
    remembered.rules = {
      version: said.hostsVersion,
      onlyAllowed: said.onlyAllowedHosts,
      own: new Map((await listSiteBlocks(hub)).map(({ domain, level, noMedia }) => [domain, { level, noMedia }])),
      listed: await listedRules(hub),
    };
  return remembered.rules;
}

/** Of several lists the strictest counts. */
async function listedRules(hub: Hub): Promise<ByDomain> {
  const rows = await hub.db
    .selectFrom("listed_block")
    .select(["domain", "level", "no_media"])
    .where("taken", "=", 1)
    .execute();
  const rules = new Map<string, Treatment>();
  for (const { domain, level: name, no_media } of rows) {
    const said = rules.get(domain) ?? nothing;
    const level = levelNamed(name);
    rules.set(domain, {
      level: blockLevels.indexOf(level) > blockLevels.indexOf(said.level) ? level : said.level,
      noMedia: said.noMedia || no_media === 1,
    });
  }
  return rules;
}

const nothing: Treatment = { level: "none", noMedia: false };
const everything: Treatment = { level: "suspend", noMedia: true };

/** Whatever the site says itself counts more than any list, be it of a narrower domain. */
function judge({ onlyAllowed, own, listed }: Rules, host: string): Treatment {
  const said = saidOf(own, host);
  if (said) return said;
  return onlyAllowed ? everything : (saidOf(listed, host) ?? nothing);
}

function saidOf(rules: ByDomain, host: string): Treatment | undefined {
  if (rules.size === 0) return undefined;
  for (const domain of domainsAround(host)) {
    const said = rules.get(domain);
    if (said) return said;
  }
  return undefined;
}

/** Whoever remembers the rules reads them again, and what is known of people is brought in line with them. Part of a transaction. */
export async function rulesChanged(hub: Hub): Promise<void> {
  await setSetting(hub, "hostsVersion", randomUUID());
  await addJob(hub, "apply-site-blocks", {});
  afterCommit(hub, () => Object.assign(memory(hub), { rules: undefined, until: 0 }));
}

function blockOf({ level, no_media, ...row }: Omit<Selectable<SiteBlockTable>, "id">): SiteBlock {
  return { ...row, level: levelNamed(level), noMedia: no_media === 1 };
}

function levelNamed(name: string): BlockLevel {
  return blockLevels.find((known) => known === name) ?? "suspend";
}

const longestComment = 2000;

function readComment(field: string, text: string): string {
  if (text.length > longestComment) throw refusal("comment_too_long", { field, most: longestComment });
  return text.trim();
}
