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
import { fileKinds } from "../../../../domain/import/lists/read-list.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, buttonForm, choice, fileField, token } from "../../parts/forms.ts";
import { leftOut, openings, standing } from "../../parts/settings/list-imports.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { time } from "../../parts/times.ts";
import { idOf } from "../../path-id.ts";
import { unseen } from "../../languages/say.ts";

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
  const { say } = context;
  const lists = await listLists(context.hub, context.member.channel.channel_id);
  const kinds = fileKinds.map((kind): [string, string] => [kind, say(`lists.kind-${kind}`)]);
  const choices: [string, string][] = [[byItself, say("lists.as-the-file-says")], ...kinds];
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <form class="card form-page" method="post" enctype="multipart/form-data" action="${home}">
      <h1>${say("settings.lists")}</h1>
      <p class="lead">${say("lists.lead")}</p>
      ${token(context)} ${alert(wrong)}
      ${fileField(context, { label: say("lists.file"), name: "file", accept: ".csv,text/csv,text/plain", required: true, fault: wrong, hint: say("lists.file-hint") })}
      ${choice(context, { label: say("lists.list-of"), name: "kind", value: typed?.text("kind") || byItself, choices, fault: wrong })}
      <p class="submit"><button class="button primary">${say("lists.look-at-it")}</button></p>
    </form>
    ${
      lists.length > 0
        ? html`<ul class="card people" aria-label="${say("lists.your-lists")}">
            ${lists.map((list) => row(context, list))}
          </ul>`
        : ""
    }`;
  return show(context, { title: say("settings.lists"), main, status: wrong?.status ?? 200 });
}

function row(context: MemberContext, { id, kind, filename, state, created }: ListImport): Html {
  const { say } = context;
  const of = say(`lists.kind-${kind}`);
  return html`<li class="person">
    <div class="person-words">
      <a class="name" href="${home}/${id}">${of}</a>
      <p class="about">
        ${filename && `${filename} · `}${say.html(`lists.state-${state}`, { when: time(context, created) })}
      </p>
    </div>
    <div class="person-actions">
      ${state === "running" ? "" : buttonForm(context, `${home}/${id}/dismiss`, say.html("lists.dismiss-named", { name: filename || of, unseen }))}
    </div>
  </li>`;
}

async function take(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      const { hub, member, say } = context;
      const chosen = typed.word("kind");
      const kind = fileKinds.find((known) => known === chosen);
      if (!kind && chosen !== byItself && chosen !== "") throw fault("kind", say("lists.no-choice"));
      return redirect(context, `${home}/${await takeList(hub, member.channel, typed.file("file"), kind)}`);
    },
    (wrong) => page(context, typed, wrong),
  );
}

/** While the list is under way the page loads itself again; no script is needed for that. */
async function one(context: MemberContext): Promise<Response> {
  const { hub, member, say } = context;
  const list = await findList(hub, member.channel.channel_id, idOf(context.params["id"]));
  const counts = await countEntries(hub, list.id);
  const { before: after } = beforeOf(context);
  const some = (state: EntryState, count: number) =>
    counts[state] === 0 ? [] : listEntries(hub, { list: list.id, state, after: state === "failed" ? after : 0, count });
  const [failed, unusable] = [await some("failed", perPage + 1), await some("unusable", perPage)];
  const shown = failed.slice(0, perPage);
  const main = html`<p class="crumbs"><a href="${home}">${say("settings.lists")}</a></p>
    <section class="card form-page">
      <h1>${say(`lists.kind-${list.kind}`)}</h1>
      <p class="lead">${about(context, list)}</p>
      ${list.state === "read" ? openings(say, list.kind, counts) : standing(context, list, counts)}
      <div class="submit">${buttons(context, list, counts.waiting)}</div>
    </section>
    ${leftOut(context, shown, unusable, counts)}
    ${pager(context, failed.length > perPage ? shown.at(-1)!.id : undefined, say("lists.more"))}`;
  const pause = list.state === "running" && after === undefined ? { refresh: "10" } : {};
  return show(context, { title: say(`lists.kind-${list.kind}`), main, headers: pause });
}

/** Where it comes from. */
function about({ say }: MemberContext, { filename, former, kind }: ListImport): string | Html {
  if (former !== "") return say.html("lists.followed-there", { former });
  if (kind === "stayed") return say("lists.stayed-there");
  return filename || say("lists.brought-along");
}

function buttons(context: MemberContext, { id, state, kind }: ListImport, waiting: number): Html {
  const { say } = context;
  const dismissal = buttonForm(context, `${home}/${id}/dismiss`, say("lists.dismiss"), { kind: "quiet" });
  if (state === "running") return buttonForm(context, `${home}/${id}/stop`, say("lists.stop"), { kind: "quiet" });
  const beginning =
    state === "stopped" ? "lists.go-on" : kind === "followers" ? "lists.begin-followers" : "lists.begin";
  return html`${state !== "done" && waiting > 0 ? buttonForm(context, `${home}/${id}/start`, say(beginning), { kind: "primary" }) : ""}
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
