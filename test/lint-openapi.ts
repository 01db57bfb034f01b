import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";

/** A linter for OpenAPI documents finds nothing in ours; part of `npm run check`. */

const source = readFileSync(join(import.meta.dirname, "../docs/api/openapi.json"), "utf8");
const problems = await lintFromString({ source, config: await createConfig({ extends: ["recommended"] }) });
for (const { ruleId, message, location } of problems)
  process.stderr.write(`${ruleId}: ${message} at ${location[0]?.pointer ?? ""}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
