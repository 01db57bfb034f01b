import { parseList } from "../../../../domain/groups/lists.ts";
import { hostOf } from "../../../../domain/identity/xchans/web-url.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { html } from "../../html.ts";
import type { Say } from "../../languages/say.ts";
import type { Html, PageContext } from "../../page.ts";
import type { Feed } from "./feed.ts";
import { icon } from "../icons.ts";
import type { IconName } from "../icons.ts";

type Visibility = { kind: "public" | "some" | "private"; icon: IconName; words: string };

/** Who can see a post, as a word with a picture: names only for the one who chose them. */
export function visibility(context: PageContext, feed: Feed, item: Item): Html {
  const { kind, icon: name, words } = visibilityOf(context, feed, item);
  return html`<span class="visibility ${kind}"
    ><span class="unseen">${context.say("items.visible-to")} </span>${icon(name)} ${words}</span
  >`;
}

function visibilityOf({ hub, member, say }: PageContext, feed: Feed, item: Item): Visibility {
  if (item.item_private === 0) return { kind: "public", icon: "globe", words: say("items.public") };
  const mine = member?.channel;
  if (mine && item.uid === mine.channel_id && item.owner_id === mine.xchan_id) {
    const words = chosen(say, feed, item, mine.channel_hash);
    if (words !== undefined)
      return { kind: "private", icon: words === say("items.only-me") ? "lock" : "circles", words };
  }
  switch (item.public_policy) {
    case "contacts":
    case "specific":
    case "any connections":
      return { kind: "some", icon: "people", words: say("items.connections") };
    case "authenticated":
    case "network: red":
      return { kind: "some", icon: "people", words: say("items.logged-in") };
    case `site: ${hub.config.host}`:
      return { kind: "some", icon: "people", words: say("items.this-hub") };
    case "self":
      return { kind: "private", icon: "lock", words: say("items.only-me") };
    default:
      return { kind: "private", icon: "lock", words: asThere(say, feed, item) ?? say("items.private") };
  }
}

/**
 * Of a thread that came with an import: nobody but the channel sees it here, and of whoever saw it at the hub of its owner is known
 * only where. Undefined for all others.
 */
function asThere(say: Say, { users }: Feed, { owner_id }: Item): string | undefined {
  const owner = users.get(owner_id);
  if (!owner || owner.local || owner.xchan_network !== "zot") return undefined;
  const host = hostOf(owner.xchan_addr);
  return host === undefined ? undefined : say("items.as-at", { host });
}

/** The names that the owner chose; undefined when a policy word decides. */
function chosen(say: Say, { names }: Feed, item: Item, own: string): string | undefined {
  const nameOf = (hash: string): string =>
    names.get(hash) ?? say(hash.startsWith("vp.") ? "items.profiles-people" : "items.some-person");
  const allowed = [...parseList(item.allow_gid), ...parseList(item.allow_cid).filter((hash) => hash !== own)].map(
    nameOf,
  );
  const denied = [...parseList(item.deny_gid), ...parseList(item.deny_cid)].map(nameOf);
  if (allowed.length === 0 && denied.length === 0) return item.allow_cid === "" ? undefined : say("items.only-me");
  const start = allowed.length > 0 ? list(say, allowed) : say("items.connections");
  return denied.length > 0 ? say("items.people-but", { allowed: start, denied: list(say, denied) }) : start;
}

function list(say: Say, names: string[]): string {
  return names.length > 4
    ? say("items.names-and-more", { names: names.slice(0, 3).join(", "), count: names.length - 3 })
    : names.join(", ");
}
