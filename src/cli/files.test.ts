import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hubbub, hubbubJson, makePeople, emptyPlace, newPlace, openPlace, serve } from "../../test/support/command.ts";
import type { Outcome, Place } from "../../test/support/command.ts";
import { put } from "../../test/support/files.ts";
import { readConfig } from "../config/config.ts";
import type { FilesReport } from "../domain/files/check-files.ts";
import { findChannelByNick } from "../domain/identity/channels/channels.ts";
import { openOwnHub } from "../open-own-hub.ts";
import type { Finding } from "./checks/finding.ts";

/** The data folder and the database belong together, and so do files and rows. */

let place: Place;
let strange: string;
beforeAll(async () => {
  place = await newPlace();
  strange = mkdtempSync(join(tmpdir(), "hubbub-test-"));
  await makePeople(place, "anna");
  const hub = await openPlace(place);
  const anna = (await findChannelByNick(hub, "anna"))!;
  for (const name of ["one.txt", "two.txt", "three.txt"]) await put(hub, anna, name);
  await hub.close();
});
afterAll(async () => {
  await place.remove();
  rmSync(strange, { recursive: true, force: true });
});

const elsewhere = (data: string): Pick<Place, "env"> => ({ env: { ...place.env, HUBBUB_DATA: data } });
const refusal = (folder: string): Outcome => ({
  code: 1,
  signal: null,
  stdout: "",
  stderr: `The data folder ${folder} does not belong to this database: set HUBBUB_DATA and HUBBUB_DATABASE_URL to a pair, or make these two one with \`hubbub files adopt\`.\n`,
});

async function stateOfPair(of: Pick<Place, "env">): Promise<string | undefined> {
  const { findings } = JSON.parse((await hubbub(of, ["doctor", "--json"])).stdout) as { findings: Finding[] };
  return findings.find(({ check }) => check === "pair")?.state;
}

describe("folder and database", () => {
  const touching = [
    ["serve"],
    ["work"],
    ["backup", join(tmpdir(), "never.gz")],
    ["files", "check"],
    ["channel", "export", "anna", "--archive"],
  ];

  test("of an earlier version become a pair, but not a database with files and a folder without them", async () => {
    expect(await stateOfPair(elsewhere(strange))).toBe("failed");
    expect(await stateOfPair(place)).toBe("ok");
    expect(await hubbub(elsewhere(strange), ["serve"])).toEqual(refusal(strange));
    expect(readdirSync(strange)).toEqual([]);
    expect(readdirSync(place.folder)).not.toContain("hubbub-id");
    await (await serve(place)).stop();
    expect(readFileSync(join(place.folder, "hubbub-id"), "utf8")).toMatch(/^[0-9a-f-]{36}\n$/);
  });

  test("that are no pair are refused by all who touch files, and found by the doctor", async () => {
    for (const args of touching)
      expect([args, await hubbub(elsewhere(strange), args)]).toEqual([args, refusal(strange)]);
    expect(await stateOfPair(elsewhere(strange))).toBe("failed");
    expect((await hubbubJson<unknown[]>(elsewhere(strange), "account", "list")).length).toBe(1);
    const other = await newPlace();
    await (await serve(other)).stop();
    expect(await hubbub(elsewhere(other.folder), ["backup", other.folder])).toEqual(refusal(other.folder));
    // The one database with the other's folder is as strange as the other way round.
    expect(await hubbub({ env: { ...other.env, HUBBUB_DATA: place.folder } }, ["serve"])).toEqual(
      refusal(place.folder),
    );
    await other.remove();
  });

  test("are made a pair by the operator, while no hub runs", async () => {
    const running = await serve(place);
    expect(await hubbub(elsewhere(strange), ["files", "adopt"])).toMatchObject({
      code: 1,
      stderr: "A hub is running on this database: stop it (every `serve` and `work`) first.\n",
    });
    await running.stop();
    expect(await hubbubJson(elsewhere(strange), "files", "adopt")).toEqual({ folder: strange });
    expect(await stateOfPair(elsewhere(strange))).toBe("ok");
    expect(await hubbub(place, ["serve"])).toEqual(refusal(place.folder));
    expect(await hubbubJson(place, "files", "adopt")).toEqual({ folder: place.folder });
  });

  test("become a pair once, however many begin at the same moment", async () => {
    const fresh = await newPlace();
    const folders = [
      fresh.folder,
      fresh.folder,
      mkdtempSync(join(tmpdir(), "hubbub-test-")),
      mkdtempSync(join(tmpdir(), "hubbub-test-")),
    ];
    await (await openPlace(fresh)).close();
    const settings = { ...fresh.env, HUBBUB_LOG_LEVEL: "off" };
    const hubs = await Promise.allSettled(
      folders.map((HUBBUB_DATA) => openOwnHub(readConfig({ ...settings, HUBBUB_DATA }))),
    );
    const began = folders.filter((_, index) => hubs[index]!.status === "fulfilled");
    expect(new Set(began).size).toBe(1);
    for (const hub of hubs) if (hub.status === "fulfilled") await hub.value.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    await fresh.remove();
  });

  test("whose first start was cut off between the two marks are a pair at the next", async () => {
    const fresh = await emptyPlace();
    await (await openOwnHub(readConfig({ ...fresh.env, HUBBUB_LOG_LEVEL: "off" }))).close();
    const [settled, offered] = [join(fresh.folder, "hubbub-id"), join(fresh.folder, "hubbub-id.new")];
    writeFileSync(offered, readFileSync(settled));
    rmSync(settled);
    await (await serve(fresh)).stop();
    expect(readdirSync(fresh.folder).filter((name) => name.startsWith("hubbub-id"))).toEqual(["hubbub-id"]);
    await fresh.remove();
  });
});

