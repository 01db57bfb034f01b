import { html } from "hono/html";
import { getConfigs, setConfig, setConfigs } from "../../../../domain/identity/channels/channel-config.ts";
import { moderation } from "../../../../domain/items/standing.ts";
import { inTransaction } from "../../../../hub.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { MemberVisit, Page } from "../../page.ts";
import { alert, box, radios, token } from "../../parts/forms.ts";

/** What others may do with the channel's posts, and how the channel posts itself. */
export const settingsPostsPages: Page[] = [
  { path: "/settings/posts", access: "member", get: (visit) => page(visit), post: save },
];

const moderations = [
  [moderation.nobody, "Nobody's", "Whoever may comment is read at once."],
  [moderation.strangers, "Those of people who are no connections", "Comments of connections are read at once."],
  [moderation.everybody, "Everybody's", "You let in each comment."],
] as const;

async function save(visit: MemberVisit, typed: Fields): Promise<Response> {
  const { hub, member } = visit;
  return tryForm(
    async () => {
      const moderated = typed.text("moderate");
      if (!moderations.some(([value]) => value === moderated)) throw fault("moderate", "Choose whose comments wait.");
      await inTransaction(hub, async (hub) => {
        await setConfigs(hub, member.channel.channel_id, "system", {
          moderate_comments: moderated,
          blocktags: typed.has("tags") ? 0 : 1,
          no_private_mention_acl_override: typed.has("keep_lists") ? 1 : 0,
        });
        const repeats = typed.has("no_repeats") ? "1" : "0";
        await setConfig(hub, member.channel.channel_id, "feature", "suppress_duplicates", repeats);
      });
      return redirect(visit, visit.path, "saved");
    },
    (fault) => page(visit, fault),
  );
}

async function page(visit: MemberVisit, fault?: Fault): Promise<Response> {
  const { channel_id } = visit.member.channel;
  const [system, feature] = await Promise.all([
    getConfigs(visit.hub, channel_id, "system"),
    getConfigs(visit.hub, channel_id, "feature"),
  ]);
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>Posts and comments</h1>
    <form class="card form-page" method="post">
      ${token(visit)} ${alert(fault)}
      ${radios({ legend: "Whose comments wait for you", name: "moderate", value: system.get("moderate_comments") || moderation.nobody, choices: moderations })}
      <p class="hint">They wait under <a href="/moderate">Moderation</a>. Likes and other reactions never wait.</p>
      <fieldset>
        <legend>Tags</legend>
        ${box({ label: "Readers may add tags to my posts", name: "tags", checked: system.get("blocktags") !== "1" })}
      </fieldset>
      <fieldset>
        <legend>Writing</legend>
        ${box({ label: "Private mentions add to the audience", name: "keep_lists", checked: system.get("no_private_mention_acl_override") === "1", hint: "Without this, the first @!mention of a post replaces the people and groups that you chose." })}
        ${box({ label: "Refuse the same text twice within two minutes", name: "no_repeats", checked: feature.get("suppress_duplicates") === "1", hint: "Helps with programs that send a post again." })}
      </fieldset>
      <p class="submit"><button class="button primary">Save</button></p>
    </form>`;
  return show(visit, { title: "Posts and comments", main, status: fault?.status ?? 200 });
}
