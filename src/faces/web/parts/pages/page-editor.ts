import type { ListedPage, WebPage } from "../../../../domain/pages/columns.ts";
import type { PageKind } from "../../../../domain/pages/kinds.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, PageContext } from "../../page.ts";
import { audiencePicker } from "../items/audience.ts";
import type { AudienceChoice } from "../items/audience.ts";
import { composer } from "../items/composer.ts";
import type { ComposerState } from "../items/composer.ts";
import type { OwnComposer } from "../items/load-composer.ts";
import { choice, textField } from "../forms.ts";

type Options = ComposerState & {
  own: OwnComposer;
  kind: PageKind;
  title: string;
  nick: string;
  page: WebPage | undefined;
  /** The layouts that a webpage can have. */
  layouts: ListedPage[];
  /** Undefined on the channel of somebody else: it decides. */
  audience: AudienceChoice | undefined;
  wayBack: string;
  deletePath: string | undefined;
};

/** Content types that people can choose, in their words. */
export const textTypes = ({ say }: PageContext) =>
  [
    ["text/bbcode", "BBCode"],
    ["text/markdown", "Markdown"],
    ["text/html", "HTML"],
    ["text/x-multicode", say("pages.type-multicode")],
    ["text/plain", say("pages.type-plain")],
  ] as const;

const layoutTypes = ({ say }: PageContext) =>
  [
    ["application/x-pdl", say("pages.type-layout")],
    ["text/bbcode", "BBCode"],
  ] as const;

/** The form for a webpage, block or layout. */
export function pageEditor(context: MemberContext, options: Options): Html {
  const { kind, title, page, audience, own, typed, fault, preview, wayBack, deletePath } = options;
  const { say } = context;
  const value = (name: string, stored: string | undefined): string => typed?.text(name) ?? stored ?? "";
  const types = (kind === "layout" ? layoutTypes : textTypes)(context);
  return html`<section class="writing-page">
    <h1>${title}</h1>
    ${composer(context, {
      typed,
      fault,
      preview,
      own,
      id: "page",
      name: title,
      action: context.path,
      before: html`${textField(context, { label: say("pages.title"), name: "title", value: value("title", page?.title), fault })}
      ${textField(context, { label: say(kind === "webpage" ? "pages.name-in-address" : "pages.name"), name: "pagetitle", value: value("pagetitle", page?.name), hint: nameHint(context, options), fault })}`,
      text: {
        label: say("pages.text"),
        value: value("body", page?.body),
        rows: 14,
        hint: say(kind === "layout" ? "pages.text-hint-layout" : "pages.text-hint"),
      },
      files: audience !== undefined && kind !== "layout",
      extras: html`<div class="columns">
        ${choice(context, { label: say("pages.written-in"), name: "mimetype", value: value("mimetype", page?.mimetype) || types[0][0], choices: types, fault })}
        ${kind === "webpage" ? layoutChoice(context, options, value("layout", page?.layout_mid)) : ""}
      </div>`,
      foot: audience
        ? audiencePicker(context, audience, fault?.field === "audience")
        : html`<p class="hint">${say("pages.seen-by-page-readers")}</p>`,
      ways: html`<a href="${wayBack}">${say(page ? "forms.leave-as-is" : "forms.leave-it")}</a>
        ${deletePath ? html`<a class="danger-link" href="${deletePath}">${say("forms.delete")}</a>` : ""}`,
      send: say("forms.save"),
    })}
  </section>`;
}

function nameHint({ say }: MemberContext, { kind, nick }: Options): string {
  return kind === "webpage" ? say("pages.name-hint-webpage", { nick }) : say(`pages.name-hint-${kind}`);
}

function layoutChoice(context: MemberContext, { layouts, fault }: Options, chosen: string): Html {
  const choices = [
    ["", context.say("pages.no-layout")] as const,
    ...layouts.map((one) => [one.mid, one.title || one.name] as const),
  ];
  return choice(context, { label: context.say("pages.layout"), name: "layout", value: chosen, choices, fault });
}
