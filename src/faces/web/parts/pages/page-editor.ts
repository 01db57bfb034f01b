import { html } from "hono/html";
import type { ListedPage, WebPage } from "../../../../domain/pages/columns.ts";
import type { PageKind } from "../../../../domain/pages/kinds.ts";
import type { Html, MemberContext } from "../../page.ts";
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
export const textTypes = [
  ["text/bbcode", "BBCode"],
  ["text/markdown", "Markdown"],
  ["text/html", "HTML"],
  ["text/x-multicode", "BBCode, Markdown and HTML mixed"],
  ["text/plain", "Plain text"],
] as const;

const layoutTypes = [
  ["application/x-pdl", "Layout language"],
  ["text/bbcode", "BBCode"],
] as const;

/** The form for a webpage, block or layout. */
export function pageEditor(context: MemberContext, options: Options): Html {
  const { kind, title, page, audience, own, typed, fault, preview, wayBack, deletePath } = options;
  const value = (name: string, stored: string | undefined): string => typed?.text(name) ?? stored ?? "";
  const types = kind === "layout" ? layoutTypes : textTypes;
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
      before: html`${textField(context, { label: "Title", name: "title", value: value("title", page?.title), fault })}
      ${textField(context, { label: nameLabel(kind), name: "pagetitle", value: value("pagetitle", page?.name), hint: nameHint(options), fault })}`,
      text: { label: "Text", value: value("body", page?.body), rows: 14, hint: textHint(kind) },
      files: audience !== undefined && kind !== "layout",
      extras: html`<div class="columns">
        ${choice(context, { label: "Written in", name: "mimetype", value: value("mimetype", page?.mimetype) || types[0][0], choices: types, fault })}
        ${kind === "webpage" ? layoutChoice(context, options, value("layout", page?.layout_mid)) : ""}
      </div>`,
      foot: audience
        ? audiencePicker(audience, fault?.field === "audience")
        : html`<p class="hint">Visible to everybody who may see the channel's pages.</p>`,
      ways: html`<a href="${wayBack}">${page ? "Leave it as it is" : "Leave it"}</a>
        ${deletePath ? html`<a class="danger-link" href="${deletePath}">Delete</a>` : ""}`,
      send: "Save",
    })}
  </section>`;
}

function nameLabel(kind: PageKind): string {
  return kind === "webpage" ? "Name in the address" : "Name";
}

function nameHint({ kind, nick }: Options): string {
  if (kind === "webpage") return `The page is at /page/${nick}/name. Letters, digits and dashes are best.`;
  return kind === "block" ? "Pages call it with [block]name[/block]." : "How you find it in the list.";
}

function textHint(kind: PageKind): string {
  return kind === "layout"
    ? "For example: [region=aside][menu]main[/menu][block]about-us[/block][/region] [region=content][content][/region]. Regions: header, aside, content, right_aside, footer. [template]full[/template] puts them below one another."
    : "[block]name[/block] and [menu]name[/menu] show a block or a menu there.";
}

function layoutChoice(context: MemberContext, { layouts, fault }: Options, chosen: string): Html {
  const choices = [["", "None"] as const, ...layouts.map((one) => [one.mid, one.title || one.name] as const)];
  return choice(context, { label: "Layout", name: "layout", value: chosen, choices, fault });
}
