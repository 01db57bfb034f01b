import { html } from "hono/html";
import { show } from "../../answers.ts";
import type { Page, PageContext } from "../../page.ts";
import { meaning } from "../../parts/meaning.ts";

/** What the words and buttons of these pages mean. */
export const helpPages: Page[] = [{ path: "/help", access: "anybody", get: page }];

async function page(context: PageContext): Promise<Response> {
  const main = html`<h1>What things mean</h1>
    <section class="card">
      <h2>Who sees what</h2>
      <dl class="meanings">
        ${meaning("Public", "Everybody can read it, also people who are not logged in.")}
        ${meaning("Connections", "All people whom you have approved.")}
        ${meaning("Groups or people", "Only the people you ticked. They do not learn the name of the group.")}
        ${meaning("Guest", "Somebody without an account, who sees with a link of yours what you show to this guest.")}
        ${meaning("Profile", "What you say about yourself. You can show another one to some connections, and post to just those.")}
        ${meaning("Comments", "A comment is seen by everybody who sees the post, never by more.")}
      </dl>
    </section>
    <section class="card">
      <h2>What the buttons do</h2>
      <dl class="meanings">
        ${meaning("Like, dislike", "Everybody who sees the post also sees that you like it or not. Press again to take it back.")}
        ${meaning("Star", "A private bookmark. Nobody else learns of it; your stream can show only posts with a star.")}
        ${meaning("Share", "Makes a new post of yours that quotes a public one. Private posts cannot be shared.")}
        ${meaning("Delete", "Removes your post, with its comments, for everybody on this hub.")}
        ${meaning("Keys", "Where scripts run, single keys do what buttons do. The question mark shows which, and lets you switch them off.")}
      </dl>
    </section>
    <section class="card">
      <h2>Accounts and channels</h2>
      <dl class="meanings">
        ${meaning("Account", "What you log in with. Others never see it.")}
        ${meaning("Channel", "Who you are for others: a name, a picture, a wall. One account can have several.")}
        ${meaning("Connection", "Somebody whose posts you get, or who gets yours. You decide what each may do.")}
        ${meaning("Permission set", "A choice of permissions with a name, to give to connections at once.")}
        ${meaning("Ignore, block", "Ignored people change nothing of yours; blocked ones also see nothing that needs a permission.")}
      </dl>
    </section>
    <section class="card">
      <h2>Pages and wikis</h2>
      <dl class="meanings">
        ${meaning("Page", "A text with an address of its own. It is part of no stream, and has its own audience.")}
        ${meaning("Block, menu", "A piece of text, or a list of links, that pages show where they say [block]name[/block] or [menu]name[/menu].")}
        ${meaning("Layout", "Where on a page its text, blocks and menus stand: [region=aside][menu]name[/menu][/region] [content]. Regions: header, aside, content, right_aside, footer.")}
        ${meaning("Wiki", "Pages that several people write. Every version is kept; [[Page name]] links to another page of the wiki.")}
      </dl>
    </section>
    <section class="card">
      <h2>Writing</h2>
      <p>
        Use <code>@name</code> to mention somebody, <code>#word</code> for a hashtag, and BBCode for looks:
        <code>[b]bold[/b]</code>, <code>[i]italic[/i]</code>, <code>[url=https://example.org]a link[/url]</code>,
        <code>[quote]a quotation[/quote]</code>. <code>@!name</code> makes a post private for that person.
      </p>
    </section>
    <section class="card">
      <h2>Apps and feed readers</h2>
      <p><a href="/help/programs">How to set up a program</a> on your phone or computer for this hub.</p>
    </section>
    <section class="card">
      <h2>Those who run the hub</h2>
      <p><a href="/help/community">What they decide, and what that means</a> for everybody else.</p>
    </section>`;
  return show(context, { title: "What things mean", main });
}
