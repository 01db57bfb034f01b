import { html } from "hono/html";
import { changeChannelSettings, channelSetting } from "../../../../domain/identity/channels/channel-settings.ts";
import { comeBack, moveTo, newPlace } from "../../../../domain/identity/channels/moved.ts";
import type { Place } from "../../../../domain/identity/channels/moved.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { lookElsewhere } from "../../../../domain/people/look-elsewhere.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { lookUpMessage } from "../../look-up.ts";
import { checkPassword, passwordFields } from "../../own-password.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, buttonForm, textArea, textField, token } from "../../parts/forms.ts";

const home = "/settings/move";
const mostAliases = 10;

/** Going on as somebody of another hub, or coming from there with one's followers (federation contract 11). */
export const settingsMovePages: Page[] = [
  { path: home, access: "member", whileMoved: true, get: (context) => page(context), post: move },
  { path: `${home}/aliases`, access: "member", post: saveAliases },
  { path: `${home}/back`, access: "member", whileMoved: true, post: back },
];

async function move(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  return tryForm(
    context,
    async () => {
      await checkPassword(context, typed);
      await moveTo(hub, member.channel, await personAt(context, typed.word("address"), "address"));
      return redirect(context, home, "moved");
    },
    (wrong) => page(context, typed, wrong),
  );
}

/** Who has this address now, as their own hub says. */
async function personAt({ hub, member, say }: MemberContext, address: string, field: string): Promise<Xchan> {
  const looked = await lookElsewhere(hub, member.channel, address);
  if (!("person" in looked)) throw fault(field, lookUpMessage(say, looked, address));
  return looked.person;
}

async function saveAliases(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  return tryForm(
    context,
    async () => {
      const lines = typed
        .text("aliases")
        .split(/\s+/)
        .filter((line) => line !== "");
      if (lines.length > mostAliases) throw fault("aliases", `These are more than ${mostAliases} addresses.`);
      const known = await channelSetting(hub, member.channel.channel_id, "aliases");
      const ids: string[] = [];
      for (const line of lines)
        ids.push(known.includes(line) ? line : (await personAt(context, line, "aliases")).xchan_hash);
      await changeChannelSettings(hub, member.channel.channel_id, { aliases: [...new Set(ids)] });
      return redirect(context, home, "saved");
    },
    (wrong) => page(context, typed, wrong),
  );
}

async function back(context: MemberContext): Promise<Response> {
  await comeBack(context.hub, context.member.channel);
  return redirect(context, home, "saved");
}

async function page(context: MemberContext, typed?: Fields, wrong?: Fault): Promise<Response> {
  const { hub, member } = context;
  const place = await newPlace(hub, member.channel);
  const aliases = await channelSetting(hub, member.channel.channel_id, "aliases");
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>Moving</h1>
    ${place ? movedAway(context, place) : html`${aliasForm(context, aliases, typed, wrong)} ${moveForm(context, typed, wrong)}`}`;
  return show(context, { title: "Moving", main, status: wrong?.status ?? 200 });
}

async function movedAway(context: MemberContext, { url, address }: Place): Promise<Html> {
  const came = (await channelSetting(context.hub, context.member.channel.channel_id, "movedTo")) !== "";
  return html`<section class="card">
    <p>This channel has moved to <a href="${url}">${address || url}</a>. Here it can only be read.</p>
    ${
      came
        ? html`<p>Followers who have moved along do not come back by themselves.</p>
            ${buttonForm(context, `${home}/back`, "Write here again")}`
        : ""
    }
  </section>`;
}

function aliasForm(context: MemberContext, aliases: readonly string[], typed?: Fields, wrong?: Fault): Html {
  const shown = wrong?.field === "aliases" ? wrong : undefined;
  return html`<form class="card form-page" method="post" action="${home}/aliases">
    <h2>Coming from elsewhere</h2>
    <p>
      Name your old accounts here before you move them to this channel: their followers come along only if both sides
      say that they are the same person. Whom you follow, block and mute there comes along as
      <a href="/settings/import-lists">lists</a>.
    </p>
    ${token(context)} ${alert(shown)}
    ${textArea(context, { label: "Your other accounts", name: "aliases", value: typed?.has("aliases") ? typed.text("aliases") : aliases.join("\n"), rows: 3, hint: "One address on each line, such as name@example.org.", optional: true, fault: shown })}
    <p class="submit"><button class="button primary">Save</button></p>
  </form>`;
}

function moveForm(context: MemberContext, typed?: Fields, wrong?: Fault): Html {
  const shown = wrong?.field === "aliases" ? undefined : wrong;
  return html`<form class="card form-page" method="post" action="${home}">
    <h2>Moving away</h2>
    <p>
      Your followers on other hubs are told to follow the other account. What is here stays to be read, and nothing new
      can be written. The other account has to name this channel as one of its own first. To take posts, pictures and
      everything else along to another Hubbub, <a href="/uexport">export</a> them.
    </p>
    ${token(context)} ${alert(shown)}
    ${textField(context, { label: "Your new account", name: "address", value: typed?.text("address") ?? "", hint: "Such as name@example.org.", required: true, fault: shown })}
    ${passwordFields(context, { fault: shown })}
    <p class="submit"><button class="button danger">Move</button></p>
  </form>`;
}
