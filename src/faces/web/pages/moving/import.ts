import { html } from "hono/html";
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
import { messages } from "../../messages.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
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

const modes = [
  ["clone", "One more location", "The old hub stays the main one; this is a copy beside it."],
  ["primary", "The main location", "People find you here from now on; the old hub has a copy."],
  ["moving", "Move", "You leave the old hub, and all other locations with it."],
] as const;

async function take(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  const { account_id: account } = member.account;
  return tryForm(
    async () => {
      const options = optionsOf(typed);
      const file = typed.file("file");
      const run = typed.has("url")
        ? await startHubImport(hub, account, oldHubOf(typed), options)
        : await startUploadedImport(hub, account, file ?? noFile(), options);
      return redirect(context, `/import/${run.id}`);
    },
    (fault) => form(context, typed, fault),
  );
}

function noFile(): never {
  throw fault("file", "Choose the file with your export, or give the address of your old hub.");
}

function optionsOf(typed: Fields): ImportOptions {
  const mode = modes.find(([name]) => name === typed.text("mode"))?.[0];
  if (!mode) throw fault("mode", "Choose what becomes of the old location.");
  return { mode, nick: typed.word("nick"), posts: typed.has("posts") };
}

function oldHubOf(typed: Fields): { url: string; login: string; password: string } {
  const [url, login, password] = [typed.word("url"), typed.word("login"), typed.text("password")];
  if (login === "") throw fault("login", "The old hub asks who you are.");
  if (password === "") throw fault("password", "The old hub asks for your password.");
  return { url, login, password };
}

async function form(context: MemberContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const runs = await listImports(context.hub, context.member.account.account_id);
  const most = size(context.hub.config.limits.upload);
  const main = html`<p class="crumbs"><a href="/manage">Your channels</a></p>
    <form class="card form-page upload" method="post" enctype="multipart/form-data">
      <h1>Bring a channel here</h1>
      <p class="lead">
        With its name, keys, connections, groups, pages, events and messages, and if you like with all its posts and
        files.
      </p>
      ${token(context)} ${alert(fault)}
      <fieldset>
        <legend>From a file</legend>
        ${fileField(context, { label: "Export or archive", name: "file", accept: ".json,.tar,.gz,application/json,application/x-tar,application/gzip", fault, hint: html`Made on your old hub, up to ${most}. Larger ones the operator of this hub can bring in with the command <code>hubbub channel import</code>.` })}
      </fieldset>
      <fieldset>
        <legend>Or straight from your old hub</legend>
        ${textField(context, { label: "Address", name: "url", value: typed.text("url"), hint: "Such as https://hub.example", fault })}
        ${textField(context, { label: "Nick there", name: "login", value: typed.text("login"), autocomplete: "off", fault })}
        ${textField(context, { label: "Password there", name: "password", type: "password", autocomplete: "off", hint: "This hub forgets it as soon as the import is over.", fault })}
      </fieldset>
      ${radios({ legend: "What becomes of the old location?", name: "mode", value: typed.text("mode") || "clone", choices: modes })}
      ${box({ label: "Posts and comments too", name: "posts", checked: typed.has("mode") ? typed.has("posts") : true, hint: "With files and photos if they come from a running hub; this may take a while." })}
      ${textField(context, { label: "Nick here", name: "nick", value: typed.text("nick"), hint: "Leave it empty to keep the old one. If that is taken, four digits are added.", fault })}
      ${uploadProgress(context)}
      <p class="submit"><button class="button primary">Import</button></p>
    </form>
    ${runs.length > 0 ? former(context, runs) : ""}`;
  return show(context, { title: "Import a channel", main, status: fault?.status ?? 200 });
}

function former(context: MemberContext, runs: readonly ImportRun[]): Html {
  return html`<section class="card">
    <h2>Your imports</h2>
    <ul>
      ${runs.map((run) => html`<li><a href="/import/${run.id}">${run.source}</a>, ${time(context, run.created)}: ${stateWords[run.state]}</li>`)}
    </ul>
  </section>`;
}

const stateWords = { running: "under way", done: "done", failed: "not done" } as const;

