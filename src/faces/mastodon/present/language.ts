/** The two or three letters that a language is known by here, without its region (mastodon contract 11.3); null for none. */
export function languageCode(language: string): string | null {
  return /^[a-z]{2,3}(?![a-z])/i.exec(language)?.[0].toLowerCase() ?? null;
}
