import { changeSiteTexts, siteTexts } from "../../../../domain/identity/site/site-settings.ts";
import type { SiteTexts } from "../../../../domain/identity/site/site-settings.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { MemberContext, Page } from "../../page.ts";
import { alert, textArea, textField, token } from "../../parts/forms.ts";
import { adminHead } from "../../parts/site/admin-head.ts";

const path = "/admin/texts";

/** What the hub says of itself to applications and other servers. */
export const adminTextsPages: Page[] = [{ path, access: "administrator", get: (context) => page(context), post: save }];

const longest = 20_000;

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      for (const name of ["about", "privacyPolicy", "rules"])
        if (typed.text(name).length > longest)
          throw fault(name, context.say("admin.at-most-characters", { most: longest }));
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
  const { say } = context;
  const known = await siteTexts(context.hub);
  const value = (name: Exclude<keyof SiteTexts, "rules">): string => typed?.text(name) ?? known[name];
  const main = html`${adminHead(context, say("admin.what-the-hub-says-of-itself"))}
    <form class="card form-page" method="post" action="${path}">
      ${token(context)} ${alert(wrong)}
      ${textField(context, { label: say("admin.in-a-few-words"), name: "description", value: value("description"), hint: say("admin.applications-and-other-servers-show-it-hint"), fault: wrong })}
      ${textArea(context, { label: say("admin.at-length"), name: "about", value: value("about"), rows: 6, fault: wrong })}
      ${textArea(context, { label: say("admin.rules-one-in-each-line"), name: "rules", value: typed?.text("rules") ?? known.rules.join("\n"), rows: 6, fault: wrong })}
      ${textArea(context, { label: say("admin.what-the-hub-does-with-data"), name: "privacyPolicy", value: value("privacyPolicy"), rows: 6, fault: wrong })}
      ${textField(context, { label: say("admin.e-mail-address-for-everybody"), name: "publicEmail", type: "email", value: value("publicEmail"), hint: say("admin.applications-show-it-as-the-way-hint"), fault: wrong })}
      <p class="submit"><button class="button primary">${say("forms.save")}</button></p>
    </form>`;
  return show(context, { title: say("admin.what-the-hub-says-of-itself"), main, status: wrong?.status ?? 200 });
}
