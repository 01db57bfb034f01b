import { changeChannelSettings, channelSetting } from "../../../../domain/identity/channels/channel-settings.ts";
import { comeBack, moveTo, newPlace } from "../../../../domain/identity/channels/moved.ts";
import type { Place } from "../../../../domain/identity/channels/moved.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { lookElsewhere } from "../../../../domain/people/look-elsewhere.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { lookUpMessage } from "../../look-up.ts";
import { checkPassword, passwordFields } from "../../own-password.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, buttonForm, textArea, textField, token } from "../../parts/forms.ts";
import { linkTo } from "../../languages/say.ts";

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
  const { hub, member, say } = context;
  return tryForm(
    context,
    async () => {
      const lines = typed
        .text("aliases")
        .split(/\s+/)
        .filter((line) => line !== "");
      if (lines.length > mostAliases) throw fault("aliases", say("settings.too-many-aliases", { most: mostAliases }));
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
  const { hub, member, say } = context;
  const place = await newPlace(hub, member.channel);
  const aliases = await channelSetting(hub, member.channel.channel_id, "aliases");
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.moving")}</h1>
    ${place ? movedAway(context, place) : html`${aliasForm(context, aliases, typed, wrong)} ${moveForm(context, typed, wrong)}`}`;
  return show(context, { title: say("settings.moving"), main, status: wrong?.status ?? 200 });
}

async function movedAway(context: MemberContext, { url, address }: Place): Promise<Html> {
  const { say } = context;
  const came = (await channelSetting(context.hub, context.member.channel.channel_id, "movedTo")) !== "";
  return html`<section class="card">
    <p>${say.html("settings.moved-away", { address: address || url, place: linkTo(url) })}</p>
    ${
      came
        ? html`<p>${say("settings.moved-followers")}</p>
            ${buttonForm(context, `${home}/back`, say("settings.write-here-again"))}`
        : ""
    }
  </section>`;
}

function aliasForm(context: MemberContext, aliases: readonly string[], typed?: Fields, wrong?: Fault): Html {
  const { say } = context;
  const shown = wrong?.field === "aliases" ? wrong : undefined;
  return html`<form class="card form-page" method="post" action="${home}/aliases">
    <h2>${say("settings.coming-title")}</h2>
    <p>${say.html("settings.coming-lead", { lists: linkTo("/settings/import-lists") })}</p>
    ${token(context)} ${alert(shown)}
    ${textArea(context, { label: say("settings.other-accounts"), name: "aliases", value: typed?.has("aliases") ? typed.text("aliases") : aliases.join("\n"), rows: 3, hint: say("settings.other-accounts-hint"), optional: true, fault: shown })}
    <p class="submit"><button class="button primary">${say("forms.save")}</button></p>
  </form>`;
}

function moveForm(context: MemberContext, typed?: Fields, wrong?: Fault): Html {
  const { say } = context;
  const shown = wrong?.field === "aliases" ? undefined : wrong;
  return html`<form class="card form-page" method="post" action="${home}">
    <h2>${say("settings.moving-title")}</h2>
    <p>${say.html("settings.moving-lead", { export: linkTo("/uexport") })}</p>
    ${token(context)} ${alert(shown)}
    ${textField(context, { label: say("settings.new-account"), name: "address", value: typed?.text("address") ?? "", hint: say("settings.new-account-hint"), required: true, fault: shown })}
    ${passwordFields(context, { fault: shown })}
    <p class="submit"><button class="button danger">${say("settings.move")}</button></p>
  </form>`;
}
