/** Settings of the account and of the channel. */
export const settings = {
  language: "Language",
  "language-of-browser": "As the browser asks for",
  "language-hint": "Of pages, mails and notices.",
  "language-save": "Use it",
  "language-unknown": "Choose one of the languages.",
} as const;
