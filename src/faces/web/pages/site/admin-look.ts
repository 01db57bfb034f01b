import { layOut } from "../../../../domain/bodies/texts.ts";
import { chooseLook, keepLogo, lookChoices } from "../../../../domain/identity/site/site-look.ts";
import type { Accents } from "../../../../domain/identity/site/site-look.ts";
import { changeFrontWords, changeSite, frontWords } from "../../../../domain/identity/site/site-settings.ts";
import { themesOf } from "../../../../extensions/theme-sheet.ts";
import { changeLogo } from "../../../../domain/photos/site-logo.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { readColour } from "../../look/colours.ts";
import { logoOf } from "../../look/logo.ts";
import { isReadable, longestCss, staysWithin } from "../../look/look-sheet.ts";
import type { Say } from "../../languages/say.ts";
import type { MemberContext, Page } from "../../page.ts";
import { readSiteName } from "../../parts/account/registration.ts";
import { alert, box, choice, fileField, textArea, textField, token } from "../../parts/forms.ts";
import { adminHead } from "../../parts/site/admin-head.ts";

const path = "/admin/look";
/** The colours of the hub's own sheet (assets/hubbub.css). */
const usual: Accents = { light: "#17684d", dark: "#7dd3b0" };
const longestText = 5000;

/** Name, colours, logo, styles and the words of the first page; for administrators. */
export const adminLookPages: Page[] = [
  { path, access: "administrator", get: (context) => page(context), post: save, files: ["logo"] },
];

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub } = context;
  return tryForm(
    context,
    async () => {
      const name = readSiteName(context.say, typed.word("site_name"));
      const accents = readAccents(context.say, typed);
      const css = readCss(context.say, typed);
      const frontText = typed.text("front_text").trim();
      if (frontText.length > longestText)
        throw fault("front_text", context.say("admin.at-most-characters", { most: longestText }));
      const logo = typed.file("logo");
      if (logo) await changeLogo(hub, logo.staged);
      else if (typed.has("no_logo")) await keepLogo(hub, undefined);
      await chooseLook(hub, { accents, css, theme: readTheme(context, typed) });
      await changeSite(hub, { name });
      const frontHtml = frontText === "" ? "" : (await layOut(hub, frontText, "text/markdown")).html;
      await changeFrontWords(hub, { frontText, frontHtml });
      return redirect(context, path, "saved");
    },
    (wrong) => page(context, typed, wrong),
  );
}

/** The usual colours are no choice. */
function readAccents(say: Say, typed: Fields): Accents | undefined {
  const [light, dark] = [readAccent(say, typed, "light"), readAccent(say, typed, "dark")];
  return light === usual.light && dark === usual.dark ? undefined : { light, dark };
}

function readAccent(say: Say, typed: Fields, where: keyof Accents): string {
  const name = `accent_${where}`;
  const colour = readColour(typed.word(name) || usual[where]);
  if (!colour) throw fault(name, say("admin.not-a-colour"));
  if (!isReadable(colour, where)) throw fault(name, where === "light" ? say("admin.too-pale") : say("admin.too-dim"));
  return colour;
}

/** One that an extension offers, or none. */
function readTheme({ hub }: MemberContext, typed: Fields): string {
  return themesOf(hub.extensions).find(({ name }) => name === typed.word("theme"))?.name ?? "";
}

function readCss(say: Say, typed: Fields): string {
  const css = typed.text("css").trim();
  if (css.length > longestCss) throw fault("css", say("admin.at-most-characters", { most: longestCss }));
  if (!staysWithin(css)) throw fault("css", say("admin.styles-load-nothing-here-leave-out"));
  return css;
}

async function page(context: MemberContext, typed?: Fields, wrong?: Fault): Promise<Response> {
  const { hub, site, say } = context;
  const [{ accents = usual, css, theme }, { frontText }] = await Promise.all([lookChoices(hub), frontWords(hub)]);
  const colour = (where: keyof Accents) =>
    textField(context, {
      label: say(`admin.accent-${where}`),
      name: `accent_${where}`,
      type: "color",
      value: typed?.text(`accent_${where}`) ?? accents[where],
      required: true,
      fault: wrong,
    });
  const themes = themesOf(hub.extensions).map(({ name, theme: { label } }) => [name, label] as const);
  const main = html`${adminHead(context, say("admin.look"))}
    <form class="card form-page" method="post" action="${path}" enctype="multipart/form-data">
      ${token(context)} ${alert(wrong)}
      ${textField(context, { label: say("admin.name-of-the-hub"), name: "site_name", value: typed?.text("site_name") ?? site.name, required: true, fault: wrong })}
      <img class="logo-now" src="${logoOf(context)}" alt="${say("admin.logo-now")}" width="64" height="64" />
      ${fileField(context, { label: say("admin.another-logo"), name: "logo", accept: "image/png,image/jpeg,image/webp,image/gif", hint: say("admin.a-square-with-clear-corners-looks-hint"), fault: wrong })}
      ${site.look?.logo ? box({ label: say("admin.take-the-logo-that-all-hubs"), name: "no_logo", checked: false }) : ""}
      ${themes.length === 0 ? "" : choice(context, { label: say("admin.theme"), name: "theme", value: typed?.text("theme") ?? theme, choices: [["", say("admin.theme-usual")], ...themes], hint: say("admin.theme-hint") })}
      ${colour("light")} ${colour("dark")}
      <p class="hint">${say.html("admin.usual-colours", usual)}</p>
      ${textArea(context, { label: say("admin.what-the-first-page-says"), name: "front_text", value: typed?.text("front_text") ?? frontText, rows: 5, hint: say("admin.markdown-it-stands-in-the-place-hint"), fault: wrong })}
      ${textArea(context, { label: say("admin.own-styles-css"), name: "css", value: typed?.text("css") ?? css, rows: 8, hint: say("admin.they-come-after-the-styles-of-hint"), fault: wrong })}
      <p class="submit"><button class="button primary">${say("forms.save")}</button></p>
    </form>`;
  return show(context, { title: say("admin.look"), main, status: wrong?.status ?? 200 });
}
