import { HubError, refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { LongStep } from "../../jobs/long-step.ts";
import { recordOf } from "../../record-of.ts";
import { layOut, layOutAnyhow } from "../bodies/texts.ts";
import type { LaidOut } from "../bodies/texts.ts";
import { profileTexts, storedHtml, storeLaidOut } from "../identity/channels/profiles.ts";
import type { LaidOutTexts, Profile, ProfileHtml } from "../identity/channels/profiles.ts";

/** The texts among these fields of a profile, laid out. Throws as `layOut` does, naming the field. */
export function layOutTexts(hub: Hub, fields: Partial<Profile>): Promise<LaidOutTexts> {
  return eachText(fields, (text, name) => layOut(hub, text, "text/bbcode").catch((error) => fail(error, name)));
}

/** The same for texts that are kept whatever they are. */
export function layOutTextsAnyhow(hub: Hub, fields: Partial<Profile>): Promise<LaidOutTexts> {
  return eachText(fields, (text) => layOutAnyhow(hub, text, "text/bbcode"));
}

/** The HTML of a profile's texts. Of profiles from before it was stored it is made here until a long step has been there. */
export async function htmlOfProfile(hub: Hub, profile: Profile): Promise<ProfileHtml> {
  const html = storedHtml(profile) ?? (await layOutTextsAnyhow(hub, profile)).html;
  return recordOf(profileTexts, (name) => html[name] ?? "");
}

const together = 20;

/** Stores the HTML of profiles from before it was stored, and what they say in the identities. */
export const oldProfiles: LongStep = {
  async range(hub) {
    const last = await hub.db.selectFrom("profile").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
    return last && { first: 0, last: last.id };
  },
  async piece(hub, after) {
    const old = await hub.db
      .selectFrom("profile")
      .selectAll()
      .where("html", "is", null)
      .where("id", ">", after)
      .orderBy("id")
      .limit(together)
      .execute();
    const laidOut = await Promise.all(old.map((profile) => layOutTextsAnyhow(hub, profile)));
    return {
      next: old.length < together ? undefined : old[together - 1]!.id,
      async write(hub) {
        for (const [at, profile] of old.entries()) await storeLaidOut(hub, profile, laidOut[at]!);
      },
    };
  },
};

async function eachText(
  fields: Partial<Profile>,
  layOutOne: (text: string, name: keyof ProfileHtml) => Promise<Pick<LaidOut, "html" | "plain">>,
): Promise<LaidOutTexts> {
  const names = profileTexts.filter((name) => fields[name] !== undefined);
  const laidOut = await Promise.all(names.map((name) => unlessEmpty(fields[name]!, (text) => layOutOne(text, name))));
  return {
    html: Object.fromEntries(names.map((name, at) => [name, laidOut[at]!.html])),
    description: laidOut[names.indexOf("about")]?.plain,
  };
}

async function unlessEmpty(
  text: string,
  layOutOne: (text: string) => Promise<Pick<LaidOut, "html" | "plain">>,
): Promise<Pick<LaidOut, "html" | "plain">> {
  return text.trim() === "" ? { html: "", plain: "" } : layOutOne(text);
}

function fail(error: unknown, field: keyof ProfileHtml): never {
  if (!(error instanceof HubError) || error.field !== "body" || !error.code) throw error;
  throw refusal(error.code, { ...error.data, field });
}
