import { existsSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { deepFiles } from "./test/support/deep-files.ts";
import { announceWithoutPostgres, findPostgres } from "./test/support/find-postgres.ts";
import { LongestFirst } from "./test/support/longest-first.ts";

const all = ["src/**/*.test.ts", "test/**/*.test.ts", "bench/*.test.ts"];

/** What no database has a part in runs once. */
const withoutDatabase = [
  // What browsers make of pages, and clients of answers: page-forms and the tests beside the pages open each of them, and
  // send its forms, on both engines. What comes to a page by itself (live) or to a device (push) comes by way of the
  // database, and is seen in a browser on both.
  "test/browser/!(live|push).test.ts",
  "test/clients/clients.test.ts",
  "test/peers/fedify.test.ts",
  "src/faces/web/languages/**",
  // What texts cost is the cost of laying them out.
  "test/nasty-texts.test.ts",
  // Files and their images go past the database.
  "test/{big-file,blobs-on-s3}.test.ts",
  "src/domain/photos/renditions.test.ts",
  "test/{many-guesses,nobody-asks}.test.ts",
  "src/cli/{started-by,oauth-client}.test.ts",
  "src/domain/bodies/**",
  "src/http/{dates,event-stream,parameters,xml}.test.ts",
  "src/fetch/**",
  "src/faces/federation/{signatures,translate}/**",
  "src/faces/federation/{authority,federation-md}.test.ts",
  "src/domain/identity/{channels/roles,xchans/foreign-ids}.test.ts",
  "test/{architecture,citations,deep,docs,free-port,glossary,packages,refusals}.test.ts",
  "src/http/reference/**",
  "src/storage/{blobs,s3}/**",
  "src/threads.test.ts",
  "test/generated-client/**",
  // These choose their engine themselves.
  "test/readme.test.ts",
  "src/storage/{group-commit,one-view,sqlite}.test.ts",
  "bench/**",
];

/** What is about one engine alone. */
const aboutPostgres = [
  "src/storage/postgres{,-silence}.test.ts",
  "test/{processes,promotion}.test.ts",
  "test/peers/bots.test.ts",
];

/** What the fast run leaves out: browsers, clients, processes of their own, work on images, and whatever tries a lot. */
const slow = [
  "test/{browser,clients,generated-client,peers}/**",
  "test/*.test.ts",
  "test/federation/kill-nine.test.ts",
  "src/cli/**",
  "src/**/*.property.test.ts",
  "src/**/random-worlds.test.ts",
  "src/domain/photos/**",
  "src/faces/microblog/media/*.test.ts",
  "src/domain/import/long.test.ts",
  "src/**/*-cost.test.ts",
  "bench/**",
];

/**
 * The whole suite runs on each engine; `--project sqlite` runs it on one. `--mode fast` is SQLite alone without what is
 * slow, `--mode deep` is what tries more than usual.
 */
export default defineConfig(({ mode }) => {
  const engines = enginesFor(mode);
  return {
    test: {
      // Twice two cores: files wait for browsers, databases, timers and processes of their own.
      maxWorkers: 4,
      sequence: { sequencer: LongestFirst },
      projects: engines.map((engine) => ({
        test: {
          name: engine,
          include: mode === "deep" ? deepFiles() : all,
          exclude: [
            "**/node_modules/**",
            ...(engine === "sqlite" ? aboutPostgres : engines.includes("sqlite") ? withoutDatabase : []),
            ...(mode === "fast" ? slow : []),
          ],
          env: {
            HUBBUB_TEST_ENGINE: engine,
            HUBBUB_TEST_SIZE: mode,
            // Where the program keeps its own (bin/hubbub.js), and for all that tests start.
            NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/hubbub"),
            ...(mode !== "deep" && temporaryFolder()),
          },
          // Node reads the TypeScript itself, as in operation; Vite would translate all modules for each engine.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          setupFiles: ["test/support/loading.ts", "test/support/seed.ts"],
          // Modules keep no state, so files may share a process; that saves loading everything for each file.
          isolate: false,
          // For what hangs: a busy machine takes ten times as long as a quiet one over the longest of these.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 60_000 } },
          ...(engine === "postgres" && { globalSetup: ["test/support/postgres.ts"] }),
        },
      })),
    },
  };
});

/** Files of tests are in memory where it has room: uploads wait for the disk, which may have other work to do. */
function temporaryFolder(): Record<string, string> {
  const folder = "/dev/shm";
  if (!existsSync(folder)) return {};
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 4 * 2 ** 30 ? { TMPDIR: folder } : {};
}

function enginesFor(mode: string): string[] {
  if (mode === "fast") return ["sqlite"];
  const only = process.env["HUBBUB_TEST_ENGINE"];
  const wanted = ["sqlite", "postgres"].filter((engine) => only === undefined || only === engine);
  const engines = wanted.filter((engine) => engine !== "postgres" || findPostgres() !== undefined);
  if (engines.length < wanted.length) announceWithoutPostgres();
  return engines;
}
