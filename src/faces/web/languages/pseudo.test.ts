import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import { crawl } from "../../../../test/support/crawl.ts";
import { makeAccount, password } from "../../../../test/support/hub.ts";
import { pseudo, speakPseudo, wordsPast } from "../../../../test/support/pseudo-language.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import type { VisitedPage } from "../../../../test/support/visitor.ts";
import { wholeChannel } from "../../../../test/support/whole-channel.ts";
import { findAccount, setLanguage } from "../../../domain/identity/accounts/accounts.ts";
import { createChannel } from "../../../domain/identity/channels/channels.ts";
import { pages } from "../pages/table.ts";
import { languagesOf } from "./languages.ts";

/** Pages in a language that nobody speaks: what is readable on them is what people wrote, or has been left out of the catalogues. */

let world: TestApp;
/** All that the database holds: words of people. */
let written: string;
/** What is the same in all languages: names, units, words that programs read, and where something is. */
const same =
  /\b(?:Hubbub|API|UTC|GMT|[kMGT]B)\b|\b(?:from|since|until):\S+|\S+@other\.example\b|https:\/\/…|^[/#]\S*$/g;
const names = new Set(Intl.supportedValuesOf("timeZone").map((zone) => zone.replaceAll("_", " ")));
/** English of pages, by their rows. */
const found = new Map<string, Set<string>>();

beforeAll(async () => {
  world = await openTestApp();
  const { hub, app } = world;
  const alma = await wholeChannel(hub, "alma");
  const root = await makeAccount(hub, "root@example.org", { roles: 4096 });
  await createChannel(hub, root, { nick: "root", name: "Root" });
  speakPseudo(hub);
  for (const { name } of languagesOf(hub).values()) names.add(name);
  await setLanguage(hub, alma.channel_account_id, pseudo);
  await setLanguage(hub, (await findAccount(hub, "root@example.org"))!.account_id, pseudo);
  written = await everythingWritten();
  const [owner, administrator, nobody] = [visitorOf(app), visitorOf(app), visitorOf(app)];
  await owner.logIn("alma", password);
  await administrator.logIn("root", password);
  const abroad = { ...nobody, get: (path: string) => nobody.get(path, { "accept-language": `${pseudo}, en;q=0.5` }) };
  const start = [
    "/network",
    "/channel/alma",
    "/channel/bob",
    "/webpages/alma",
    "/wiki/alma",
    "/moderate",
    "/import",
    "/uexport",
  ];
  const unlinked = [
    "/new_channel",
    "/search?search=hello",
    "/follow",
    "/welcome",
    "/settings/invitations",
    "/no/such/page",
    "/folders",
    "/drafts",
    "/scheduled",
  ];
  await crawl(owner, [...start, ...unlinked], kindOf, look, 1);
  await crawl(administrator, ["/admin"], kindOf, look, 1);
  await crawl(abroad, ["/", "/register", "/login/forgotten", "/channel/alma"], kindOf, look, 1);
});
afterAll(() => world.close());

function rowOf(path: string): string | undefined {
  const plain = path.split("?")[0]!;
  return pages.find((row) => formOf(row.path).test(plain))?.path;
}

function formOf(path: string): RegExp {
  const source = path.replace(
    /\/:\w+(?:\{((?:[^{}]|\{[^}]*\})+)\})?(\?)?/g,
    (_, form = "[^/]+", maybe = "") => `(?:/(?:${form}))${maybe}`,
  );
  return new RegExp(`^${source}$`);
}

/** Pages of the API are in English; what is no page says nothing. */
function kindOf(path: string): string | undefined {
  return /^\/(logout|api|assets|photo|feed|attach|uexport\/|help)/.test(path) ? undefined : rowOf(path);
}

function look(path: string, { text, headers, status }: VisitedPage): void {
  if (!headers.get("content-type")?.startsWith("text/html") || !text.includes("<body")) return;
  expect([path, text.includes('dir="rtl"'), headers.get("content-language")]).toEqual([path, true, pseudo]);
  const row = status === 404 ? "404" : (rowOf(path) ?? "404");
  const words = found.get(row) ?? new Set();
  for (const one of wordsPast(text)) if (!names.has(one) && !isWritten(one)) words.add(one);
  found.set(row, words);
}

/** By people, piece by piece: such as a name with an address behind it. */
function isWritten(text: string): boolean {
  const pieces = withoutSame(text).split(/: | · |[(),]/);
  return pieces
    .map((piece) => piece.replace(/^\s*@/, "").trim())
    .every((piece) => !/\p{Script=Latin}{2}/u.test(piece) || written.includes(piece.toLowerCase()));
}

function withoutSame(text: string): string {
  return text.replace(same, "").replace(/\s+/g, " ");
}

async function everythingWritten(): Promise<string> {
  const { db, engine } = world.hub;
  const columns = await sql<{ place: string; name: string }>`${sql.raw(
    engine === "sqlite"
      ? "select m.name as place, c.name from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' and lower(c.type) = 'text'"
      : "select table_name as place, column_name as name from information_schema.columns where table_schema = current_schema() and data_type = 'text'",
  )}`.execute(db);
  const texts: string[] = [];
  for (const { place, name } of columns.rows) {
    const { rows } = await sql<{ text: string }>`select ${sql.ref(name)} as text from ${sql.table(place)}`.execute(db);
    texts.push(...rows.map(({ text }) => text));
  }
  const all = texts.join("\n");
  return withoutSame(`${all} ${all.replace(/<[^>]*>/g, " ")}`).toLowerCase();
}

test("no page says English past the catalogues", () => {
  const english = [...found]
    .filter(([, words]) => words.size > 0)
    .map(([row, words]) => `${row}: ${[...words].slice(0, 6).join(" | ")}`);
  expect(english).toEqual([]);
  expect(found.size).toBeGreaterThan(70);
});
