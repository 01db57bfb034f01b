import type { Hub } from "../../../hub.ts";

const registrations = ["open", "approval", "closed"] as const;
export type Registration = (typeof registrations)[number];

export type SiteSettings = { name: string; registration: Registration; blockPublic: boolean };

/** One setting of the site. */
export async function getSetting(hub: Hub, k: string): Promise<string | undefined> {
  const row = await hub.db.selectFrom("setting").select("v").where("k", "=", k).executeTakeFirst();
  return row?.v;
}

/** Several settings of the site, those that are set. */
export async function getSettings(hub: Hub, keys: readonly string[]): Promise<Map<string, string>> {
  const rows = await hub.db.selectFrom("setting").selectAll().where("k", "in", keys).execute();
  return new Map(rows.map((row) => [row.k, row.v]));
}

/** Writes one setting of the site. */
export async function setSetting(hub: Hub, k: string, v: string): Promise<void> {
  await hub.db
    .insertInto("setting")
    .values({ k, v })
    .onConflict((conflict) => conflict.column("k").doUpdateSet({ v }))
    .execute();
}

/** What visitors notice of the site, in one query. */
export async function siteSettings(hub: Hub): Promise<SiteSettings> {
  const found = await getSettings(hub, ["site_name", "registration", "block_public"]);
  return {
    name: found.get("site_name") || "Hubbub",
    registration: readRegistration(found.get("registration")),
    blockPublic: found.get("block_public") === "1",
  };
}

/** Changes what visitors notice of the site; absent fields stay. */
export async function changeSite(hub: Hub, { name, registration, blockPublic }: Partial<SiteSettings>): Promise<void> {
  if (name !== undefined) await setSetting(hub, "site_name", name);
  if (registration !== undefined) await setSetting(hub, "registration", registration);
  if (blockPublic !== undefined) await setSetting(hub, "block_public", blockPublic ? "1" : "0");
}

/** The name of the hub. */
export async function siteName(hub: Hub): Promise<string> {
  return (await siteSettings(hub)).name;
}

/** Who may sign up: everybody, everybody after approval, or nobody. */
export async function registration(hub: Hub): Promise<Registration> {
  return readRegistration(await getSetting(hub, "registration"));
}

/** Is the site closed to anonymous visitors? (native contract 3.4 rule 5) */
export async function blockPublic(hub: Hub): Promise<boolean> {
  return (await getSetting(hub, "block_public")) === "1";
}

/** The RSA keys of the site, PEM; made when they are first needed, and never changed. */
export async function siteKeys(hub: Hub): Promise<{ publicKey: string; privateKey: string }> {
  return (await readSiteKeys(hub)) ?? (await makeSiteKeys(hub));
}

async function readSiteKeys(hub: Hub): Promise<{ publicKey: string; privateKey: string } | undefined> {
  const found = await getSetting(hub, "site_keys");
  return found === undefined ? undefined : (JSON.parse(found) as { publicKey: string; privateKey: string });
}

async function makeSiteKeys(hub: Hub): Promise<{ publicKey: string; privateKey: string }> {
  const { rsa } = await hub.makeKeys();
  // Somebody else may have been faster: the keys that are stored first count.
  await hub.db
    .insertInto("setting")
    .values({ k: "site_keys", v: JSON.stringify(rsa) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await readSiteKeys(hub))!;
}

/** Signs what the hub hands to visitors and takes back; made with the tables, the same on all processes. */
export async function formSecret(hub: Hub): Promise<string> {
  const known = hub.memory.map<string, string>("identity: form secret", 1);
  const secret = known.get("") ?? (await getSetting(hub, "form_secret"))!;
  known.set("", secret);
  return secret;
}

/** A closed hub is the safe reading of a value that nobody knows. */
function readRegistration(value: string | undefined): Registration {
  return registrations.find((known) => known === (value ?? "open")) ?? "closed";
}
