/** How the networks of xchan records are called in front of people. */
const names: Readonly<Record<string, string>> = {
  zot: "Hubbub",
  activitypub: "ActivityPub",
  gnusoc: "GNU social",
  ostatus: "OStatus",
  diaspora: "Diaspora",
  "friendica-over-diaspora": "Friendica",
  rss: "RSS/Atom",
};

/** The display name of a network; never empty. */
export function networkName(code: string): string {
  if (code === "") return "Hubbub";
  return Object.hasOwn(names, code) ? names[code]! : code[0]!.toUpperCase() + code.slice(1);
}

/** What a status was written with: `App (Network)`, plain text, never with an empty pair of brackets. */
export function sourceOf(app: string, network: string): string {
  const where = networkName(network);
  const name = app.includes("<") ? app.replace(/<[^>]*>/g, "").trim() : app;
  return name === "" || name === where ? where : `${name} (${where})`;
}
