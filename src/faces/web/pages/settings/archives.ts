import {
  archiveKinds,
  archiveNow,
  archiveRhythms,
  dropArchivePlace,
  findArchivePlace,
  mostKept,
  saveArchivePlace,
} from "../../../../domain/archives/archive-place.ts";
import type { ArchivePlace } from "../../../../domain/archives/archive-place.ts";
import { reasons, tryArchivePlace } from "../../../../domain/archives/open-place.ts";
import type { ArchiveFault } from "../../../../domain/archives/open-place.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import { checkPassword, passwordFields } from "../../own-password.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, box, buttonForm, choice, radios, textField, token } from "../../parts/forms.ts";
import { exactTime } from "../../parts/times.ts";
import { size } from "../../parts/files/sizes.ts";

const home = "/settings/archives";

/** Archives of the channel that go to a place of its owner's by themselves (decision 111). */
export const settingsArchivesPages: Page[] = [
  { path: home, access: "member", get: (context) => page(context, {}), post: save },
  { path: `${home}/try`, access: "member", post: tryIt },
  { path: `${home}/now`, access: "member", post: makeNow },
  { path: `${home}/remove`, access: "member", post: remove },
];

/** It holds the key of the channel, as exports do, so the password is asked for again. */
async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, say } = context;
  return tryForm(
    context,
    async () => {
      await checkPassword(context, typed, "own_password");
      const wrong = await saveArchivePlace(hub, member.channel.channel_id, orderIn(typed));
      if (wrong === "address") throw fault("address", say("settings.archives-address-wrong"));
      if (wrong === "passphrase") throw fault("passphrase", say("settings.archives-passphrase-lost"));
      if (wrong === "secret") throw fault("secret", say("settings.archives-secret-missing"));
      return redirect(context, home, "saved");
    },
    (wrong) => page(context, { typed, wrong }),
  );
}

function orderIn(typed: Fields) {
  const keep = Math.trunc(Number(typed.word("keep")));
  const given = (name: string): string | undefined => typed.text(name) || undefined;
  return {
    kind: archiveKinds.find((kind) => kind === typed.word("kind")) ?? "webdav",
    address: typed.word("address"),
    login: typed.text("login"),
    password: given("secret"),
    region: typed.word("region"),
    passphrase: typed.has("plain") ? "" : given("passphrase"),
    every: archiveRhythms.find((every) => every === typed.word("every")) ?? "week",
    keep: Math.min(mostKept, Math.max(1, Number.isFinite(keep) ? keep : 1)),
  };
}

async function tryIt(context: MemberContext): Promise<Response> {
  const tried = await tryArchivePlace(context.hub, context.member.channel.channel_id);
  return tried ? page(context, { tried }) : redirect(context, home, "archives-tried");
}

async function makeNow(context: MemberContext): Promise<Response> {
  await archiveNow(context.hub, context.member.channel.channel_id);
  return redirect(context, home, "archives-now");
}

async function remove(context: MemberContext): Promise<Response> {
  await dropArchivePlace(context.hub, context.member.channel.channel_id);
  return redirect(context, home, "removed");
}

type Answered = { typed?: Fields; wrong?: Fault; tried?: ArchiveFault };

