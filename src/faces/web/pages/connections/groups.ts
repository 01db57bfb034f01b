import { listGuests } from "../../../../domain/connections/connections.ts";
import type { ChannelGuest } from "../../../../domain/connections/connections.ts";
import {
  activeGroup,
  activeGroups,
  addMembers,
  changeGroup,
  createGroup,
  deleteGroup,
  membersAmong,
  membersByName,
  peopleOutside,
  removeMembers,
} from "../../../../domain/groups/groups.ts";
import { countMembers } from "../../../../domain/groups/lists-of.ts";
import type { Group, NamedMember } from "../../../../domain/groups/groups.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Say } from "../../languages/say.ts";
import { localPath, withParameter } from "../../local-path.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { alert, back, box, buttonForm, textField, token } from "../../parts/forms.ts";
import { groupHead } from "../../parts/connections/group-head.ts";
import { icon } from "../../parts/icons.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { personRow } from "../../parts/channels/person.ts";

const perPage = 50;

/** Privacy groups: circles of people to post to. */
export const groupPages: Page[] = [
  { path: "/group", access: "member", get: (context) => list(context), post: create },
  { path: "/group/:id", access: "member", get: (context) => page(context), post: rename },
  { path: "/group/:id/members", access: "member", post: changeMembers },
  { path: "/group/:id/delete", access: "member", onlyForm: true, get: confirm, post: remove },
];

async function list(context: MemberContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const { say } = context;
  const { channel_id: uid, channel_hash: own } = context.member.channel;
  const [groups, members] = await Promise.all([activeGroups(context.hub, uid), countMembers(context.hub, uid, own)]);
  const main = html`<h1>${say("connections.groups")}</h1>
    <p class="lead">${say("connections.groups-lead")}</p>
    ${
      groups.length > 0
        ? html`<ul class="card plain-list">
            ${groups.map(
              (group) =>
                html`<li>
                  <a href="/group/${group.id}">${icon("circles")} <span>${group.gname}</span></a
                  ><small class="hint group-members"
                    >${say("connections.group-members", { count: members.get(group.id) ?? 0 })}</small
                  ><a class="quiet-link" href="/group/${group.id}/posts">${say("connections.posts")}</a>
                </li>`,
            )}
          </ul>`
        : html`<p class="empty">${say("connections.groups-none")}</p>`
    }
    <form class="card form-page" method="post">
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: say("connections.new-group"), name: "name", value: typed.text("name"), required: true, fault })}
      <p class="submit"><button class="button primary">${say("connections.make-it")}</button></p>
    </form>`;
  return show(context, { title: say("connections.groups"), main, status: fault?.status ?? 200 });
}

async function create(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      const group = await createGroup(context.hub, context.member.channel.channel_id, typed.text("name"));
      return redirect(context, `/group/${group.id}`, "made");
    },
    (fault) => list(context, typed, fault),
  );
}

function load({ hub, member, params }: MemberContext): Promise<Group> {
  return activeGroup(hub, member.channel.channel_id, idOf(params["id"]));
}

async function page(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { hub, member, say } = context;
  const { channel_id: uid, channel_hash: own } = member.channel;
  const group = await load(context);
  const asked = { search: context.query.word("find"), count: perPage };
  const [{ members, next }, { people, more }, guests] = await Promise.all([
    membersByName(hub, group.id, own, { ...asked, ...beforeOf(context) }),
    peopleOutside(hub, uid, group.id, asked),
    guestsOutside(context, group, asked.search),
  ]);
  const isEmpty = members.length === 0 && asked.search === "";
  const main = html`${groupHead(say, group, "members")}
    ${asked.search !== "" || next !== undefined || more ? findForm(say, asked.search) : ""}
    ${memberList(context, group, members)} ${pager(context, next, say("connections.more"))}
    <form class="card form-page" method="post" action="/group/${group.id}/members">
      ${token(context)} ${back(context)}
      <fieldset>
        <legend>${say("connections.add-people")}</legend>
        <div class="columns">
          ${people.map((person) => box({ label: person.xchan_name, name: "add", value: person.xchan_hash, checked: false, hint: person.unreached === 1 ? say("composer.unreached-person", { address: person.xchan_addr }) : person.xchan_addr }))}
          ${guests.map((guest) => box({ label: guest.atoken_name, name: "add", value: guest.hash, checked: false, hint: say("connections.guest") }))}
        </div>
        ${people.length + guests.length === 0 ? html`<p class="hint">${nobodyToAdd(context, asked.search, isEmpty)}</p>` : ""}
        ${more ? html`<p class="hint">${say("connections.group-more-people", { count: perPage })}</p>` : ""}
      </fieldset>
      ${people.length + guests.length > 0 ? html`<p class="submit"><button class="button primary">${say("connections.add")}</button></p>` : ""}
    </form>
    <form class="card form-page" method="post">
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: say("connections.group-name"), name: "name", value: typed?.text("name") ?? group.gname, required: true, fault })}
      ${box({ label: say("connections.members-see"), name: "visible", checked: group.visible === 1 })}
      ${box({ label: say("connections.new-join"), name: "joined", checked: member.channel.channel_default_group === group.hash, hint: say("connections.new-join-hint") })}
      <p class="submit">
        <button class="button primary">${say("forms.save")}</button>
        <a class="danger-link" href="/group/${group.id}/delete">${say("connections.delete-group")}</a>
      </p>
    </form>`;
  return show(context, { title: group.gname, main, status: fault?.status ?? 200 });
}

