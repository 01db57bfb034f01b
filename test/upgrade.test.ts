import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runDue } from "../src/jobs/runner.ts";
import { basic } from "./support/client.ts";
import { changed, differences, withoutAdded } from "./upgrades/differences.ts";
import { ask, comparable, openKept, unpacked } from "./upgrades/kept.ts";
import type { Kept, Opened } from "./upgrades/kept.ts";

/** Databases and backups of earlier versions open, migrate and answer as they did (test/upgrades/README.md). */

const folder = join(import.meta.dirname, "upgrades");
const versions = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const all = versions.flatMap((version) => (["database", "backup"] as const).map((way) => ({ version, way })));

describe.each(all)("a $way of tables $version", ({ version, way }) => {
  const kept = JSON.parse(unpacked(join(folder, version), "answers.json.br").toString()) as Kept;
  const meant = differences[version] ?? { changes: [] };
  let opened: Opened;

  beforeAll(async () => {
    opened = await openKept(join(folder, version), way, kept);
  });
  afterAll(() => opened.close());

  const json = async <T>(who: string, path: string) => JSON.parse((await ask(opened, kept, { who, path })).body) as T;
  const textsFor = async (nick: string): Promise<string[]> => {
    const statuses = await json<{ text: string }[]>(`password ${nick}`, "/api/statuses/home_timeline.json?count=100");
    return statuses.map((status) => status.text);
  };

  test("answers as before", async () => {
    // The same rows lie in both, so fewer doors tell whether a restore brings them all; some change what later ones answer.
    const some = kept.answers.slice(0, way === "backup" ? 250 : undefined);
    for (const before of some.filter(({ who, path }) => !meant.remade?.test(`${who} ${path}`)))
      expect(withoutAdded(comparable(await ask(opened, kept, before)), meant)).toEqual(
        changed(comparable(before), meant),
      );
  });

  test("is brought up to date by its jobs, and what waited is delivered", async () => {
    const { hub } = opened;
    const notices = () => json<{ id: number }[]>("password bob", "/api/svc/notifications.json");
    const [before, waiting] = [await notices(), await hub.db.selectFrom("job").select("name").execute()];
    expect(waiting).toEqual(expect.arrayContaining([{ name: "deliver-item" }, { name: "deliver-answer" }]));
    expect(await textsFor("bob")).not.toContain("Last words to @bob");
    await runDue(hub);
    expect(await textsFor("bob")).toContain("Last words to @bob");
    expect(await textsFor("alma")).toContain("And I, too");
    const after = await notices();
    expect(after.slice(-before.length)).toEqual(before);
    expect(after.length).toBe(before.length + 1);
    expect(await hub.db.selectFrom("job").select(["name", "last_error"]).where("dead", "=", 1).execute()).toEqual([]);
  });

  test("takes new posts, with ids that nothing has had", async () => {
    const ids = kept.answers.flatMap(({ path }) => Number(/statuses\/show\.json\?id=(\d+)/.exec(path)?.[1] ?? 0));
    const headers = { authorization: basic(`alma:${kept.password}`) };
    const body = new URLSearchParams({ status: "At home again" });
    const url = `${kept.base}/api/statuses/update.json`;
    const posted = await opened.app.request(url, { method: "POST", headers, body });
    expect(((await posted.json()) as { id: number }).id).toBeGreaterThan(Math.max(...ids));
    await runDue(opened.hub);
    expect(await textsFor("bob")).toContain("At home again");
  });
});
