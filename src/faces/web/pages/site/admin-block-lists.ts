import { blockLevels, listSiteBlocks } from "../../../../domain/peers/site-blocks.ts";
import {
  findBlockList,
  listBlockLists,
  listListed,
  refresh,
  subscribe,
  takeOver,
  unsubscribe,
} from "../../../../domain/peers/subscribed-lists.ts";
import type { BlockList, Listed } from "../../../../domain/peers/subscribed-lists.ts";
import { missing } from "../../../../errors.ts";
import { messageOfKept } from "../../../../refusals/messages.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { alert, box, buttonForm, textField, token } from "../../parts/forms.ts";
import { pager } from "../../parts/pager.ts";
import { time } from "../../parts/times.ts";
import { adminHead } from "../../parts/site/admin-head.ts";
import { levelWords } from "../../parts/site/levels.ts";

const path = "/admin/block-lists";
const perPage = 100;

/** Lists of blocked servers that others keep and the site follows; for administrators. */
export const adminBlockListsPages: Page[] = [
  { path, access: "administrator", get: (context) => page(context), post: follow },
  { path: `${path}/:id`, access: "administrator", get: one, post: decide },
];

async function page(context: MemberContext, typed = new Fields(), wrong?: Fault): Promise<Response> {
  const { say } = context;
  const lists = await listBlockLists(context.hub);
  const main = html`${adminHead(context, say("admin.lists-of-others"))} ${alert(wrong)}
    <p class="lead">${say("admin.lists-of-others-lead")}</p>
    ${
      lists.length === 0
        ? ""
        : html`<ul class="card people">
            ${lists.map((list) => row(context, list))}
          </ul>`
    }
    <form class="card form-page" method="post" action="${path}">
      ${token(context)}
      ${textField(context, { label: say("admin.list-address"), name: "url", type: "url", value: typed.text("url"), required: true, hint: say("admin.list-address-hint"), fault: wrong })}
      ${box({ label: say("admin.list-reviewed"), name: "reviewed", checked: typed.has("reviewed") })}
      <p class="submit"><button class="button primary">${say("admin.follow-list")}</button></p>
    </form>`;
  return show(context, { title: say("admin.lists-of-others"), main, status: wrong?.status ?? 200 });
}

function row(context: MemberContext, list: BlockList): Html {
  return html`<li class="person">
    <div class="person-words">
      <a class="name" href="${path}/${list.id}">${list.url}</a>
      ${about(context, list)}
    </div>
    <div class="person-actions">${deeds(context, list)}</div>
  </li>`;
}

function about(context: MemberContext, { counting, waiting, fetched, fault }: BlockList): Html {
  const { say } = context;
  const failed = fault === "" ? "" : messageOfKept(context.language.messages, fault);
  return html`<p class="about">
      ${say("admin.list-counts", { counting, waiting })}
      ${say.html("admin.list-fetched", { when: time(context, fetched) })}
    </p>
    ${failed === "" ? "" : html`<p class="about">${say("admin.list-fault", { fault: failed })}</p>`}`;
}

function deeds(context: MemberContext, { id, waiting, url }: BlockList): Html {
  const { say } = context;
  const whose = html`<span class="unseen">: ${url}</span>`;
  const button = (deed: string, label: string): Html =>
    buttonForm(context, `${path}/${id}`, html`${label}${whose}`, { fields: { deed } });
  return html`${waiting > 0 ? button("take", say("admin.take-over-waiting")) : ""}
  ${button("fetch", say("admin.fetch-now"))} ${button("end", say("admin.end-list"))}`;
}

async function one(context: MemberContext): Promise<Response> {
  const { hub, say, query } = context;
  const { id } = await findBlockList(hub, idOf(context.params["id"]));
  const list = (await listBlockLists(hub)).find((known) => known.id === id);
  if (!list) throw missing("Subscription");
  const found = await listListed(hub, id, { after: query.word("before"), count: perPage + 1 });
  const shown = found.slice(0, perPage);
  const own = new Set((await listSiteBlocks(hub)).map(({ domain }) => domain));
  const main = html`<p class="crumbs"><a href="${path}">${say("admin.lists-of-others")}</a></p>
    ${adminHead(context, list.url)} ${about(context, list)}
    <p class="actions">${deeds(context, list)}</p>
    <ul class="card people">
      ${shown.map((listed) => listedRow(context, listed, own.has(listed.domain)))}
    </ul>
    ${pager(context, found.length > perPage ? shown.at(-1)!.domain : undefined, say("admin.more"))}`;
  return show(context, { title: list.url, main });
}

function listedRow({ say }: MemberContext, listed: Listed, isOwn: boolean): Html {
  const level = blockLevels.find((known) => known === listed.level) ?? "suspend";
  const words = [
    levelWords(say, { level, noMedia: listed.no_media === 1 }),
    ...(listed.taken === 0 ? [say("admin.list-waits")] : []),
    ...(isOwn ? [say("admin.list-own")] : []),
    ...(listed.public_comment === "" ? [] : [listed.public_comment]),
  ];
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${listed.domain}</span>
      <p class="about">${words.join(" · ")}</p>
    </div>
  </li>`;
}

async function follow(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      await subscribe(context.hub, typed.text("url"), typed.has("reviewed"));
      return redirect(context, path, "listfollowed");
    },
    (wrong) => page(context, typed, wrong),
  );
}

async function decide(context: MemberContext, form: Fields): Promise<Response> {
  const { hub } = context;
  const { id } = await findBlockList(hub, idOf(context.params["id"]));
  switch (form.word("deed")) {
    case "take":
      await takeOver(hub, id);
      return redirect(context, path, "listed");
    case "fetch":
      await refresh(hub, id);
      return redirect(context, path, "listfetched");
    case "end":
      await unsubscribe(hub, id);
      return redirect(context, path, "listended");
    default:
      throw missing("Subscription");
  }
}
