import { choosableAmong, listGuests, listPeople } from "../../../../domain/connections/connections.ts";
import type { ChannelGuest, ListedPerson } from "../../../../domain/connections/connections.ts";
import { activeGroups } from "../../../../domain/groups/groups.ts";
import type { Group } from "../../../../domain/groups/groups.ts";
import { parseList } from "../../../../domain/groups/lists.ts";
import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { listProfiles } from "../../../../domain/identity/channels/profiles.ts";
import type { Profile } from "../../../../domain/identity/channels/profiles.ts";
import type { File } from "../../../../domain/files/types.ts";
import { nobody } from "../../../../domain/items/audience.ts";
import type { Audience, Draft } from "../../../../domain/items/types.ts";
import type { Hub } from "../../../../hub.ts";
import { fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Say } from "../../languages/say.ts";
import type { Html, MemberContext, PageContext } from "../../page.ts";
import { chosenFirst, peopleChoice, peopleOnPage, readPeople } from "../connections/people-choice.ts";
import type { Choosable } from "../connections/people-choice.ts";
import { box } from "../forms.ts";
import { icon } from "../icons.ts";
import { namesIn } from "../../../../record-of.ts";
import { aboutGroup, choosable, loadReach, warnings } from "./audience-reach.ts";
import type { Reach } from "./audience-reach.ts";

/** Whom a post or a file can be shown to, and what is chosen at first. */
export type AudienceChoice = {
  kinds: readonly Kind[];
  groups: Group[];
  /** More than the default one: the people of each are a group of their own. */
  profiles: Profile[];
  /** Those who are chosen, and the first of all; `more` says that there are further ones. */
  ticked: ListedPerson[];
  people: ListedPerson[];
  more: boolean;
  guests: ChannelGuest[];
  /** Of posts: whom they do not reach, or not with all that others answer. */
  reach?: Reach;
  kind: Kind;
  chosen: Set<string>;
  /** Addresses that were typed where no scripts run. */
  named?: string;
  /** Whom the channel excludes as usual: they stay excluded, whatever is chosen. */
  excluded: Excluded;
};

type Excluded = Pick<Audience, "deny_cid" | "deny_gid">;

type Kind = "public" | "connections" | "chosen" | "self";
const kindsOfPosts: readonly Kind[] = ["public", "connections", "chosen", "self"];
/** Files have lists and no scope words. */
const kindsOfFiles: readonly Kind[] = ["public", "chosen", "self"];

/** The channel's groups and people; chosen is its default audience, or what was typed. */
export async function loadAudience(hub: Hub, channel: Channel, typed?: Fields): Promise<AudienceChoice> {
  const { channel_allow_cid: allow_cid, channel_allow_gid: allow_gid } = channel;
  // A text that comes from elsewhere says nothing of whom it is for.
  const first = typed?.has("audience") ? typedAudience(typed) : chosenBy(channel, { allow_cid, allow_gid });
  const [lists, reach] = await Promise.all([loadLists(hub, channel, first.chosen), loadReach(hub, channel.channel_id)]);
  return {
    kinds: kindsOfPosts,
    excluded: { deny_cid: parseList(channel.channel_deny_cid), deny_gid: parseList(channel.channel_deny_gid) },
    ...lists,
    reach,
    ...first,
  };
}

/** The same for a file, folder or event, beginning with whom it is shown to already. */
export async function loadFileAudience(
  hub: Hub,
  channel: Channel,
  lists: Pick<File, "allow_cid" | "allow_gid">,
  typed?: Fields,
): Promise<AudienceChoice> {
  const first = typed ? typedAudience(typed) : chosenBy(channel, lists);
  return {
    kinds: kindsOfFiles,
    excluded: { deny_cid: [], deny_gid: [] },
    ...(await loadLists(hub, channel, first.chosen)),
    ...first,
  };
}

type Choices = Pick<AudienceChoice, "groups" | "profiles" | "ticked" | "people" | "more" | "guests">;

async function loadLists(hub: Hub, channel: Channel, chosen: ReadonlySet<string>): Promise<Choices> {
  const uid = channel.channel_id;
  const [groups, ticked, { people, more }, guests, profiles] = await Promise.all([
    activeGroups(hub, uid),
    choosableAmong(hub, uid, [...chosen]),
    listPeople(hub, uid, { count: peopleOnPage }),
    listGuests(hub, channel),
    listProfiles(hub, uid),
  ]);
  return {
    groups,
    profiles: profiles.length > 1 ? profiles : [],
    ticked,
    people,
    more,
    guests,
  };
}

function typedAudience(form: Fields): Pick<AudienceChoice, "kind" | "chosen" | "named"> {
  const kind = namesIn(icons).find((known) => known === form.text("audience")) ?? "chosen";
  const chosen = new Set([...form.all("group_allow"), ...form.all("contact_allow")]);
  return { kind, chosen, named: form.text("contact_allow_named") };
}

function chosenBy(
  channel: Channel,
  lists: Pick<File, "allow_cid" | "allow_gid">,
): Pick<AudienceChoice, "kind" | "chosen"> {
  const all = [...parseList(lists.allow_gid), ...parseList(lists.allow_cid)];
  const chosen = new Set(all.filter((hash) => hash !== channel.channel_hash));
  if (chosen.size > 0) return { kind: "chosen", chosen };
  return { kind: all.length > 0 ? "self" : "public", chosen };
}

