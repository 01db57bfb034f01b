import { listGuests } from "../../../../domain/connections/connections.ts";
import type { ChannelGuest, ListedPerson } from "../../../../domain/connections/connections.ts";
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
import type { Group } from "../../../../domain/groups/groups.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Say } from "../../languages/say.ts";
import { localPath } from "../../local-path.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { alert, box, textField, token } from "../../parts/forms.ts";
import { groupHead } from "../../parts/connections/group-head.ts";
import { findInsideForm, insideList, outsideForm } from "../../parts/connections/inside-and-outside.ts";
import type { Outside } from "../../parts/connections/inside-and-outside.ts";
import { icon } from "../../parts/icons.ts";
import { beforeOf, pager } from "../../parts/pager.ts";

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
  const action = `/group/${group.id}/members`;
  const main = html`${groupHead(say, group, "members")}
    ${asked.search !== "" || next !== undefined || more ? findInsideForm(say, say("connections.group-find-label"), asked.search) : ""}
    ${insideList(context, {
      label: say("connections.members"),
      action,
      people: members.map((person) => ({
        person,
        value: person.xchan_hash,
        ...(person.unreached === 1 && { about: say("connections.member-not-reached") }),
      })),
      nobody:
        asked.search === ""
          ? say("connections.group-empty")
          : say("connections.group-nobody-found", { text: asked.search }),
    })}
    ${pager(context, next, say("connections.more"))}
    ${outsideForm(context, {
      action,
      people: [...people.map((one) => personOutside(say, one)), ...guests.map((one) => guestOutside(say, one))],
      onlyFirst: more ? perPage : undefined,
      nobody: nobodyToAdd(context, asked.search, isEmpty),
    })}
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

function personOutside(say: Say, { xchan_name, xchan_hash, xchan_addr, unreached }: ListedPerson): Outside {
  const hint = unreached === 1 ? say("composer.unreached-person", { address: xchan_addr }) : xchan_addr;
  return { label: xchan_name, value: xchan_hash, hint };
}

function guestOutside(say: Say, { atoken_name, hash }: ChannelGuest): Outside {
  return { label: atoken_name, value: hash, hint: say("connections.guest") };
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
