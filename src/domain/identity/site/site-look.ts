import { createHash } from "node:crypto";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { getSetting, getSettings, setSetting } from "./site-settings.ts";

/** How the pages of the hub look where its administrators want that to be different. */

/** Two colours as `#rrggbb`, on light and on dark ground. */
export type Accents = { light: string; dark: string };

/** What administrators have chosen; faces make a sheet of styles of it, and say what can be chosen. */
export type LookChoices = { accents: Accents | undefined; css: string; theme: string };

/** What they have chosen. */
export async function lookChoices(hub: Hub): Promise<LookChoices> {
  const { look, siteCss } = await getSettings(hub, ["look", "siteCss"]);
  return { accents: look?.accents, css: siteCss, theme: look?.theme ?? "" };
}

/** Chooses anew; addresses of the sheet change with what is in it. */
export async function chooseLook(hub: Hub, { accents, css, theme }: LookChoices): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const before = await getSetting(hub, "look");
    const sheet = accents || css !== "" ? versionOf(JSON.stringify([accents, css])) : "";
    await setSetting(hub, "look", { accents, sheet, logo: before?.logo ?? "", theme });
    await setSetting(hub, "siteCss", css);
  });
}

/** A logo as PNG, small and large. */
export type LogoBytes = { small: Buffer; large: Buffer };

/** Puts a logo in the place of the hub's own one; without one that is back. */
export async function keepLogo(hub: Hub, logo: LogoBytes | undefined): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const { accents, sheet = "", theme = "" } = (await getSetting(hub, "look")) ?? {};
    const [small, large] = [logo?.small.toString("base64") ?? "", logo?.large.toString("base64") ?? ""];
    await setSetting(hub, "look", { accents, sheet, logo: large === "" ? "" : versionOf(large), theme });
    await setSetting(hub, "logo", { small, large });
  });
}

/** The logo that has been put there. */
export async function readLogo(hub: Hub): Promise<LogoBytes | undefined> {
  const texts = await getSetting(hub, "logo");
  return texts && texts.large !== ""
    ? { small: Buffer.from(texts.small, "base64"), large: Buffer.from(texts.large, "base64") }
    : undefined;
}

function versionOf(content: string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 12);
}
