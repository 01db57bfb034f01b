import { html } from "hono/html";
import { parseList } from "../../../../domain/groups/lists.ts";
import type { Item } from "../../../../domain/items/types.ts";
import type { Html, PageContext } from "../../page.ts";
import type { Feed } from "./feed.ts";
import { icon } from "../icons.ts";
import type { IconName } from "../icons.ts";

type Visibility = { kind: "public" | "some" | "private"; icon: IconName; words: string };

/** Who can see a post, as a word with a picture: names only for the one who chose them. */
export function visibility(context: PageContext, feed: Feed, item: Item): Html {
  const { kind, icon: name, words } = visibilityOf(context, feed, item);
  return html`<span class="visibility ${kind}"><span class="unseen">Visible to: </span>${icon(name)} ${words}</span>`;
}

function visibilityOf({ hub, member }: PageContext, feed: Feed, item: Item): Visibility {
  if (item.item_private === 0) return { kind: "public", icon: "globe", words: "Public" };
  const mine = member?.channel;
  if (mine && item.uid === mine.channel_id && item.owner_id === mine.xchan_id) {
    const words = chosen(feed, item, mine.channel_hash);
    if (words !== undefined) return { kind: "private", icon: words === onlyMe ? "lock" : "circles", words };
  }
  switch (item.public_policy) {
    case "contacts":
    case "specific":
    case "any connections":
      return { kind: "some", icon: "people", words: "Connections" };
    case "authenticated":
    case "network: red":
      return { kind: "some", icon: "people", words: "Logged-in people" };
    case `site: ${hub.config.host}`:
      return { kind: "some", icon: "people", words: "This hub" };
    case "self":
      return { kind: "private", icon: "lock", words: onlyMe };
    default:
      return { kind: "private", icon: "lock", words: "Private" };
  }
}

const onlyMe = "Only me";

/** The names that the owner chose; undefined when a policy word decides. */
function chosen({ names }: Feed, item: Item, own: string): string | undefined {
  const nameOf = (hash: string): string =>
    names.get(hash) ?? (hash.startsWith("vp.") ? "a profile's people" : "somebody");
  const allowed = [...parseList(item.allow_gid), ...parseList(item.allow_cid).filter((hash) => hash !== own)].map(
    nameOf,
  );
  const denied = [...parseList(item.deny_gid), ...parseList(item.deny_cid)].map(nameOf);
  if (allowed.length === 0 && denied.length === 0) return item.allow_cid === "" ? undefined : onlyMe;
  const start = allowed.length > 0 ? list(allowed) : "Connections";
  return denied.length > 0 ? `${start}, not ${list(denied)}` : start;
}

function list(names: string[]): string {
  return names.length > 4 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
}
