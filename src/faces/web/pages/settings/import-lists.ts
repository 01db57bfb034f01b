import { html } from "hono/html";
import {
  countEntries,
  dismissList,
  findList,
  listEntries,
  listLists,
  startList,
  stopList,
  takeList,
} from "../../../../domain/import/lists/lists.ts";
import type { EntryState, ListImport } from "../../../../domain/import/lists/lists.ts";
import { listKinds } from "../../../../domain/import/lists/read-list.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, buttonForm, choice, fileField, token } from "../../parts/forms.ts";
import { kindNames, leftOut, openings, standing } from "../../parts/settings/list-imports.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { time } from "../../parts/times.ts";
import { idOf } from "../../path-id.ts";

const home = "/settings/import-lists";
const perPage = 50;

/** Following, blocking and muting those whom one did elsewhere, by the lists that Mastodon exports (federation contract 11). */
export const settingsImportListsPages: Page[] = [
  { path: home, access: "member", get: (context) => page(context), post: take, files: ["file"] },
  { path: `${home}/:id`, access: "member", get: one },
  { path: `${home}/:id/start`, access: "member", post: start },
  { path: `${home}/:id/stop`, access: "member", post: stop },
  { path: `${home}/:id/dismiss`, access: "member", post: dismiss },
];

const byItself = "auto";

async function page(context: MemberContext, typed?: Fields, wrong?: Fault): Promise<Response> {
  const lists = await listLists(context.hub, context.member.channel.channel_id);
  const kinds = listKinds.map((kind): [string, string] => [kind, kindNames[kind]]);
  const choices: [string, string][] = [[byItself, "As the file says"], ...kinds];
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <form class="card form-page" method="post" enctype="multipart/form-data" action="${home}">
      <h1>Lists from elsewhere</h1>
      <p class="lead">
        Mastodon and others export lists as CSV files: whom you follow, block and mute there, and which servers you
        block. You see what is in a file before anything happens.
      </p>
      ${token(context)} ${alert(wrong)}
      ${fileField(context, { label: "File", name: "file", accept: ".csv,text/csv,text/plain", required: true, fault: wrong, hint: "Such as following_accounts.csv, up to 1 MB and 10,000 lines. Begin with whom you follow: only connections can be muted." })}
      ${choice(context, { label: "What is it a list of?", name: "kind", value: typed?.text("kind") || byItself, choices, fault: wrong })}
      <p class="submit"><button class="button primary">Look at it</button></p>
    </form>
    ${
      lists.length > 0
        ? html`<ul class="card people" aria-label="Your lists">
            ${lists.map((list) => row(context, list))}
          </ul>`
        : ""
    }`;
  return show(context, { title: "Lists from elsewhere", main, status: wrong?.status ?? 200 });
}

const states: Readonly<Record<ListImport["state"], string>> = {
  read: "not begun",
  running: "under way",
  done: "done",
  stopped: "stopped",
  dismissed: "",
};

function row(context: MemberContext, { id, kind, filename, state, created }: ListImport): Html {
  return html`<li class="person">
    <div class="person-words">
      <a class="name" href="${home}/${id}">${filename || kindNames[kind]}</a>
      <p class="about">${kindNames[kind]}, ${time(context, created)}: ${states[state]}</p>
    </div>
    <div class="person-actions">
      ${state === "running" ? "" : buttonForm(context, `${home}/${id}/dismiss`, html`Dismiss<span class="unseen"> ${filename}</span>`)}
    </div>
  </li>`;
}

async function take(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      const { hub, member } = context;
      const chosen = typed.word("kind");
      const kind = listKinds.find((known) => known === chosen);
      if (!kind && chosen !== byItself && chosen !== "") throw fault("kind", "This is none of the choices.");
      return redirect(context, `${home}/${await takeList(hub, member.channel, typed.file("file"), kind)}`);
    },
    (wrong) => page(context, typed, wrong),
  );
}

/** While the list is under way the page loads itself again; no script is needed for that. */
async function one(context: MemberContext): Promise<Response> {
  const { hub, member } = context;
  const list = await findList(hub, member.channel.channel_id, idOf(context.params["id"]));
  const counts = await countEntries(hub, list.id);
  const { before: after } = beforeOf(context);
  const some = (state: EntryState, count: number) =>
    counts[state] === 0 ? [] : listEntries(hub, { list: list.id, state, after: state === "failed" ? after : 0, count });
  const [failed, unusable] = [await some("failed", perPage + 1), await some("unusable", perPage)];
  const shown = failed.slice(0, perPage);
  const main = html`<p class="crumbs"><a href="${home}">Lists from elsewhere</a></p>
    <section class="card form-page">
      <h1>${kindNames[list.kind]}</h1>
      <p class="lead">${list.filename}</p>
      ${list.state === "read" ? openings(list.kind, counts) : standing(context, list, counts)}
      <div>${buttons(context, list, counts.waiting)}</div>
    </section>
    ${leftOut(context, shown, unusable, counts)}
    ${pager(context, failed.length > perPage ? shown.at(-1)!.id : undefined, "More")}`;
  const pause = list.state === "running" && after === undefined ? { refresh: "10" } : {};
  return show(context, { title: kindNames[list.kind], main, headers: pause });
}

function buttons(context: MemberContext, { id, state }: ListImport, waiting: number): Html {
  const dismissal = buttonForm(context, `${home}/${id}/dismiss`, "Dismiss", { kind: "quiet" });
  if (state === "running") return buttonForm(context, `${home}/${id}/stop`, "Stop", { kind: "quiet" });
  return html`${state === "read" && waiting > 0 ? buttonForm(context, `${home}/${id}/start`, "Begin", { kind: "primary" }) : ""}
  ${dismissal}`;
}

async function start(context: MemberContext): Promise<Response> {
  const id = idOf(context.params["id"]);
  return tryForm(
    context,
    async () => {
      await startList(context.hub, context.member.channel.channel_id, id);
      return redirect(context, `${home}/${id}`);
    },
    (wrong) => page(context, undefined, wrong),
  );
}

async function stop(context: MemberContext): Promise<Response> {
  const id = idOf(context.params["id"]);
  await stopList(context.hub, context.member.channel.channel_id, id);
  return redirect(context, `${home}/${id}`, "stopped");
}

async function dismiss(context: MemberContext): Promise<Response> {
  await dismissList(context.hub, context.member.channel.channel_id, idOf(context.params["id"]));
  return redirect(context, home, "removed");
}
