import { html } from "hono/html";
import { layOut } from "../../../../domain/bodies/texts.ts";
import { chooseLook, keepLogo, lookChoices } from "../../../../domain/identity/site/site-look.ts";
import type { Accents } from "../../../../domain/identity/site/site-look.ts";
import { changeFrontWords, changeSite, frontWords } from "../../../../domain/identity/site/site-settings.ts";
import { changeLogo } from "../../../../domain/photos/site-logo.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { readColour } from "../../look/colours.ts";
import { logoOf } from "../../look/logo.ts";
import { isReadable, longestCss, staysWithin } from "../../look/look-sheet.ts";
import type { MemberContext, Page } from "../../page.ts";
import { readSiteName } from "../../parts/account/registration.ts";
import { alert, box, fileField, textArea, textField, token } from "../../parts/forms.ts";
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
    async () => {
      const name = readSiteName(context.say, typed.word("site_name"));
      const accents = readAccents(typed);
      const css = readCss(typed);
      const frontText = typed.text("front_text").trim();
      if (frontText.length > longestText) throw fault("front_text", `At most ${longestText} characters.`);
      const logo = typed.file("logo");
      if (logo) await changeLogo(hub, logo.staged);
      else if (typed.has("no_logo")) await keepLogo(hub, undefined);
      await chooseLook(hub, { accents, css });
      await changeSite(hub, { name });
      const frontHtml = frontText === "" ? "" : (await layOut(hub, frontText, "text/markdown")).html;
      await changeFrontWords(hub, { frontText, frontHtml });
      return redirect(context, path, "saved");
    },
    (wrong) => page(context, typed, wrong),
  );
}

/** The usual colours are no choice. */
function readAccents(typed: Fields): Accents | undefined {
  const [light, dark] = [readAccent(typed, "light"), readAccent(typed, "dark")];
  return light === usual.light && dark === usual.dark ? undefined : { light, dark };
}

function readAccent(typed: Fields, where: keyof Accents): string {
  const name = `accent_${where}`;
  const colour = readColour(typed.word(name) || usual[where]);
  if (!colour) throw fault(name, "A colour is # and six digits from 0 to f.");
  if (!isReadable(colour, where))
    throw fault(
      name,
      where === "light"
        ? "Words in this colour are too pale to be read on light ground. Take a darker one."
        : "Words in this colour are too dim to be read on dark ground. Take a lighter one.",
    );
  return colour;
}

function readCss(typed: Fields): string {
  const css = typed.text("css").trim();
  if (css.length > longestCss) throw fault("css", `At most ${longestCss} characters.`);
  if (!staysWithin(css))
    throw fault("css", "Styles load nothing here: leave out @import, @font-face, url() and the like.");
  return css;
}

async function page(context: MemberContext, typed?: Fields, wrong?: Fault): Promise<Response> {
  const { hub, site } = context;
  const [{ accents = usual, css }, { frontText }] = await Promise.all([lookChoices(hub), frontWords(hub)]);
  const colour = (where: keyof Accents, label: string) =>
    textField(context, {
      label,
      name: `accent_${where}`,
      type: "color",
      value: typed?.text(`accent_${where}`) ?? accents[where],
      required: true,
      fault: wrong,
    });
  const main = html`${adminHead("Look")}
    <form class="card form-page" method="post" action="${path}" enctype="multipart/form-data">
      ${token(context)} ${alert(wrong)}
      ${textField(context, { label: "Name of the hub", name: "site_name", value: typed?.text("site_name") ?? site.name, required: true, fault: wrong })}
      <div class="row">
        <img class="logo-now" src="${logoOf(context)}" alt="The logo as it is" width="64" height="64" />
        ${fileField(context, { label: "Another logo", name: "logo", accept: "image/png,image/jpeg,image/webp,image/gif", hint: "A square with clear corners looks best. It is drawn anew as PNG.", fault: wrong })}
      </div>
      ${site.look?.logo ? box({ label: "Take the logo that all hubs have", name: "no_logo", checked: false }) : ""}
      ${colour("light", "Colour of links and buttons on light ground")} ${colour("dark", "The same on dark ground")}
      <p class="hint">
        Usual are <code>${usual.light}</code> and <code>${usual.dark}</code>. Words in these colours must be readable;
        everything else follows from them.
      </p>
      ${textArea(context, { label: "What the first page says", name: "front_text", value: typed?.text("front_text") ?? frontText, rows: 5, hint: "Markdown. It stands in the place of the words about the hub.", fault: wrong })}
      ${textArea(context, { label: "Own styles (CSS)", name: "css", value: typed?.text("css") ?? css, rows: 8, hint: "They come after the styles of the hub, and load nothing: no @import, no url().", fault: wrong })}
      <p class="submit"><button class="button primary">Save</button></p>
    </form>`;
  return show(context, { title: "Look", main, status: wrong?.status ?? 200 });
}
