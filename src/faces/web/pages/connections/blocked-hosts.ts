import { html } from "hono/html";
import { blockHost, hostBlockKinds, listHostBlocks, unblockHost } from "../../../../domain/connections/connections.ts";
import type { HostBlock } from "../../../../domain/connections/connections.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { connectionTabs } from "../../parts/connections/connection-tabs.ts";
import { alert, buttonForm, radios, textField, token } from "../../parts/forms.ts";

/** The servers that the member has blocked or muted. */
export const blockedHostsPages: Page[] = [
  { path: "/connections/hosts", access: "member", get: (context) => page(context), post: begin },
  { path: "/connections/hosts/end", access: "member", post: end },
];

const kinds = [
  [
    "block",
    "Block",
    "People there see nothing of yours that is not public, nothing of theirs is shown to you, and they follow you no more.",
  ],
  ["mute", "Mute", "What people there write is not shown to you."],
] as const;

async function page(context: MemberContext, typed?: Fields, wrong?: Fault): Promise<Response> {
  const hosts = await listHostBlocks(context.hub, context.member.channel.channel_id);
  const name = typed?.text("host") ?? context.query.word("host");
  const main = html`<h1>Connections</h1>
    ${await connectionTabs(context, "blocked")}
    <form class="card form-page" method="post" action="/connections/hosts">
      <h2>Block or mute a whole server</h2>
      ${token(context)} ${alert(wrong)}
      ${textField(context, { label: "Server", name: "host", value: name, required: true, hint: "What comes after the second @ in an address.", fault: wrong })}
      ${radios({ legend: "How?", name: "kind", value: typed?.text("kind") || "block", choices: kinds })}
      <p class="submit"><button class="button danger">Save</button></p>
    </form>
    ${
      hosts.length > 0
        ? html`<ul class="card people" aria-label="Blocked servers">
            ${hosts.map((host) => row(context, host))}
          </ul>`
        : ""
    }`;
  return show(context, { title: "Blocked servers", main, status: wrong?.status ?? 200 });
}

function row(context: MemberContext, { host, kind }: HostBlock): Html {
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${host}</span>
      <p class="about">${kind === "block" ? "blocked" : "muted"}</p>
    </div>
    <div class="person-actions">
      ${buttonForm(context, "/connections/hosts/end", html`End<span class="unseen"> for ${host}</span>`, { fields: { host } })}
    </div>
  </li>`;
}

async function begin(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    async () => {
      const kind = hostBlockKinds.find((known) => known === typed.word("kind"));
      if (kind === undefined) throw fault("kind", "This is none of the choices.");
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
