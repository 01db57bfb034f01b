import { hostsToAsk, recordSoftware } from "../../../domain/peers/software.ts";
import type { Software } from "../../../domain/peers/software.ts";
import { suspended } from "../../../domain/peers/site-blocks.ts";
import type { Hub } from "../../../hub.ts";
import { isObject, readJson } from "../translate/json.ts";
import type { Json } from "../translate/json.ts";

/** So many hosts at once; with the next run others get their turn. */
const together = 16;
const longest = 10_000;

/** Asks some hosts what they run; a regular job. It waits for none of them for long, and asks each once a day at most. */
export async function askSoftware(hub: Hub): Promise<void> {
  const hosts = await hostsToAsk(hub, together);
  await Promise.all(
    hosts.map(async (host) => {
      const said = (await suspended(hub, host)) ? undefined : await softwareOf(hub, host).catch(() => undefined);
      await recordSoftware(hub, host, said);
    }),
  );
}

/** What a host says that it runs (NodeInfo 2.0 and 2.1). Undefined where it says nothing of use. Throws as `hub.fetch` does. */
async function softwareOf(hub: Hub, host: string): Promise<Software | undefined> {
  const scheme = hub.config.allowPrivate ? new URL(hub.config.baseUrl).protocol : "https:";
  const signal = AbortSignal.timeout(longest);
  const links = await jsonAt(hub, `${scheme}//${host}/.well-known/nodeinfo`, signal);
  const href = addressIn(links, host, schema);
  const info = href === undefined ? undefined : await jsonAt(hub, href, signal);
  const software = isObject(info) ? info["software"] : undefined;
  const application = addressIn(links, host, actorRelation) ?? "";
  const { name, version } = isObject(software) ? software : {};
  if (typeof name !== "string") return application === "" ? undefined : { name: "", version: "", application };
  return { name, version: typeof version === "string" ? version : "", application };
}

async function jsonAt(hub: Hub, url: string, signal: AbortSignal): Promise<Json | undefined> {
  const answer = await hub.fetch(url, { headers: { accept: "application/json" }, signal });
  if (answer.status !== 200) return undefined;
  const read = readJson(new Uint8Array(await answer.arrayBuffer()));
  return "value" in read ? read.value : undefined;
}

const schema = /^http:\/\/nodeinfo\.diaspora\.software\/ns\/schema\/2\.[01]$/;

const actorRelation = /^https:\/\/www\.w3\.org\/ns\/activitystreams#Application$/;
const longestId = 2048;

/** Where the host itself says more: nobody speaks for another one. */
function addressIn(links: Json | undefined, host: string, relation: RegExp): string | undefined {
  const list = isObject(links) && Array.isArray(links["links"]) ? links["links"].filter(isObject) : [];
  return list
    .filter(({ rel }) => typeof rel === "string" && relation.test(rel))
    .map(({ href }) => href)
    .find(
      (href): href is string =>
        typeof href === "string" && href.length <= longestId && URL.canParse(href) && new URL(href).host === host,
    );
}
