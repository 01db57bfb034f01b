import { findChannelById } from "../../../../domain/identity/channels/channels.ts";
import { inWords, leftBehind } from "../../../../domain/import/report.ts";
import type { Counted, SectionReport } from "../../../../domain/import/report.ts";
import type { ImportOptions, ImportRun } from "../../../../domain/import/run-state.ts";
import {
  findImport,
  giveUpImport,
  listImports,
  startHubImport,
  startUploadedImport,
} from "../../../../domain/import/start.ts";
import { messageOfKept } from "../../../../refusals/messages.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, box, buttonForm, fileField, radios, textField, token, uploadProgress } from "../../parts/forms.ts";
import { inReadingOrder, sectionName } from "../../parts/channels/import-labels.ts";
import { size } from "../../parts/files/sizes.ts";
import { time } from "../../parts/times.ts";
import { idOf } from "../../path-id.ts";

/** Bringing a channel here. Both forms start a job; a page of its own shows how far it is. */
export const importPages: Page[] = [
  { path: "/import", access: "member", whileMoved: true, get: (context) => form(context), post: take, files: ["file"] },
  { path: "/import_items", access: "member", get: (context) => redirect(context, "/import") },
  { path: "/import/:id", access: "member", get: progress },
  { path: "/import/:id/end", access: "member", whileMoved: true, post: giveUp },
];

const modes = ["clone", "primary", "moving"] as const;

async function take(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  const { account_id: account } = member.account;
  return tryForm(
    context,
    async () => {
      const options = optionsOf(context, typed);
      const file = typed.file("file");
      const run = typed.has("url")
        ? await startHubImport(hub, account, oldHubOf(context, typed), options)
        : await startUploadedImport(hub, account, file ?? noFile(context), options);
      return redirect(context, `/import/${run.id}`);
    },
    (fault) => form(context, typed, fault),
  );
}

function noFile({ say }: MemberContext): never {
  throw fault("file", say("moving.no-file"));
}

function optionsOf({ say }: MemberContext, typed: Fields): ImportOptions {
  const mode = modes.find((one) => one === typed.text("mode"));
  if (!mode) throw fault("mode", say("moving.no-mode"));
  return { mode, nick: typed.word("nick"), posts: typed.has("posts") };
}

function oldHubOf({ say }: MemberContext, typed: Fields): { url: string; login: string; password: string } {
  const [url, login, password] = [typed.word("url"), typed.word("login"), typed.text("password")];
  if (login === "") throw fault("login", say("moving.no-login"));
  if (password === "") throw fault("password", say("moving.no-password"));
  return { url, login, password };
}

async function form(context: MemberContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const runs = await listImports(context.hub, context.member.account.account_id);
  const { say } = context;
  const most = size(context, context.hub.config.limits.upload);
  const choices = modes.map((mode) => [mode, say(`moving.${mode}`), say(`moving.${mode}-hint`)] as const);
  const main = html`<p class="crumbs"><a href="/manage">${say("moving.your-channels")}</a></p>
    <form class="card form-page upload" method="post" enctype="multipart/form-data">
      <h1>${say("moving.bring-here")}</h1>
      <p class="lead">${say("moving.import-lead")}</p>
      ${token(context)} ${alert(fault)}
      <fieldset>
        <legend>${say("moving.from-file")}</legend>
        ${fileField(context, { label: say("moving.archive"), name: "file", accept: ".json,.tar,.gz,application/json,application/x-tar,application/gzip", fault, hint: say.html("moving.archive-hint", { most }) })}
      </fieldset>
      <fieldset>
        <legend>${say("moving.from-hub")}</legend>
        ${textField(context, { label: say("moving.address"), name: "url", value: typed.text("url"), hint: say("moving.address-hint"), fault })}
        ${textField(context, { label: say("moving.nick-there"), name: "login", value: typed.text("login"), autocomplete: "off", fault })}
        ${textField(context, { label: say("moving.password-there"), name: "password", type: "password", autocomplete: "off", hint: say("moving.password-there-hint"), fault })}
      </fieldset>
      ${radios({ legend: say("moving.old-location"), name: "mode", value: typed.text("mode") || "clone", choices })}
      ${box({ label: say("moving.posts-too"), name: "posts", checked: typed.has("mode") ? typed.has("posts") : true, hint: say("moving.posts-too-hint") })}
      ${textField(context, { label: say("moving.nick-here"), name: "nick", value: typed.text("nick"), hint: say("moving.nick-here-hint"), fault })}
      ${uploadProgress(context)}
      <p class="submit"><button class="button primary">${say("moving.import")}</button></p>
    </form>
    ${runs.length > 0 ? former(context, runs) : ""}`;
  return show(context, { title: say("moving.import-channel"), main, status: fault?.status ?? 200 });
}