describe("files check", () => {
  const kept = (name: string) => join(place.folder, "blobs", "kept", name.slice(0, 2), name);
  const addKept = (name: string, since: Date): void => {
    mkdirSync(join(place.folder, "blobs", "kept", name.slice(0, 2)), { recursive: true });
    writeFileSync(kept(name), "x");
    utimesSync(kept(name), since, since);
  };
  const check = async (...more: string[]): Promise<FilesReport & { code: number | null }> => {
    const { code, stdout } = await hubbub(place, ["files", "check", "--json", ...more]);
    return { code, ...(JSON.parse(stdout) as FilesReport) };
  };
  const nothing = { count: 0, first: [] };

  test("finds nothing where all is well", async () => {
    expect(await check()).toEqual({ code: 0, named: 3, kept: 3, lost: nothing, unknown: nothing, aside: 0 });
    expect((await hubbub(place, ["files", "check"])).stdout).toMatch(
      /^The database speaks of 3 files, 3 are there\.\nAll/,
    );
  });

  test("finds what is lost and what is unknown, and touches nothing that may just be coming in", async () => {
    const hub = await openPlace(place);
    const { blob } = await hub.db
      .selectFrom("attach")
      .select("blob")
      .where("filename", "=", "two.txt")
      .executeTakeFirstOrThrow();
    const bytes = readFileSync(kept(blob));
    rmSync(kept(blob));
    addKept("0ld-and-unknown", new Date(Date.now() - 25 * 3_600_000));
    addKept("new-and-unknown", new Date());
    // Drawn for a channel that is here.
    const { channel_id } = await hub.db.selectFrom("channel").select("channel_id").executeTakeFirstOrThrow();
    addKept(`avatar-${channel_id}-s-0123456789abcdef`, new Date(Date.now() - 25 * 3_600_000));
    const found = {
      named: 3,
      lost: { count: 1, first: [{ blob, files: ["anna: two.txt"] }] },
      unknown: { count: 1, first: ["0ld-and-unknown"] },
    };
    expect(await check()).toEqual({ code: 1, kept: 5, aside: 0, ...found });
    expect((await hubbub(place, ["files", "check"])).stdout).toContain(
      `lost: ${blob} (anna: two.txt)\nunknown: 0ld-and-unknown\n`,
    );
    expect(await hubbubJson(place, "backup", place.folder)).toMatchObject({ blobs: 2, missing: 1 });

    expect(await check("--repair")).toEqual({ code: 1, kept: 5, aside: 1, ...found });
    expect(readdirSync(join(place.folder, "blobs", "aside"))).toEqual(["0ld-and-unknown"]);
    expect(await check()).toMatchObject({ code: 1, kept: 4, lost: { count: 1 }, unknown: nothing });
    const rows = () => hub.db.selectFrom("attach").select("filename").where("blob", "<>", "").execute();
    expect(await rows()).toHaveLength(3);
    const noted = () => hub.db.selectFrom("lost_blob").select("blob").execute();
    expect(await noted()).toEqual([{ blob }]);
    const { findings } = JSON.parse((await hubbub(place, ["doctor", "--json"])).stdout) as { findings: Finding[] };
    expect(findings).toContainEqual(expect.objectContaining({ check: "files", state: "warning", found: "1 are lost" }));

    // It has come back, from a backup perhaps.
    writeFileSync(kept(blob), bytes);
    expect(await check("--repair")).toMatchObject({ code: 0, lost: nothing, unknown: nothing });
    expect(await noted()).toEqual([]);
    await hub.close();
  });
});
