import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../test/support/visitor.ts";

/** Pages that say why something was not taken: in the words and the language of who reads them. */

let world: TestApp;
let ann: Visitor;

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_MAX_UPLOAD: "1500000" } });
  await world.person("ann");
  ann = visitorOf(world.app);
  await ann.logIn("ann", password);
  await ann.get("/network");
});
afterAll(() => world.close());

const mainOf = ({ text }: VisitedPage): string =>
  (/<main[\s\S]*<\/main>/.exec(text)?.[0] ?? "").replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

describe.each([
  ["en", "1.5 MB", "The file is larger", "The form did not arrive", "Try again", "from your network"],
  ["de", "1,5 MB", "Die Datei ist größer", "Das Formular ist nicht", "Noch einmal versuchen", "aus deinem Netz"],
  ["fr", "1,5 Mo", "Le fichier dépasse", "Le formulaire n’est pas", "Réessayer", "de ton réseau"],
  ["es", "1,5 MB", "El archivo supera", "El formulario no ha", "Reintentar", "de tu red"],
  ["pt", "1,5 MB", "O arquivo tem mais", "O formulário não", "Tentar de novo", "da sua rede"],
])("in %s", (tag, limit, tooLarge, unreadable, again, tooMany) => {
  const spoken = { "accept-language": tag };

  test.each(["/uploads", "/cloud/ann", "/network"])("a file that is too large at %s", async (path) => {
    const file = new File([new Uint8Array(1_500_001)], "film.bin");
    const answer = await ann.post(path, { body: "Look", audience: "public", media: file, file }, spoken);
    expect(answer.status).toBe(413);
    expect(mainOf(answer)).toContain(tooLarge);
    expect(mainOf(answer).replaceAll(/\s/g, " ")).toContain(limit);
    expect(answer.text).not.toContain("1500000");
  });

  test("a form that cannot be read", async () => {
    const headers = { ...spoken, "content-type": "multipart/form-data; boundary=b" };
    const answer = await ann.post("/network", { body: "Look" }, headers);
    expect([answer.status, mainOf(answer)]).toEqual([422, expect.stringContaining(unreadable)]);
  });

  test("too much at once, with the way to try again", async () => {
    const first = [await world.app.request("/source.tar.gz"), await world.app.request("/source.tar.gz")];
    const answer = await ann.get("/source.tar.gz", spoken);
    for (const one of first) await one.body?.cancel();
    expect([answer.status, mainOf(answer)]).toEqual([429, expect.stringContaining(tooMany)]);
    expect(answer.text).toMatch(new RegExp(`<a class="button primary" href="/source.tar.gz">${again}</a>`));
  });
});

test("a form that was open for too long leads back to its page, and to no other site", async () => {
  const press = (referer: string) =>
    ann.post("/item/1/act", { do: "like", form_security_token: "old" }, { referer, "accept-language": "en" });
  const again = (path: string) => `<a class="button primary" href="${path}">Try again</a>`;
  const answer = await press("http://hub.example/search?search=boats&done=posted");
  expect([answer.status, mainOf(answer)]).toEqual([403, expect.stringContaining("Please send this form again")]);
  expect(answer.text).toContain(again("/search?search=boats"));
  expect((await press("http://evil.example/search")).text).not.toContain("Try again");
});
