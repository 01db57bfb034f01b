import { html } from "hono/html";
import { listPeople } from "../../../domain/connections/connections.ts";
import type { Person } from "../../../domain/connections/connections.ts";
import { listGroups } from "../../../domain/groups/groups.ts";
import type { Group } from "../../../domain/groups/groups.ts";
import { parseList } from "../../../domain/groups/lists.ts";
import type { Channel } from "../../../domain/identity/channel.ts";
import type { Draft } from "../../../domain/items/types.ts";
import type { Hub } from "../../../hub.ts";
import { fault } from "../faults.ts";
import type { Fields } from "../fields.ts";
import type { Html } from "../page.ts";
import { box } from "./forms.ts";
import { icon } from "./icons.ts";

/** Whom a post can be shown to, and what is chosen at first. */
export type AudienceChoice = { groups: Group[]; people: Person[]; kind: Kind; chosen: Set<string> };

const kinds = ["public", "connections", "chosen"] as const;
type Kind = (typeof kinds)[number];

/** The channel's groups and people; chosen is its default audience, or what was typed. */
export async function loadAudience(hub: Hub, channel: Channel, typed?: Fields): Promise<AudienceChoice> {
  const [groups, people] = await Promise.all([
    listGroups(hub, channel.channel_id),
    listPeople(hub, channel.channel_id),
  ]);
  return {
    groups: groups.filter((group) => group.deleted === 0),
    people,
    ...(typed ? typedAudience(typed) : defaultAudience(channel)),
  };
}

function typedAudience(form: Fields): Pick<AudienceChoice, "kind" | "chosen"> {
  const kind = kinds.find((known) => known === form.text("audience")) ?? "chosen";
  return { kind, chosen: new Set([...form.all("group_allow"), ...form.all("contact_allow")]) };
}

function defaultAudience(channel: Channel): Pick<AudienceChoice, "kind" | "chosen"> {
  const chosen = new Set([...parseList(channel.channel_allow_gid), ...parseList(channel.channel_allow_cid)]);
  return { kind: chosen.size > 0 ? "chosen" : "public", chosen };
}

/**
 * The audience that a form names. Nothing chosen is a fault, never an empty list: that would make a private post
 * public (native contract 1.6).
 */
export function readAudience(form: Fields): Pick<Draft, "audience" | "publicPolicy"> {
  const nobody = { allow_cid: [], allow_gid: [], deny_cid: [], deny_gid: [] };
  const [groups, people] = [form.all("group_allow"), form.all("contact_allow")];
  switch (form.text("audience")) {
    case "public":
      return { audience: nobody };
    case "connections":
      return { audience: nobody, publicPolicy: "contacts" };
    case "chosen":
      if (groups.length + people.length === 0) throw fault("audience", "Choose at least one group or person.");
      return { audience: { ...nobody, allow_gid: groups, allow_cid: people } };
    default:
      throw fault("audience", "Choose who may see this.");
  }
}

const words: Record<Kind, { label: string; hint: string; icon: "globe" | "people" | "circles" }> = {
  public: { label: "Public", hint: "Everybody, also on other sites", icon: "globe" },
  connections: { label: "Connections", hint: "All your approved connections", icon: "people" },
  chosen: { label: "Groups or people", hint: "Only those whom you tick", icon: "circles" },
};

/** The picker: closed it says who will see the post; it works without scripts. */
export function audiencePicker({ groups, people, kind, chosen }: AudienceChoice, open: boolean): Html {
  return html`<details class="audience" ${open ? "open" : ""}>
    <summary>
      ${kinds.map((one) => html`<span class="sum sum-${one}">${icon(words[one].icon)} <span class="unseen">Visible to: </span><span class="sum-words">${words[one].label}</span></span>`)}
    </summary>
    <fieldset class="audience-sheet">
      <legend>Who may see this?</legend>
      <div class="audience-kinds">
        ${kinds.map(
          (one) =>
            html`<label class="box">
              <input type="radio" name="audience" value="${one}" ${one === kind ? "checked" : ""} />
              <span><span class="box-label">${words[one].label}</span> <small>${words[one].hint}</small></span>
            </label>`,
        )}
      </div>
      <div class="audience-lists">${groupList(groups, chosen)} ${peopleList(people, chosen)}</div>
    </fieldset>
  </details>`;
}

function groupList(groups: Group[], chosen: Set<string>): Html {
  return html`<fieldset>
    <legend>Groups</legend>
    ${groups.map((group) => box({ label: group.gname, name: "group_allow", value: group.hash, checked: chosen.has(group.hash) }))}
    ${groups.length === 0 ? html`<p class="hint">You have no groups. <a href="/group">Make one</a></p>` : ""}
  </fieldset>`;
}

function peopleList(people: Person[], chosen: Set<string>): Html {
  return html`<fieldset class="people-choice">
    <legend>People</legend>
    ${people.map((person) =>
      box({
        label: person.xchan_name,
        name: "contact_allow",
        value: person.xchan_hash,
        checked: chosen.has(person.xchan_hash),
        hint: person.xchan_addr,
      }),
    )}
    ${people.length === 0 ? html`<p class="hint">You have no connections yet. <a href="/connections">Find people</a></p>` : ""}
  </fieldset>`;
}