/** While the import runs the page loads itself again; no script is needed for that. */
async function progress(context: MemberContext): Promise<Response> {
  const kept = await findImport(context.hub, context.member.account.account_id, idOf(context.params["id"]));
  const run = { ...kept, report: inWords(kept.report, (reason) => messageOfKept(messages, reason)) };
  const title =
    run.state === "running"
      ? "The import is under way"
      : run.state === "done"
        ? "The import is done"
        : "The import ended";
  const main = html`<p class="crumbs"><a href="/import">Import a channel</a></p>
    <section class="card form-page">
      <h1>${title}</h1>
      <p class="lead">${run.source}</p>
      ${run.state === "running" ? bar(context, run) : await ending(context, run)}
    </section>
    ${sectionTable(run)} ${reasons(run)}`;
  return show(context, { title, main, headers: run.state === "running" ? { refresh: "3" } : {} });
}

function bar(context: MemberContext, { id, progress: { core, position, total, pass } }: ImportRun): Html {
  const words = !core ? "Reading and checking the export …" : pass === 2 ? "Late comments find their threads …" : "";
  return html`<p role="status">${words || `${position} of ${total} records are done.`}</p>
    <p>
      <progress class="upload-progress" max="${Math.max(1, total)}" value="${position}">
        ${position} of ${total}
      </progress>
    </p>
    <p class="hint">You can close this page; it goes on without you.</p>
    ${buttonForm(context, `/import/${id}/end`, "Give up", { kind: "quiet" })}`;
}

async function ending({ hub }: MemberContext, run: ImportRun): Promise<Html> {
  if (run.report.failure !== undefined) return html`<p class="alert" role="alert">${run.report.failure}</p>`;
  const channel = await findChannelById(hub, run.channelId);
  if (!channel) return html`<p>The channel has been removed since.</p>`;
  return html`<p>
      <a href="/channel/${channel.channel_address}">${channel.channel_name}</a> is here as
      <code>${channel.channel_address}@${hub.config.host}</code>.
    </p>
    <p><a class="button primary" href="/manage">Use the channel</a></p>`;
}

function sectionTable({ report }: ImportRun): Html {
  const sections = inReadingOrder(report);
  if (sections.length === 0) return html``;
  return html`<section class="card history">
    <h2>What came over</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Records</th>
          <th scope="col">Found</th>
          <th scope="col">New</th>
          <th scope="col">Here before</th>
          <th scope="col">Left out</th>
        </tr>
      </thead>
      <tbody>
        ${sections.map(([name, entry]) => tableRow(name, entry))}
      </tbody>
    </table>
  </section>`;
}

function tableRow(name: string, entry: SectionReport): Html {
  return html`<tr>
    <th scope="row">${sectionName(name)}</th>
    <td>${entry.found}</td>
    <td>${entry.imported}</td>
    <td>${entry.there}</td>
    <td>${leftBehind(entry)}</td>
  </tr>`;
}

function reasons({ report }: ImportRun): Html {
  const said = report.warnings.map((warning) => html`<p>${warning}</p>`);
  const entries = inReadingOrder(report).flatMap(([name, { remarks = {}, left }]) => [
    ...Object.entries(remarks).map(([words, found]) => reason(name, words, found)),
    ...Object.entries(left).map(([words, found]) => reason(name, `left out, because ${words}`, found)),
  ]);
  if (said.length + entries.length === 0) return html``;
  return html`<section class="card">
    <h2>What you should know</h2>
    ${said}
    <ul>
      ${entries}
    </ul>
  </section>`;
}

function reason(section: string, words: string, { count, examples }: Counted): Html {
  const some = `${examples.join(", ")}${count > examples.length ? " …" : ""}`;
  return html`<li>
    ${sectionName(section)}: ${count} ${words}. ${examples.length > 0 ? html`<small>${some}</small>` : ""}
  </li>`;
}

async function giveUp(context: MemberContext): Promise<Response> {
  const id = idOf(context.params["id"]);
  await giveUpImport(context.hub, context.member.account.account_id, id);
  return redirect(context, `/import/${id}`);
}
