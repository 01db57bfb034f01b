import { html } from "hono/html";
import { changeSiteTexts, siteTexts } from "../../../../domain/identity/site/site-settings.ts";
import type { SiteTexts } from "../../../../domain/identity/site/site-settings.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { MemberContext, Page } from "../../page.ts";
import { alert, textArea, textField, token } from "../../parts/forms.ts";
import { adminHead } from "../../parts/site/admin-head.ts";

const path = "/admin/texts";

/** What the hub says of itself to applications and other servers. */
export const adminTextsPages: Page[] = [{ path, access: "administrator", get: (context) => page(context), post: save }];

const longest = 20_000;

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    async () => {
      for (const name of ["about", "privacyPolicy", "rules"])
        if (typed.text(name).length > longest) throw fault(name, `At most ${longest} characters.`);
      await changeSiteTexts(context.hub, {
        description: typed.word("description"),
        about: typed.text("about").trim(),
        privacyPolicy: typed.text("privacyPolicy").trim(),
        rules: typed
          .text("rules")
          .split("\n")
          .map((line) => line.trim())
          .filter((line) => line !== ""),
        publicEmail: typed.word("publicEmail"),
      });
      return redirect(context, path, "saved");
    },
    (wrong) => page(context, typed, wrong),
  );
}

async function page(context: MemberContext, typed?: Fields, wrong?: Fault): Promise<Response> {
  const known = await siteTexts(context.hub);
  const value = (name: Exclude<keyof SiteTexts, "rules">): string => typed?.text(name) ?? known[name];
  const main = html`${adminHead("What the hub says of itself")}
    <form class="card form-page" method="post" action="${path}">
      ${token(context)} ${alert(wrong)}
      ${textField(context, { label: "In a few words", name: "description", value: value("description"), hint: "Applications and other servers show it beside the name.", fault: wrong })}
      ${textArea(context, { label: "At length", name: "about", value: value("about"), rows: 6, fault: wrong })}
      ${textArea(context, { label: "Rules, one in each line", name: "rules", value: typed?.text("rules") ?? known.rules.join("\n"), rows: 6, fault: wrong })}
      ${textArea(context, { label: "What the hub does with data", name: "privacyPolicy", value: value("privacyPolicy"), rows: 6, fault: wrong })}
      ${textField(context, { label: "E-mail address for everybody", name: "publicEmail", type: "email", value: value("publicEmail"), hint: "Applications show it as the way to reach you.", fault: wrong })}
      <p class="submit"><button class="button primary">Save</button></p>
    </form>`;
  return show(context, { title: "What the hub says of itself", main, status: wrong?.status ?? 200 });
}