/**
 * The audience that a form names. Nothing chosen is a fault, never an empty list: that would make a private post
 * public.
 */
export async function readAudience(
  context: MemberContext,
  form: Fields,
): Promise<Pick<Draft, "audience" | "publicPolicy">> {
  const { say } = context;
  const groups = form.all("group_allow");
  const rest = { ...nobody, deny_gid: form.all("group_deny"), deny_cid: form.all("contact_deny") };
  switch (form.text("audience")) {
    case "public":
      return { audience: rest };
    case "connections":
      return { audience: rest, publicPolicy: "contacts" };
    case "self":
      return { audience: nobody, publicPolicy: "self" };
    case "chosen": {
      const people = await readPeople(context, form, { name: "contact_allow", field: "audience" });
      if (groups.length + people.length === 0) throw fault("audience", say("composer.choose-somebody"));
      return { audience: { ...rest, allow_gid: groups, allow_cid: people } };
    }
    default:
      throw fault("audience", say("composer.choose-audience"));
  }
}

/** The audience of a file that a form names, as `readAudience`. */
export async function readFileAudience(context: MemberContext, form: Fields, channel: Channel): Promise<Audience> {
  const { say } = context;
  if (form.text("audience") === "self") return { ...nobody, allow_cid: [channel.channel_hash] };
  if (form.text("audience") === "connections") throw fault("audience", say("composer.choose-audience"));
  return (await readAudience(context, form)).audience ?? nobody;
}

const icons = { public: "globe", connections: "people", chosen: "circles", self: "lock" } as const;

/** The picker: closed it says who will see the post; it works without scripts. */
export function audiencePicker(context: PageContext, choice: AudienceChoice, open: boolean): Html {
  return html`<hub-audience>${picker(context, choice, open)}</hub-audience>`;
}

function picker(context: PageContext, choice: AudienceChoice, open: boolean): Html {
  const { say } = context;
  const { kinds, kind } = choice;
  return html`<details class="audience" ${open ? "open" : ""}>
    <summary>
      ${kinds.map((one) => html`<span class="sum sum-${one} ${one === kind ? "sum-first" : ""}">${icon(icons[one])} <span class="unseen">${say("composer.visible-to")} </span><span class="sum-words">${say(`composer.audience-${one}`)}</span></span>`)}
    </summary>
    <fieldset class="audience-sheet">
      <legend>${say("composer.audience-question")}</legend>
      <div class="audience-kinds">
        ${kinds.map(
          (one) =>
            html`<label class="box">
              <input type="radio" name="audience" value="${one}" ${one === kind ? "checked" : ""} />
              <span
                ><span class="box-label">${say(`composer.audience-${one}`)}</span>
                <small>${say(`composer.audience-${one}-hint`)}</small></span
              >
            </label>`,
        )}
      </div>
      ${warnings(say, choice.reach)}
      <div class="audience-lists">${groupList(say, choice)} ${peopleList(context, choice)}</div>
      ${exclusions(say, choice.excluded)}
    </fieldset>
  </details>`;
}

/** Names are not shown: they came with the channel from a hub that has a form for them. */
function exclusions(say: Say, { deny_cid: people, deny_gid: groups }: Excluded): Html {
  if (people.length + groups.length === 0) return html``;
  return html`${people.map((hash) => html`<input type="hidden" name="contact_deny" value="${hash}" />`)}
    ${groups.map((hash) => html`<input type="hidden" name="group_deny" value="${hash}" />`)}
    <p class="hint">${say("composer.audience-excludes")}</p>`;
}

function groupList(say: Say, choice: AudienceChoice): Html {
  const { groups, profiles, chosen, reach } = choice;
  const virtual = profiles.map((profile) => ({ name: profile.profile_name, value: `vp.${profile.profile_guid}` }));
  return html`<fieldset>
    <legend>${say("composer.groups")}</legend>
    ${groups.map((group) => box({ label: group.gname, name: "group_allow", value: group.hash, checked: chosen.has(group.hash), ...aboutGroup(say, reach, group) }))}
    ${virtual.map(({ name, value }) => box({ label: name, name: "group_allow", value, checked: chosen.has(value), hint: say("composer.profile-people") }))}
    ${groups.length === 0 ? html`<p class="hint">${say.html("composer.no-groups", { make: linkTo("/group") })}</p>` : ""}
  </fieldset>`;
}

function peopleList(context: PageContext, choice: AudienceChoice): Html {
  const { say } = context;
  const { ticked, people, more, guests, chosen, reach, named } = choice;
  const known = (one: ListedPerson): Choosable => choosable(say, reach, one);
  return html`<fieldset>
    <legend>${say("composer.people")}</legend>
    ${peopleChoice(context, {
      name: "contact_allow",
      list: reach ? "posts" : "files",
      people: chosenFirst(ticked.map(known), people.map(known)),
      chosen,
      more,
      typed: named,
    })}
    ${guests.map((guest) =>
      box({
        label: guest.atoken_name,
        name: "contact_allow",
        value: guest.hash,
        checked: chosen.has(guest.hash),
        hint: say("composer.guest"),
      }),
    )}
    ${people.length === 0 ? html`<p class="hint">${say.html("composer.no-connections", { find: linkTo("/connections") })}</p>` : ""}
  </fieldset>`;
}
