import { registrationNow } from "../../../domain/identity/accounts/setup.ts";
import { usageFigures } from "../../../domain/identity/site/site-figures.ts";
import { getSettings } from "../../../domain/identity/site/site-settings.ts";
import { version } from "../../../version.ts";
import type { Address, Question } from "../address.ts";
import { jsonDocument, jsonType } from "../document.ts";
import type { Document } from "../document.ts";
import { siteIds } from "../ids.ts";

/** What kind of server this is (NodeInfo), in both versions that others ask for. */
export const nodeInfo: readonly Address[] = [
  { path: "/.well-known/nodeinfo", open: true, forAll: true, get: links },
  { path: "/nodeinfo/2.1", open: true, forAll: true, get: (question) => about(question, "2.1") },
  { path: "/nodeinfo/2.0", open: true, forAll: true, get: (question) => about(question, "2.0") },
];

const schemas = "http://nodeinfo.diaspora.software/ns/schema";

function links({ hub }: Question): Document {
  const versions = ["2.0", "2.1"].map((one) => ({
    rel: `${schemas}/${one}`,
    href: `${hub.config.baseUrl}/nodeinfo/${one}`,
  }));
  const actor = { rel: "https://www.w3.org/ns/activitystreams#Application", href: siteIds(hub).actor };
  return jsonDocument({ links: [...versions, actor] }, "application/jrd+json");
}

async function about({ hub }: Question, schema: "2.1" | "2.0"): Promise<Document> {
  const { name, hidesFigures, description } = await getSettings(hub, ["name", "hidesFigures", "description"]);
  return jsonDocument(
    {
      version: schema,
      software: { name: "hubbub", version, ...(schema === "2.1" && { repository: sourceOf(hub) }) },
      protocols: ["activitypub"],
      services: { inbound: [], outbound: ["atom1.0", "rss2.0"] },
      openRegistrations: (await registrationNow(hub)) === "open",
      usage: hidesFigures ? { users: {} } : await usage(hub),
      // Which API applications find, for those that tell by the name of the software (Mastodon contract 16.3).
      metadata: {
        nodeName: name,
        nodeDescription: description,
        upstream: { name: "mastodon" },
        features: ["mastodon_api"],
      },
    },
    `${jsonType}; profile="${schemas}/${schema}#"`,
  );
}

/** Where the source of what runs here is offered, as its licence asks; the schema of 2.0 has no place for it. */
function sourceOf({ config: { sourceUrl, baseUrl } }: Question["hub"]): string {
  return sourceUrl ?? `${baseUrl}/source`;
}

async function usage(hub: Question["hub"]): Promise<object> {
  const { channels, activeMonth, activeHalfyear, posts } = await usageFigures(hub);
  return { users: { total: channels, activeMonth, activeHalfyear }, localPosts: posts };
}
