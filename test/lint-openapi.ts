import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";

/**
 * A linter for OpenAPI documents finds nothing in ours; part of `npm run check`. Mastodon's own addresses are left out of
 * one rule: `notifications/requests/dismiss` could be read as `notifications/{id}/dismiss` as well, and
 * `filters/keywords/{id}` has the shape of `filters/{id}/keywords`; ids are digits, so both words can only be themselves.
 */

const mastodonsOwn = ["/api/v1/notifications/{id}/dismiss", "/api/v2/filters/{id}/"];

const source = readFileSync(join(import.meta.dirname, "../docs/api/openapi.json"), "utf8");
const problems = await lintFromString({ source, config: await createConfig({ extends: ["recommended"] }) });
const ours = problems.filter(
  ({ ruleId, message }) =>
    !(ruleId === "no-ambiguous-paths" && mastodonsOwn.some((address) => message.includes(address))),
);
for (const { ruleId, message, location } of ours)
  process.stderr.write(`${ruleId}: ${message} at ${location[0]?.pointer ?? ""}\n`);
process.exitCode = ours.length > 0 ? 1 : 0;