function former(context: MemberContext, runs: readonly ImportRun[]): Html {
  return html`<section class="card">
    <h2>${context.say("moving.your-imports")}</h2>
    <ul>
      ${runs.map((run) => html`<li><a href="/import/${run.id}">${run.source}</a>, ${time(context, run.created)}: ${context.say(`moving.state-${run.state}`)}</li>`)}
    </ul>
  </section>`;
}

/** While the import runs the page loads itself again; no script is needed for that. */
async function progress(context: MemberContext): Promise<Response> {
  const kept = await findImport(context.hub, context.member.account.account_id, idOf(context.params["id"]));
  const run = { ...kept, report: inWords(kept.report, (reason) => messageOfKept(context.language.messages, reason)) };
  const title = context.say(`moving.is-${run.state}`);
  const main = html`<p class="crumbs"><a href="/import">${context.say("moving.import-channel")}</a></p>
    <section class="card form-page">
      <h1>${title}</h1>
      <p class="lead">${run.source}</p>
      ${run.state === "running" ? bar(context, run) : await ending(context, run)}
    </section>
    ${sectionTable(context, run)} ${reasons(context, run)}`;
  return show(context, { title, main, headers: run.state === "running" ? { refresh: "3" } : {} });
}

function bar(context: MemberContext, { id, progress: { core, position, total, pass } }: ImportRun): Html {
  const { say } = context;
  const doing = !core ? say("moving.reading") : pass === 2 ? say("moving.late-comments") : undefined;
  return html`<p role="status">${doing ?? say("moving.records-done", { position, total })}</p>
    <p>
      <progress class="upload-progress" max="${Math.max(1, total)}" value="${position}">
        ${say("moving.some-of", { position, total })}
      </progress>
    </p>
    <p class="hint">${say("moving.goes-on")}</p>
    ${buttonForm(context, `/import/${id}/end`, say("moving.give-up"), { kind: "quiet" })}`;
}

async function ending({ hub, say }: MemberContext, run: ImportRun): Promise<Html> {
  if (run.report.failure !== undefined) return html`<p class="alert" role="alert">${run.report.failure}</p>`;
  const channel = await findChannelById(hub, run.channelId);
  if (!channel) return html`<p>${say("moving.removed")}</p>`;
  return html`<p>
      ${say.html("moving.is-here", {
        channel: linkTo(`/channel/${channel.channel_address}`),
        name: channel.channel_name,
        address: `${channel.channel_address}@${hub.config.host}`,
      })}
    </p>
    <p><a class="button primary" href="/manage">${say("moving.use-channel")}</a></p>`;
}

function sectionTable(context: MemberContext, { report }: ImportRun): Html {
  const { say } = context;
  const sections = inReadingOrder(report);
  if (sections.length === 0) return html``;
  return html`<section class="card history">
    <h2>${say("moving.came-over")}</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">${say("moving.records")}</th>
          <th scope="col">${say("moving.found")}</th>
          <th scope="col">${say("moving.new")}</th>
          <th scope="col">${say("moving.before")}</th>
          <th scope="col">${say("moving.left-out")}</th>
        </tr>
      </thead>
      <tbody>
        ${sections.map(([name, entry]) => tableRow(context, name, entry))}
      </tbody>
    </table>
  </section>`;
}

function tableRow(context: MemberContext, name: string, entry: SectionReport): Html {
  return html`<tr>
    <th scope="row">${sectionName(context, name)}</th>
    <td>${entry.found}</td>
    <td>${entry.imported}</td>
    <td>${entry.there}</td>
    <td>${leftBehind(entry)}</td>
  </tr>`;
}

function reasons(context: MemberContext, { report }: ImportRun): Html {
  const { say } = context;
  const said = report.warnings.map((warning) => html`<p>${warning}</p>`);
  const entries = inReadingOrder(report).flatMap(([name, { remarks = {}, left }]) => [
    ...Object.entries(remarks).map(([words, found]) =>
      reason(say("moving.remark", { section: sectionName(context, name), count: found.count, words }), found),
    ),
    ...Object.entries(left).map(([words, found]) =>
      reason(say("moving.left-because", { section: sectionName(context, name), count: found.count, words }), found),
    ),
  ]);
  if (said.length + entries.length === 0) return html``;
  return html`<section class="card">
    <h2>${say("moving.should-know")}</h2>
    ${said}
    <ul>
      ${entries}
    </ul>
  </section>`;
}

function reason(words: string, { count, examples }: Counted): Html {
  const some = `${examples.join(", ")}${count > examples.length ? " …" : ""}`;
  return html`<li>${words} ${examples.length > 0 ? html`<small>${some}</small>` : ""}</li>`;
}

async function giveUp(context: MemberContext): Promise<Response> {
  const id = idOf(context.params["id"]);
  await giveUpImport(context.hub, context.member.account.account_id, id);
  return redirect(context, `/import/${id}`);
}
