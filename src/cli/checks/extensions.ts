import { ConfigError } from "../../config/read.ts";
import type { Config } from "../../config/config.ts";
import type { Extension } from "../../extensions/extension.ts";
import { loadExtensions } from "../../extensions/load.ts";
import { weakPairs } from "../../faces/web/look/weak-pairs.ts";
import type { Hub } from "../../hub.ts";
import { countResting } from "../../jobs/resting.ts";
import { failed, ok, warning } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** Can what the operator adds be loaded, and can people read in its colours? */
export async function checkExtensions({ extensions: places }: Config): Promise<Finding[]> {
  if (places.length === 0) return [];
  try {
    const extensions = await loadExtensions(places);
    return [ok("extensions", extensions.map(({ name }) => name).join(", ")), ...readable(extensions)];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      failed(
        "extensions",
        error.message,
        "Mend it, or leave it out of HUBBUB_EXTENSIONS; the hub does not start like this.",
      ),
    ];
  }
}

function readable(extensions: readonly Extension[]): Finding[] {
  const advice = "Mend the theme, or choose another one under Administration → Look (docs/themes.md).";
  return weakPairs(extensions).map((found) => warning("colours of themes", found, advice));
}

/** Do jobs wait for an extension that is not there? */
export async function findResting(hub: Pick<Hub, "db">): Promise<Finding[]> {
  const resting = await countResting(hub);
  if (resting.length === 0) return [];
  const found = resting.map(({ name, count }) => `${name} (${count})`).join(", ");
  const advice = "Name the extension in HUBBUB_EXTENSIONS again, or `hubbub jobs forget EXTENSION` removes them.";
  return [warning("jobs of extensions", `rest because nobody does them: ${found}`, advice)];
}
