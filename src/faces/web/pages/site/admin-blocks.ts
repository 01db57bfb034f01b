import { exportBlockList, importBlockList } from "../../../../domain/peers/block-lists.ts";
import {
  blockLevels,
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
import { html } from "../../html.ts";
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
  const { say } = context;
  const after = context.query.word("before");
  const [found, onlyAllowed] = await Promise.all([
    listSiteBlocks(context.hub, { after, count: perPage + 1 }),
    onlyAllowedHosts(context.hub),
  ]);
  const blocks = found.slice(0, perPage);
  const main = html`${adminHead(context, say("admin.blocked-servers"))} ${alert(wrong)}
    <p><a class="button" href="/admin/block-lists">${say("admin.lists-of-others")}</a></p>
    <form class="card form-page" method="post" action="/admin/blocks">
      <h2>${say("admin.say-how-a-server-is-treated")}</h2>
      ${token(context)}
      ${textField(context, { label: say("admin.domain"), name: "domain", value: typed.text("domain"), required: true, hint: say("admin.it-counts-for-all-that-is-hint"), fault: wrong })}
      ${radios({ legend: say("admin.how"), name: "level", value: typed.text("level") || "suspend", choices: levelChoices(say) })}
      ${box({ label: say("admin.leave-out-its-pictures-and-other"), name: "no_media", checked: typed.has("no_media") })}
      ${textField(context, { label: say("admin.why-for-administrators"), name: "reason", value: typed.text("reason"), fault: wrong })}
      ${textField(context, { label: say("admin.why-for-everybody-who-gets-the"), name: "public_comment", value: typed.text("public_comment"), fault: wrong })}
      <p class="submit"><button class="button primary">${say("forms.save")}</button></p>
    </form>
    ${
      blocks.length === 0
        ? ""
        : html`<ul class="card people">
            ${blocks.map((block) => row(context, block))}
          </ul>`
    }
    ${pager(context, found.length > perPage ? blocks.at(-1)!.domain : undefined, say("admin.more"))}
    <form class="card form-page" method="post" action="/admin/blocks/allow">
      ${token(context)}
      ${box({ label: say("admin.only-servers-on-the-list"), name: "only_allowed", checked: onlyAllowed, hint: say("admin.all-that-are-not-on-it-hint") })}
      <p class="submit"><button class="button">${say("forms.save")}</button></p>
    </form>
    <form class="card form-page" method="post" action="/admin/blocks/import">
      <h2>${say("admin.lists")}</h2>
      ${token(context)}
      ${textArea(context, { label: say("admin.a-list-as-csv-in-mastodon"), name: "list", value: typed.text("list"), required: true, fault: wrong })}
      <p class="submit">
        <button class="button">${say("admin.take-over")}</button>
        <a class="button" href="/admin/blocks.csv">${say("admin.save-list")}</a>
      </p>
    </form>`;
  return show(context, { title: say("admin.blocked-servers"), main, status: wrong?.status ?? 200 });
}

function row(context: MemberContext, block: SiteBlock): Html {
  const { say } = context;
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${block.domain}</span>
      <p class="about">
        ${levelWords(context.say, block)}${[block.reason, block.public_comment].filter((text) => text !== "").map((text) => ` · ${text}`)}
      </p>
    </div>
    <div class="person-actions">
      ${buttonForm(context, "/admin/blocks/remove", say("admin.remove"), { fields: { domain: block.domain } })}
    </div>
  </li>`;
}

async function treat(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      const level = blockLevels.find((name) => name === typed.word("level"));
      if (level === undefined) throw fault("level", context.say("admin.this-is-none-of-the-choices"));
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
    context,
    async () => {
      const { skipped } = await importBlockList(context.hub, typed.text("list"));
      if (skipped.length === 0) return redirect(context, "/admin/blocks", "listed");
      const lines = skipped.slice(0, 10).map(({ line, text }) => `${line} (${text})`);
      return page(context, new Fields(), {
        field: "",
        sentence: context.say("admin.list-skipped", { lines: lines.join("; ") }),
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
