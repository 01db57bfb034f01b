import { html } from "hono/html";
import { show } from "../../answers.ts";
import type { Page, PageContext } from "../../page.ts";
import { meaning } from "../../parts/meaning.ts";

/** How a hub is run for others; the long version is docs/operating.md. */
export const helpCommunityPages: Page[] = [{ path: "/help/community", access: "anybody", get: page }];

async function page(context: PageContext): Promise<Response> {
  const main = html`<p class="crumbs"><a href="/help">What things mean</a></p>
    <h1>Running a hub</h1>
    <p class="lead">
      Whoever runs a hub decides who joins, and what becomes of those who harm others. This is what the words and
      buttons under Administration mean, also for those about whom something is decided.
    </p>
    <section class="card">
      <h2>Letting people in</h2>
      <dl class="meanings">
        ${meaning("Approval", "Where the hub asks for it, newcomers say why they want to join, and administrators let them in or refuse. Who is refused is deleted.")}
        ${meaning("Confirmed", "Where the hub sends mail, an account works once its address is confirmed. What is not confirmed within two weeks is deleted, and its nick is free again.")}
        ${meaning("Invitations", "Links by which members let others in. Administrators see all of them and can end each.")}
      </dl>
    </section>
    <section class="card">
      <h2>When somebody does harm</h2>
      <dl class="meanings">
        ${meaning("Report", "Members and other hubs say what is wrong. Only administrators read it, and nobody is told who has said so.")}
        ${meaning("Warn", "Words from those who run the hub. They come as a notice, and by mail.")}
        ${meaning("Limit", "The account goes on, but is not shown in the directory, in suggestions and in public lists, and whom it wants to connect with is asked first.")}
        ${meaning("Suspend", "Nobody can log in to the account until that ends. Nothing is deleted.")}
        ${meaning("Delete", "The account goes with all of its channels, and with what they wrote and stored. That cannot be undone.")}
        ${meaning("What was done", "Who did what about whom, and why, is kept for two years. Those whom it concerns find what they were told under Settings, From those who run the hub.")}
      </dl>
    </section>
    <section class="card">
      <h2>How the hub looks and how it is</h2>
      <dl class="meanings">
        ${meaning("Look", "Name, logo, colours, the words of the first page, and own styles. Colours in which words could not be read are refused.")}
        ${meaning("Texts", "What the hub says of itself, its rules, and what it does with data. Everybody reads them under About this hub.")}
        ${meaning("Figures", "People, posts, storage, what waits, and which requests take longest, over the last day and month. They count; they do not say who.")}
        ${meaning("Jobs", "What the hub does later and has given up, with the reason. It can be tried again or dropped.")}
      </dl>
    </section>`;
  return show(context, { title: "Running a hub", main });
}
