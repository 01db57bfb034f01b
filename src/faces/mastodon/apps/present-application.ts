import type { z } from "zod";
import type { Application } from "../entities/application.ts";

type AppFields = {
  id: number;
  name: string;
  website: string;
  redirects: readonly string[];
  scopes: readonly string[];
  vapid: string;
};

/** Mastodon contract 11.29. */
export function presentApplication({
  id,
  name,
  website,
  redirects,
  scopes,
  vapid,
}: AppFields): z.infer<typeof Application> {
  return {
    id: String(id),
    name,
    website: website || null,
    scopes: [...scopes],
    redirect_uris: [...redirects],
    redirect_uri: redirects.join("\n"),
    vapid_key: vapid,
  };
}