/** Who is in the group, or could be, by what is in their names. */
function findForm(say: Say, text: string): Html {
  return html`<form class="card search-form" role="search">
    <label for="find">${say("connections.group-find-label")}</label>
    <div class="row">
      <input id="find" name="find" type="search" value="${text}" autocapitalize="none" spellcheck="false" /><button
        class="button primary"
      >
        ${say("connections.find")}
      </button>
    </div>
  </form>`;
}

async function guestsOutside({ hub, member }: MemberContext, group: Group, search: string): Promise<ChannelGuest[]> {
  const guests = await listGuests(hub, member.channel);
  const inside = await membersAmong(
    hub,
    group.id,
    guests.map(({ hash }) => hash),
  );
  const wanted = search.toLowerCase();
  return guests.filter(({ hash, atoken_name }) => !inside.has(hash) && atoken_name.toLowerCase().includes(wanted));
}

function nobodyToAdd({ say }: MemberContext, search: string, isEmpty: boolean): Html | string {
  if (search !== "") return say("connections.group-nobody-to-add", { text: search });
  return isEmpty
    ? say.html("connections.connections-none", { directory: linkTo("/directory") })
    : say("connections.all-in");
}

function memberList(context: MemberContext, group: Group, members: NamedMember[]): Html {
  const { query, say } = context;
  const text = query.word("find");
  if (members.length === 0)
    return html`<p class="empty">
      ${text === "" ? say("connections.group-empty") : say("connections.group-nobody-found", { text })}
    </p>`;
  return html`<ul class="card people" aria-label="${say("connections.members")}">
    ${members.map((one) =>
      personRow(context, one, {
        ...(one.unreached === 1 && { about: say("connections.member-not-reached") }),
        actions: buttonForm(
          context,
          `/group/${group.id}/members`,
          html`${say("connections.take-out")}<span class="unseen"> ${one.xchan_name}</span>`,
          { kind: "quiet", fields: { remove: one.xchan_hash, back: withParameter(context.here, "done", "") } },
        ),
      }),
    )}
  </ul>`;
}

async function rename(context: MemberContext, typed: Fields): Promise<Response> {
  const group = await load(context);
  return tryForm(
    context,
    async () => {
      await changeGroup(context.hub, context.member.channel, group.id, {
        name: typed.text("name"),
        visible: typed.has("visible"),
        joined: typed.has("joined"),
      });
      return redirect(context, context.path, "saved");
    },
    (fault) => page(context, typed, fault),
  );
}

async function changeMembers(context: MemberContext, form: Fields): Promise<Response> {
  const uid = context.member.channel.channel_id;
  const group = await load(context);
  await addMembers(context.hub, uid, group.id, form.all("add"));
  await removeMembers(context.hub, uid, group.id, form.all("remove"));
  return redirect(context, localPath(form.text("back"), `/group/${group.id}`), "saved");
}

async function confirm(context: MemberContext): Promise<Response> {
  const { say } = context;
  const group = await load(context);
  return deleteQuestion(context, {
    question: say("connections.delete-group-question", { name: group.gname }),
    consequence: say("connections.delete-group-means"),
    wayBack: `/group/${group.id}`,
  });
}

async function remove(context: MemberContext): Promise<Response> {
  const group = await load(context);
  await deleteGroup(context.hub, context.member.channel.channel_id, group.id);
  return redirect(context, "/group", "deleted");
}
