import { pageLookOf, setPageLook, textSizes, themes } from "../../../../domain/identity/accounts/page-look.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { MemberContext, Page } from "../../page.ts";
import { radios, token } from "../../parts/forms.ts";

/** How pages look for whoever has the account: light or dark, and how large. */
export const settingsLookPages: Page[] = [
  { path: "/settings/look", access: "member", whileMoved: true, get: page, post: save },
];

async function page(context: MemberContext): Promise<Response> {
  const { member, say } = context;
  const { theme, textSize } = pageLookOf(member.account);
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.look")}</h1>
    <form class="card form-page" method="post">
      ${token(context)}
      ${radios({
        legend: say("settings.theme"),
        name: "theme",
        value: theme ?? "",
        choices: [
          ["", say("settings.theme-device"), say("settings.theme-device-hint")],
          ...themes.map((one) => [one, say(`settings.theme-${one}`), ""] as const),
        ],
      })}
      ${radios({
        legend: say("settings.text-size"),
        name: "text_size",
        value: textSize ?? "",
        choices: [
          ["", say("settings.text-device"), say("settings.text-device-hint")],
          ...textSizes.map((one) => [one, say(`settings.text-${one}`), ""] as const),
        ],
      })}
      <p class="submit"><button class="button primary">${say("forms.save")}</button></p>
    </form>`;
  return show(context, { title: say("settings.look"), main });
}

/** What is no choice leaves it to the browser. */
async function save(context: MemberContext, typed: Fields): Promise<Response> {
  await setPageLook(context.hub, context.member.account.account_id, {
    theme: themes.find((one) => one === typed.text("theme")),
    textSize: textSizes.find((one) => one === typed.text("text_size")),
  });
  return redirect(context, context.path, "saved");
}
