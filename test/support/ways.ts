/** How somebody looks at pages: in which language, in how wide a window, and with scripts or without. */
export type Way = { language: string; width: number; scripts: boolean };

const [wide, narrow] = [1100, 320];
const languages = ["de", "fr", "es", "pt", "en"];

/** The first two have both widths and two languages; the third has no scripts. All are twenty. */
const all: Way[] = [
  { language: "en", width: wide, scripts: true },
  { language: "de", width: narrow, scripts: true },
  { language: "fr", width: narrow, scripts: false },
  { language: "en", width: narrow, scripts: true },
  { language: "en", width: wide, scripts: false },
];
for (const language of languages)
  for (const width of [wide, narrow])
    for (const scripts of [true, false])
      if (!all.some((one) => one.language === language && one.width === width && one.scripts === scripts))
        all.push({ language, width, scripts });

/** So many of them, the most different ones first; only those with scripts, or without, where that is said. */
export function waysToLook(count: number, only: Partial<Pick<Way, "scripts">> = {}): Way[] {
  return all.filter(({ scripts }) => scripts === (only.scripts ?? scripts)).slice(0, count);
}
