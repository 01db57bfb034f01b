import { listGuests, listPeople } from "../../../../domain/connections/connections.ts";
import {
  activeGroup,
  activeGroups,
  addMembers,
  changeGroup,
  createGroup,
  deleteGroup,
  listMembers,
  removeMembers,
} from "../../../../domain/groups/groups.ts";
import { countMembers } from "../../../../domain/groups/lists-of.ts";
import type { Group, Member } from "../../../../domain/groups/groups.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { alert, box, buttonForm, textField, token } from "../../parts/forms.ts";
import { groupHead } from "../../parts/connections/group-head.ts";
import { icon } from "../../parts/icons.ts";
import { personRow } from "../../parts/channels/person.ts";

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
  const [all, people, guests] = await Promise.all([
    listMembers(hub, uid, group.id),
    listPeople(hub, uid),
    listGuests(hub, member.channel),
  ]);
  // Whose group it is reads all of it anyway.
  const members = all.filter((one) => one.xchan !== own);
  const inside = new Set(members.map((one) => one.xchan));
  const outside = guests.filter((guest) => !inside.has(guest.hash));
  const others = people.filter((person) => !inside.has(person.xchan_hash));
  const unreached = new Set(people.filter((person) => person.unreached === 1).map((person) => person.xchan_hash));
  const main = html`${groupHead(say, group, "members")} ${memberList(context, group, members, unreached)}
    <form class="card form-page" method="post" action="/group/${group.id}/members">
      ${token(context)}
      <fieldset>
        <legend>${say("connections.add-people")}</legend>
        <div class="columns">
          ${others.map((person) => box({ label: person.xchan_name, name: "add", value: person.xchan_hash, checked: false, hint: unreached.has(person.xchan_hash) ? say("composer.unreached-person", { address: person.xchan_addr }) : person.xchan_addr }))}
          ${outside.map((guest) => box({ label: guest.atoken_name, name: "add", value: guest.hash, checked: false, hint: say("connections.guest") }))}
        </div>
        ${others.length + outside.length === 0 ? html`<p class="hint">${members.length > 0 ? say("connections.all-in") : say.html("connections.connections-none", { directory: linkTo("/directory") })}</p>` : ""}
      </fieldset>
      ${others.length + outside.length > 0 ? html`<p class="submit"><button class="button primary">${say("connections.add")}</button></p>` : ""}
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

function memberList(context: MemberContext, group: Group, members: Member[], unreached: ReadonlySet<string>): Html {
  const { say } = context;
  if (members.length === 0) return html`<p class="empty">${say("connections.group-empty")}</p>`;
  return html`<ul class="card people" aria-label="${say("connections.members")}">
    ${members.map((one) =>
      personRow(context, one, {
        ...(unreached.has(one.xchan) && { about: say("connections.member-not-reached") }),
        actions: buttonForm(
          context,
          `/group/${group.id}/members`,
          html`${context.say("connections.take-out")}<span class="unseen"> ${one.xchan_name}</span>`,
          { kind: "quiet", fields: { remove: one.xchan } },
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
  return redirect(context, `/group/${group.id}`, "saved");
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
