import { emojiNamed, smileys } from "./emoji-names.ts";

const shortname = /:([a-z0-9_+-]{1,40})(?=:)/g;
let typed: RegExp | undefined;

/** Replaces `:name:` and typed smileys by Unicode characters; takes and gives plain text. */
export function withEmoji(text: string): string {
  return smileysReplaced(text.includes(":") ? namesReplaced(text) : text);
}

function namesReplaced(text: string): string {
  let result = "";
  let done = 0;
  for (const match of text.matchAll(shortname)) {
    const emoji = emojiNamed(match[1] ?? "");
    if (emoji === undefined || match.index < done) continue;
    result += text.slice(done, match.index) + emoji;
    done = match.index + match[0].length + 1;
  }
  return result + text.slice(done);
}

function smileysReplaced(text: string): string {
  typed ??= smileyPattern();
  return text.replace(typed, (smiley) => smileys.get(smiley) ?? smiley);
}

function smileyPattern(): RegExp {
  const longestFirst = [...smileys.keys()].sort((a, b) => b.length - a.length);
  const escaped = longestFirst.map((smiley) => smiley.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return new RegExp(`(?<![^\\s(])(?:${escaped.join("|")})(?![^\\s.,;!?)])`, "g");
}
