import type { Visitor } from "./visitor.ts";

/** The hidden fields of the form that asks for consent. */
export function hiddenIn(html: string): Record<string, string> {
  const main = html.slice(html.indexOf("<main"));
  const fields = main.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries(Array.from(fields, ([, name, value]) => [name!, value!.replaceAll("&amp;", "&")]));
}

/** Says yes to the application that leads the visitor here; answers where it sends them. */
export async function sayYes(visitor: Visitor, path: string): Promise<string> {
  const { text } = await visitor.get(path);
  const answer = await visitor.post("/oauth/authorize", { ...hiddenIn(text), oauth_yes: "Yes" });
  if (answer.status !== 302) throw new Error(`Nobody was asked: ${answer.text}`);
  return answer.location;
}

/** The code that somebody who said yes is sent off with. */
export function codeIn(location: string): string {
  return /[?&]code=([\w-]+)/.exec(location)![1]!;
}
