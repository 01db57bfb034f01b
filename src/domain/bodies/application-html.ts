import { attribute, escapeHtml } from "./escape.ts";
import { attributeOf, hasClass, htmlTokens } from "./html-tokens.ts";

/** What stands around a text: whom its mentions mean, and where its hashtags lead. */
export type ApplicationHtmlContext = {
  /** The page and the nick of the person with this profile address; undefined for whom nobody knows. */
  personAt(url: string): { url: string; nick: string } | undefined;
  tagUrl(name: string): string;
  /** Where what the text quotes stands, if that is shown beside it: a line leads there in the place of the quotation. */
  quoted?: string | undefined;
};

const kept: ReadonlySet<string> = new Set("em strong b i u s del code ruby rt rp".split(" "));
const boxes: ReadonlySet<string> = new Set("pre blockquote ul ol li".split(" "));
const paragraphs: ReadonlySet<string> = new Set(
  "p div section header footer figure figcaption details aside dl dt dd address nav tr table thead tbody".split(" "),
);
const headings: ReadonlySet<string> = new Set("h1 h2 h3 h4 h5 h6 summary".split(" "));

/** An element whose end is still to come; `from` is where its content begins, `end` what closes it. */
type Open = { name: string; start: string; end: string };
type Link = { from: number; start: string; kind: "mention" | "tag" | "link" | "none"; href: string };

/**
 * A stored text as applications for Mastodon read it (mastodon contract 4.5): paragraphs, simple marks, lists and links in the forms that they
 * know, and no pictures, which they get beside it. The same text gives the same answer.
 */
export function applicationHtml(html: string, context: ApplicationHtmlContext): string {
  const writer = new Writer(context);
  for (const token of htmlTokens(html)) {
    if (token.kind === "text") writer.text(token.source);
    else if (token.kind === "open") writer.open(token.name, token.attributes);
    else writer.close(token.name);
  }
  return writer.end();
}

class Writer {
  readonly #context: ApplicationHtmlContext;
  #out = "";
  #paragraph = "";
  #breaks = 0;
  /** Marks that are open in this paragraph, and go on in the next. */
  #marks: Open[] = [];
  #boxes: string[] = [];
  #link: Link | undefined;
  #isFirstCell = true;
  /** Direction and language of the paragraph that is open. */
  #said = "";
  /** Of each article that is open, whether it is a quotation. */
  #articles: boolean[] = [];
  /** So many articles deep stands what is left out. */
  #leftOut = 0;

  constructor(context: ApplicationHtmlContext) {
    this.#context = context;
  }

  text(source: string): void {
    if (this.#leftOut > 0) return;
    const isBlank = source.trim() === "";
    if (isBlank && (this.#isEmpty() || this.#breaks > 0) && !this.#boxes.includes("pre")) return;
    this.#writeBreaks();
    this.#paragraph += source;
  }

  open(name: string, attributes: string): void {
    if (name === "article") this.#openArticle(attributes);
    else if (this.#leftOut > 0) return;
    else if (name === "br") this.#breaks += 1;
    else if (name === "hr") this.#line("* * *");
    else if (name === "a") this.#openLink(attributes);
    else if (name === "img") this.#image(attributes);
    else if (name === "input") this.text(attributes.includes(" checked") ? "☑ " : "☐ ");
    else if (name === "sup" && /\d$/.test(this.#paragraph)) this.text("^");
    else if (kept.has(name)) this.#openMark({ name, start: `<${name}>`, end: `</${name}>` });
    else if (headings.has(name)) this.#openHeading(name);
    else if (boxes.has(name)) this.#openBox(name, attributes);
    else if (name === "td" || name === "th") this.#cell();
    else if (paragraphs.has(name)) this.#startParagraph(name, attributes);
  }

  close(name: string): void {
    if (name === "article") this.#closeArticle();
    else if (this.#leftOut > 0) return;
    else if (name === "a") this.#closeLink();
    else if (kept.has(name) || headings.has(name)) this.#closeMark(name);
    else if (boxes.has(name)) this.#closeBox(name);
    else if (paragraphs.has(name)) this.#flush();
  }

  end(): string {
    this.#flush();
    const { quoted } = this.#context;
    if (quoted === undefined) return this.#out;
    const address = escapeHtml(quoted);
    return `<p class="quote-inline">RE: <a${attribute("href", quoted)}${linkMarks}>${address}</a></p>${this.#out}`;
  }

  /** What a post shares is a quotation, unless it is shown beside the text. */
  #openArticle(attributes: string): void {
    const isShare = hasClass(attributes, "shared");
    if (this.#leftOut > 0 || (isShare && this.#context.quoted !== undefined && this.#articles.length === 0)) {
      if (this.#leftOut === 0) this.#flush();
      this.#leftOut += 1;
      return;
    }
    this.#articles.push(isShare);
    if (isShare) this.#openBox("blockquote", "");
    else this.#startParagraph("article");
  }

  #closeArticle(): void {
    if (this.#leftOut > 0) this.#leftOut -= 1;
    else if (this.#articles.pop()) this.#closeBox("blockquote");
    else this.#flush();
  }

  #isEmpty(): boolean {
    return this.#paragraph === this.#marks.map(({ start }) => start).join("");
  }

  /** Two breaks in a row end a paragraph where nothing else is open. */
  #writeBreaks(): void {
    const count = this.#breaks;
    this.#breaks = 0;
    if (count === 0 || this.#isEmpty()) return;
    const isPlain = this.#marks.length === 0 && this.#boxes.length === 0 && this.#link === undefined;
    if (count > 1 && isPlain) this.#flush();
    else this.#paragraph += "<br>".repeat(Math.min(count, 2));
  }

  #startParagraph(name: string, attributes = ""): void {
    this.#flush();
    const said = (attribute: string): string =>
      /^[a-z]{2,8}(-[a-z0-9]{1,8}){0,3}$/i.exec(attributeOf(attributes, attribute))?.[0] ?? "";
    this.#said = name === "p" ? attribute("dir", said("dir")) + attribute("lang", said("lang")) : "";
    if (name === "tr") this.#isFirstCell = true;
  }

  #cell(): void {
    if (!this.#isFirstCell) this.text(" | ");
    this.#isFirstCell = false;
  }

  #line(text: string): void {
    this.#flush();
    this.#out += `<p>${text}</p>`;
  }

  #openHeading(name: string): void {
    this.#flush();
    this.#openMark({ name, start: "<strong>", end: "</strong>" });
  }

  #openMark(mark: Open): void {
    this.#writeBreaks();
    this.#marks.push(mark);
    this.#paragraph += mark.start;
  }

  #closeMark(name: string): void {
    const at = this.#marks.findLastIndex((mark) => mark.name === name);
    const mark = this.#marks[at];
    if (!mark) return;
    this.#marks.splice(at, 1);
    this.#paragraph += mark.end;
    if (headings.has(name)) this.#flush();
  }

  #openBox(name: string, attributes: string): void {
    this.#flush();
    const number = (attribute: string): string => /^-?\d{1,9}$/.exec(attributeOf(attributes, attribute))?.[0] ?? "";
    const shown =
      name === "ol"
        ? attribute("start", number("start")) + (attributes.includes(" reversed") ? " reversed" : "")
        : name === "li"
          ? attribute("value", number("value"))
          : "";
    this.#out += `<${name}${shown}>`;
    this.#boxes.push(name);
  }

  #closeBox(name: string): void {
    this.#flush();
    const at = this.#boxes.lastIndexOf(name);
    if (at === -1) return;
    for (const box of this.#boxes.splice(at).toReversed()) this.#out += `</${box}>`;
  }

  /** Emoji are characters; all other pictures stand beside the text. */
  #image(attributes: string): void {
    if (hasClass(attributes, "emoji")) this.text(escapeHtml(attributeOf(attributes, "alt")));
  }

