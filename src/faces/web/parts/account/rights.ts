import { english } from "../../languages/english.ts";
import type { Say } from "../../languages/say.ts";

type Right = Extract<keyof typeof english.account, `right-${string}`>;

/** What these scopes let an application do, each in words (Mastodon contract 9.6); the wide ones stand for all of theirs. */
export function rightsOf(say: Say, scopes: readonly string[]): string[] {
  return scopes.map((scope) => {
    const key = `right-${scope.replace(":", "-")}`;
    return isRight(key) ? say(`account.${key}`) : scope;
  });
}

function isRight(key: string): key is Right {
  return Object.hasOwn(english.account, key);
}
