/** Texts that are the same in English and in a translation; a test asks for everything else to be translated. */
export const sameAsEnglish: Readonly<Record<string, readonly string[]>> = {
  de: ["account.code", "account.name", "files.album", "files.name", "files.version", "layout.stream"],
  fr: [
    "account.code",
    "account.email",
    "account.invitation",
    "events.description",
    "files.album",
    "files.albums",
    "files.description",
    "files.pages",
    "files.public",
    "files.version",
    "files.versions",
    "layout.administration",
    "layout.messages",
  ],
  es: ["account.no"],
  pt: ["account.email"],
};