  #openLink(attributes: string): void {
    this.#writeBreaks();
    const href = attributeOf(attributes, "href");
    const known = hasClass(attributes, "mention") ? "mention" : hasClass(attributes, "hashtag") ? "tag" : "link";
    const kind = known === "link" && !/^https?:\/\//i.test(href) ? "none" : known;
    this.#link = { from: this.#paragraph.length, start: this.#paragraph, kind, href };
  }

  #closeLink(): void {
    const link = this.#link;
    this.#link = undefined;
    // A paragraph that ended within the link has taken its beginning along.
    if (!link || !this.#paragraph.startsWith(link.start)) return;
    const inner = this.#paragraph.slice(link.from);
    this.#paragraph = link.start + this.#written(link, inner);
  }

  #written({ kind, href }: Link, inner: string): string {
    if (inner === "" || kind === "none") return inner;
    if (kind === "link") return plainLink(href, inner);
    if (kind === "tag") {
      const name = inner.replace(/^#/, "");
      return `<a${attribute("href", this.#context.tagUrl(name))} class="mention hashtag" rel="tag">#<span>${name}</span></a>`;
    }
    const person = this.#context.personAt(href);
    if (!person) return inner;
    return `<span class="h-card" translate="no"><a${attribute("href", person.url)} class="u-url mention">@<span>${escapeHtml(person.nick)}</span></a></span>`;
  }

  #flush(): void {
    this.#breaks = 0;
    if (!this.#isEmpty() && this.#paragraph.trim() !== "") {
      const text = (
        this.#paragraph +
        this.#marks
          .map(({ end }) => end)
          .toReversed()
          .join("")
      ).trimEnd();
      const box = this.#boxes.at(-1);
      this.#out += box === undefined || box === "blockquote" ? `<p${this.#said}>${text}</p>` : text;
    }
    this.#said = "";
    this.#paragraph = this.#marks.map(({ start }) => start).join("");
  }
}

const shownLength = 30;
const linkMarks = ' rel="nofollow noopener" target="_blank" translate="no"';

/** An address as programs read it that know no others: signs beyond ASCII are written in percent. What cannot be read stays. */
export function asciiUrl(url: string): string {
  return /^[\x21-\x7e]*$/.test(url) || !URL.canParse(url) ? url : new URL(url).href;
}

/** A link whose text is its own address is shown in short. */
function plainLink(href: string, inner: string): string {
  const open = `<a${attribute("href", asciiUrl(href))}${linkMarks}>`;
  const address = escapeHtml(href);
  if (inner !== address && `${inner}/` !== address) return `${open}${inner}</a>`;
  const scheme = /^https?:\/\/(?:www\.)?/i.exec(href)?.[0] ?? "";
  const rest = href.slice(scheme.length);
  const [shown, hidden] = [rest.slice(0, shownLength), rest.slice(shownLength)];
  const middle = hidden === "" ? "<span>" : '<span class="ellipsis">';
  return `${open}<span class="invisible">${escapeHtml(scheme)}</span>${middle}${escapeHtml(shown)}</span><span class="invisible">${escapeHtml(hidden)}</span></a>`;
}
