import type { Channel, Extension, PageTools, Post, Reader, Tools } from "hubbub-social/extension";

/** What was written on this day in other years: a page, a command, and a post for oneself on each such day. */

const day = 24 * 3600 * 1000;
const mostYears = 10;

/** The posts of the channel of the same day in the years before, as far as the reader may see them; the newest year first. */
async function postsOfThisDay(tools: Tools, reader: Reader, channel: Channel): Promise<Post[]> {
  const now = tools.now();
  const years = Array.from({ length: mostYears }, (_, at) => now.getUTCFullYear() - at - 1);
  const found = await Promise.all(
    years.map(async (year) => {
      const since = new Date(Date.UTC(year, now.getUTCMonth(), now.getUTCDate()));
      // There is no such day in every year.
      if (since.getUTCDate() !== now.getUTCDate()) return [];
      return tools.posts(reader, channel, { since, until: new Date(since.getTime() + day - 1000) });
    }),
  );
  return found.flat();
}

/** The page of a channel, for everybody who may see its posts. */
async function channelPage(page: PageTools) {
  const { html, params, reader } = page;
  const channel = await page.channel(params["nick"] ?? "");
  if (!channel) return undefined;
  const posts = await postsOfThisDay(page, reader, channel);
  const main = html`<h1>On this day</h1>
    <p class="lead">What ${channel.name} wrote on this day in other years.</p>
    ${posts.length === 0 ? html`<p class="empty">Nothing that you may see.</p>` : await page.cards(posts)}`;
  return { title: "On this day", main };
}

/** The page of whoever is logged in: the same, and whether to be reminded. */
async function ownPage(page: PageTools) {
  const { html, token, path } = page;
  const channel = page.reader.channel!;
  const posts = await postsOfThisDay(page, page.reader, channel);
  const isReminded = (await page.settings.get(`remind/${channel.nick}`)) !== undefined;
  const main = html`<h1>On this day</h1>
    <form class="card form-page" method="post" action="${path}">
      ${token}
      <label class="box">
        <input type="checkbox" name="remind" value="1" ${isReminded ? html`checked` : ""} />
        <span class="box-label">Write me a post that only I can see when there is something</span>
      </label>
      <p class="submit"><button class="button primary">Save</button></p>
    </form>
    ${posts.length === 0 ? html`<p class="empty">You wrote nothing on this day in other years.</p>` : await page.cards(posts)}`;
  return { title: "On this day", main };
}

// oxlint-disable-next-line import/no-default-export -- the hub asks for this one, whatever the module is called
export default {
  interface: 1,
  name: "on-this-day",
  summary: "what was written on this day in other years",

  pages: [
    {
      path: "",
      access: "member",
      menu: "On this day",
      get: ownPage,
      async post(page, form) {
        const key = `remind/${page.reader.channel!.nick}`;
        await (form.has("remind") ? page.settings.set(key, "1") : page.settings.remove(key));
        return { redirect: page.path, saved: true };
      },
    },
    { path: ":nick", access: "anybody", get: channelPage },
  ],

  jobs: [
    {
      // Each is reminded by a job of their own: what goes wrong with one is tried again for that one.
      name: "plan",
      every: 24 * 3600,
      async run(tools) {
        const date = tools.now().toISOString().slice(0, 10);
        const nicks = [...(await tools.settings.all()).keys()].map((key) => key.slice("remind/".length));
        await tools.together(async (inside) => {
          for (const nick of nicks) await inside.addJob("remind", { nick }, { key: `${nick} ${date}` });
        });
      },
    },
    {
      name: "remind",
      async run(tools, payload) {
        const { nick } = payload as { nick: string };
        const channel = await tools.channel(nick);
        if (!channel) return tools.settings.remove(`remind/${nick}`);
        const posts = await postsOfThisDay(tools, tools.readerOf(channel), channel);
        const lines = posts.map(({ written, url }) => `- [${written.getUTCFullYear()}](${url})`);
        if (lines.length > 0) await tools.post(channel, { title: "On this day", text: lines.join("\n"), for: "self" });
      },
    },
  ],

  commands: [
    {
      name: "count",
      summary: "how many posts of a channel are from this day in other years",
      arguments: { nick: "nick of the channel" },
      async run(tools, { nick }) {
        const channel = await tools.channel(String(nick));
        if (!channel) throw new Error(`There is no channel ${String(nick)}.`);
        return { count: (await postsOfThisDay(tools, tools.readerOf(channel), channel)).length };
      },
      print: ({ count }: { count: number }) => `${count} posts are from this day.`,
    },
  ],

  styles: ".x-on-this-day .lead { font-style: italic }",

  themes: [
    {
      name: "sepia",
      label: "Sepia",
      light: {
        "--bg": "#f4ecdc",
        "--surface": "#fffaf0",
        "--sunken": "#f8f1e3",
        "--line": "#dccfb6",
        "--edge": "#85785f",
        "--accent-soft": "#e8e6cb",
      },
      dark: {
        "--bg": "#1a1612",
        "--surface": "#241f19",
        "--sunken": "#1e1a15",
        "--line": "#3d352a",
        "--edge": "#857a66",
        "--accent-soft": "#2d3327",
      },
    },
  ],
} satisfies Extension;
