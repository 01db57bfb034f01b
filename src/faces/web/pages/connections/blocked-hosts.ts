import { blockHost, hostBlockKinds, listHostBlocks, unblockHost } from "../../../../domain/connections/connections.ts";
import type { HostBlock } from "../../../../domain/connections/connections.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { connectionTabs } from "../../parts/connections/connection-tabs.ts";
import { alert, buttonForm, radios, textField, token } from "../../parts/forms.ts";

/** The servers that the member has blocked or muted. */
export const blockedHostsPages: Page[] = [
  { path: "/connections/hosts", access: "member", get: (context) => page(context), post: begin },
  { path: "/connections/hosts/end", access: "member", post: end },
];

async function page(context: MemberContext, typed?: Fields, wrong?: Fault): Promise<Response> {
  const { say } = context;
  const hosts = await listHostBlocks(context.hub, context.member.channel.channel_id);
  const name = typed?.text("host") ?? context.query.word("host");
  const main = html`<h1>${say("connections.title")}</h1>
    ${await connectionTabs(context, "blocked")}
    <form class="card form-page" method="post" action="/connections/hosts">
      <h2>${say("connections.block-server")}</h2>
      ${token(context)} ${alert(wrong)}
      ${textField(context, { label: say("connections.server"), name: "host", value: name, required: true, hint: say("connections.server-hint"), fault: wrong })}
      ${radios({ legend: say("connections.how"), name: "kind", value: typed?.text("kind") || "block", choices: hostBlockKinds.map((kind) => [kind, say(`connections.hosts-${kind}`), say(`connections.hosts-${kind}-hint`)] as const) })}
      <p class="submit"><button class="button danger">${say("forms.save")}</button></p>
    </form>
    ${
      hosts.length > 0
        ? html`<ul class="card people" aria-label="${say("connections.blocked-servers")}">
            ${hosts.map((host) => row(context, host))}
          </ul>`
        : ""
    }`;
  return show(context, { title: say("connections.blocked-servers"), main, status: wrong?.status ?? 200 });
}

function row(context: MemberContext, { host, kind }: HostBlock): Html {
  const { say } = context;
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${host}</span>
      <p class="about">${kind === "block" ? say("connections.state-blocked") : say("connections.state-muted")}</p>
    </div>
    <div class="person-actions">
      ${buttonForm(context, "/connections/hosts/end", html`${say("connections.end")}<span class="unseen"> ${say("connections.end-for", { host })}</span>`, { fields: { host } })}
    </div>
  </li>`;
}

async function begin(context: MemberContext, typed: Fields): Promise<Response> {
  const { say } = context;
  return tryForm(
    context,
    async () => {
      const kind = hostBlockKinds.find((known) => known === typed.word("kind"));
      if (kind === undefined) throw fault("kind", say("connections.no-choice"));
      await blockHost(context.hub, context.member.channel, typed.word("host"), kind);
      return redirect(context, "/connections/hosts", "hostblocked");
    },
    (wrong) => page(context, typed, wrong),
  );
}

async function end(context: MemberContext, typed: Fields): Promise<Response> {
  await unblockHost(context.hub, context.member.channel, typed.word("host"));
  return redirect(context, "/connections/hosts", "unblocked");
}
