import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { tagsOf } from "../bodies/texts.ts";
import { groupNameKey } from "../groups/group-names.ts";
import { activeGroups } from "../groups/groups.ts";
import type { Group } from "../groups/groups.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { resolveMentions } from "./mentions.ts";

/** For whom a text is that says so in its first line, and the text without that line; people and groups by their hashes. */
export type Addressed = { text: string; people: string[]; groups: string[] };

/**
 * Reads a first line that holds nothing but private mentions, such as `!!Family` or `@!"Close friends" @!bob@hub.example` (mastodon
 * contract 6.3), or a single group, whose name then needs no quotes. Groups of the channel are found by their names in any case,
 * whether or not their members see who is in them.
 * Undefined for a text without such a line. Throws invalid (`unknown_audience`) for a name that fits nothing.
 */
export async function readAddressLine(hub: Hub, channel: Channel, text: string): Promise<Addressed | undefined> {
  const [line = "", ...rest] = text.trim().split(/\r?\n/);
  if (!/^(?:@!|!!)/.test(line)) return undefined;
  const addressed: Addressed = { text: rest.join("\n").trim(), people: [], groups: [] };
  const groups = await activeGroups(hub, channel.channel_id);
  const only = line.startsWith("!!") && groupNamed(groups, line.slice(2));
  if (only) return { ...addressed, groups: [only.hash] };
  const { mentions } = await tagsOf(hub, line, "text/plain");
  let between = "";
  let done = 0;
  for (const { start, end } of mentions) {
    between += line.slice(done, start);
    done = end;
  }
  const isAlone = (between + line.slice(done)).replace(/[\s,]/g, "") === "";
  if (!isAlone || mentions.length === 0 || !mentions.every((mention) => mention.private)) return undefined;
  const people = await resolveMentions(hub, channel, mentions, { ownNicks: true });
  for (const mention of mentions) {
    const group = groupNamed(groups, mention.name);
    const person = people.get(mention);
    const isPerson = person?.hash && (!group || line.startsWith("@", mention.start));
    if (isPerson) addressed.people.push(person.hash);
    else if (group) addressed.groups.push(group.hash);
    else throw refusal("unknown_audience", { what: "group", field: "status" });
  }
  return addressed;
}

/** Of several whose names may be taken for each other the one that is written so. */
function groupNamed(groups: readonly Group[], name: string): Group | undefined {
  const key = groupNameKey(name);
  const alike = groups.filter(({ gname }) => groupNameKey(gname) === key);
  return alike.find(({ gname }) => gname === name) ?? alike[0];
}