async function page(context: MemberContext, shown: Answered): Promise<Response> {
  const { hub, member, say } = context;
  const place = await findArchivePlace(hub, member.channel.channel_id);
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.archives")}</h1>
    <p class="lead">${say.html("settings.archives-lead", { export: linkTo("/uexport") })}</p>
    ${shown.tried ? html`<div class="alert several" role="alert">${faultWords(context, shown.tried)}</div>` : ""}
    ${place ? state(context, place) : ""} ${form(context, place, shown)}`;
  return show(context, {
    title: say("settings.archives"),
    main,
    status: shown.wrong?.status ?? (shown.tried ? 422 : 200),
  });
}

function faultWords({ say }: MemberContext, { reason, detail }: { reason: string; detail: string }): Html {
  const known = reasons.find((one) => one === reason) ?? "away";
  return html`<p>${say(`settings.archives-why-${known}`)}</p>
    ${detail === "" ? "" : html`<p><code>${detail}</code></p>`}`;
}

function state(context: MemberContext, { last, failure, nextAt, isUnderWay, paused }: ArchivePlace): Html {
  const { say } = context;
  return html`<section class="card">
    <h2>${say("settings.archives-state")}</h2>
    ${
      last
        ? html`<p>
              ${say.html("settings.archives-last", { when: exactTime(context, last.at), size: size(context, last.size) })}
            </p>
            <p><code>${last.name}</code></p>`
        : html`<p>${say("settings.archives-none")}</p>`
    }
    ${
      failure
        ? html`<div class="alert several">
            <p>
              ${say.html("settings.archives-failed", { times: failure.times, when: exactTime(context, failure.at) })}
            </p>
            ${faultWords(context, failure)}
          </div>`
        : ""
    }
    ${
      paused === undefined
        ? html`<p>
            ${isUnderWay ? say("settings.archives-under-way") : say.html("settings.archives-next", { when: exactTime(context, nextAt) })}
          </p>`
        : html`<p class="alert">${say.html("settings.archives-paused", { when: exactTime(context, paused) })}</p>`
    }
    <div class="submit">
      ${buttonForm(context, `${home}/try`, say("settings.archives-try"))}
      ${buttonForm(context, `${home}/now`, say(paused === undefined ? "settings.archives-now" : "settings.archives-resume"))}
      ${buttonForm(context, `${home}/remove`, say("settings.archives-remove"), { kind: "danger" })}
    </div>
    <p><small>${say("settings.archives-remove-hint")}</small></p>
  </section>`;
}

async function form(context: MemberContext, place: ArchivePlace | undefined, shown: Answered): Promise<Html> {
  const { say } = context;
  const { typed, wrong } = shown;
  const value = (name: "kind" | "address" | "login" | "region" | "every" | "keep", usual: string): string =>
    typed?.text(name) ?? String(place?.[name] ?? usual);
  const kept = place ? say("settings.archives-leave-empty") : undefined;
  return html`<form class="card form-page" method="post" action="${home}">
    <h2>${say("settings.archives-place")}</h2>
    ${token(context)} ${alert(wrong)}
    ${radios({
      legend: say("settings.archives-kind"),
      name: "kind",
      value: value("kind", "webdav"),
      choices: archiveKinds.map((kind) => [
        kind,
        say(`settings.archives-kind-${kind}`),
        say(`settings.archives-kind-${kind}-hint`),
      ]),
    })}
    ${textField(context, { label: say("settings.archives-address"), name: "address", type: "url", value: value("address", ""), hint: say("settings.archives-address-hint"), required: true, fault: wrong })}
    ${textField(context, { label: say("settings.archives-login"), name: "login", value: value("login", ""), autocomplete: "off", required: true, fault: wrong })}
    ${textField(context, { label: say("settings.archives-secret"), name: "secret", type: "password", autocomplete: "new-password", hint: kept, required: !place, optional: Boolean(place), fault: wrong })}
    ${textField(context, { label: say("settings.archives-region"), name: "region", value: value("region", ""), hint: say("settings.archives-region-hint"), optional: true, fault: wrong })}
    ${choice(context, { label: say("settings.archives-every"), name: "every", value: value("every", "week"), choices: archiveRhythms.map((every) => [every, say(`settings.archives-every-${every}`)]) })}
    ${textField(context, { label: say("settings.archives-keep"), name: "keep", type: "number", min: 1, max: mostKept, value: value("keep", "4"), hint: say("settings.archives-keep-hint"), required: true, fault: wrong })}
    ${textField(context, { label: say("settings.archives-passphrase"), name: "passphrase", type: "password", autocomplete: "new-password", hint: `${say("settings.archives-passphrase-hint")} ${place?.isSealed ? say("settings.archives-leave-empty") : ""}`.trim(), optional: true, fault: wrong })}
    ${place?.isSealed ? box({ label: say("settings.archives-plain"), name: "plain", checked: false }) : ""}
    ${await passwordFields(context, { name: "own_password", fault: wrong })}
    <p class="submit"><button class="button primary">${say("forms.save")}</button></p>
  </form>`;
}
