import { html } from "hono/html";
import { exportBlockList, importBlockList } from "../../../../domain/peers/block-lists.ts";
import {
  listSiteBlocks,
  onlyAllowedHosts,
  removeSiteBlock,
  setOnlyAllowedHosts,
  setSiteBlock,
} from "../../../../domain/peers/site-blocks.ts";
import type { SiteBlock } from "../../../../domain/peers/site-blocks.ts";
import { download, redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, box, buttonForm, radios, textArea, textField, token } from "../../parts/forms.ts";
import { pager } from "../../parts/pager.ts";
import { levelChoices, levelWords } from "../../parts/site/levels.ts";
import { adminHead } from "../../parts/site/admin-head.ts";

const perPage = 100;

/** Which other hubs the site has nothing, or less, to do with; for administrators. */
export const adminBlocksPages: Page[] = [
  { path: "/admin/blocks", access: "administrator", get: (context) => page(context), post: treat },
  { path: "/admin/blocks/remove", access: "administrator", post: remove },
  { path: "/admin/blocks/allow", access: "administrator", post: allow },
  { path: "/admin/blocks/import", access: "administrator", post: take },
  { path: "/admin/blocks.csv", access: "administrator", get: list },
];

async function page(context: MemberContext, typed = new Fields(), wrong?: Fault): Promise<Response> {
  const after = context.query.word("before");
  const [found, onlyAllowed] = await Promise.all([
    listSiteBlocks(context.hub, { after, count: perPage + 1 }),
    onlyAllowedHosts(context.hub),
  ]);
  const blocks = found.slice(0, perPage);
  const main = html`${adminHead("Blocked servers")} ${alert(wrong)}
    <form class="card form-page" method="post" action="/admin/blocks">
      <h2>Say how a server is treated</h2>
      ${token(context)}
      ${textField(context, { label: "Domain", name: "domain", value: typed.text("domain"), required: true, hint: "It counts for all that is below it as well.", fault: wrong })}
      ${radios({ legend: "How?", name: "level", value: typed.text("level") || "suspend", choices: levelChoices })}
      ${box({ label: "Leave out its pictures and other media", name: "no_media", checked: typed.has("no_media") })}
      ${textField(context, { label: "Why, for administrators", name: "reason", value: typed.text("reason"), fault: wrong })}
      ${textField(context, { label: "Why, for everybody who gets the list", name: "public_comment", value: typed.text("public_comment"), fault: wrong })}
      <p class="submit"><button class="button primary">Save</button></p>
    </form>
    ${
      blocks.length === 0
        ? ""
        : html`<ul class="card people">
            ${blocks.map((block) => row(context, block))}
          </ul>`
    }
    ${pager(context, found.length > perPage ? blocks.at(-1)!.domain : undefined, "More")}
    <form class="card form-page" method="post" action="/admin/blocks/allow">
      ${token(context)}
      ${box({ label: "Only servers on the list", name: "only_allowed", checked: onlyAllowed, hint: "All that are not on it are blocked. Those that count are treated as others, or limited." })}
      <p class="submit"><button class="button">Save</button></p>
    </form>
    <form class="card form-page" method="post" action="/admin/blocks/import">
      <h2>Lists</h2>
      ${token(context)}
      ${textArea(context, { label: "A list as CSV, in Mastodon's columns", name: "list", value: typed.text("list"), required: true, fault: wrong })}
      <p class="submit">
        <button class="button">Take over</button> <a class="button" href="/admin/blocks.csv">Save this list</a>
      </p>
    </form>`;
  return show(context, { title: "Blocked servers", main, status: wrong?.status ?? 200 });
}

function row(context: MemberContext, block: SiteBlock): Html {
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${block.domain}</span>
      <p class="about">
        ${levelWords(block)}${[block.reason, block.public_comment].filter((text) => text !== "").map((text) => ` · ${text}`)}
      </p>
    </div>
    <div class="person-actions">
      ${buttonForm(context, "/admin/blocks/remove", "Remove", { fields: { domain: block.domain } })}
    </div>
  </li>`;
}

async function treat(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    async () => {
      const level = levelChoices.find(([name]) => name === typed.word("level"))?.[0];
      if (level === undefined) throw fault("level", "This is none of the choices.");
      await setSiteBlock(context.hub, {
        domain: typed.word("domain"),
        level,
        noMedia: typed.has("no_media"),
        reason: typed.text("reason"),
        publicComment: typed.text("public_comment"),
      });
      return redirect(context, "/admin/blocks", "treated");
    },
    (wrong) => page(context, typed, wrong),
  );
}

async function remove(context: MemberContext, typed: Fields): Promise<Response> {
  await removeSiteBlock(context.hub, typed.word("domain"));
  return redirect(context, "/admin/blocks", "untreated");
}

async function allow(context: MemberContext, typed: Fields): Promise<Response> {
  await setOnlyAllowedHosts(context.hub, typed.has("only_allowed"));
  return redirect(context, "/admin/blocks", "saved");
}

async function take(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    async () => {
      const { skipped } = await importBlockList(context.hub, typed.text("list"));
      if (skipped.length === 0) return redirect(context, "/admin/blocks", "listed");
      const lines = skipped.slice(0, 10).map(({ line, text }) => `${line} (${text})`);
      return page(context, new Fields(), {
        field: "",
        sentence: `The list is taken over, without these lines, which say nothing that can be done: ${lines.join("; ")}`,
        status: 200,
        retryAfter: undefined,
      });
    },
    (wrong) => page(context, typed, wrong),
  );
}

async function list(context: MemberContext): Promise<Response> {
  const text = await exportBlockList(context.hub);
  const bytes = () => new Blob([text]).stream();
  return download(context, { name: "blocked-servers.csv", type: "text/csv; charset=utf-8", bytes });
}
