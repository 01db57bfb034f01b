import type { z } from "zod";
import type { IssuedBearer } from "../../../domain/identity/applications/oauth2-tokens.ts";
import { storedMoment } from "../../../http/dates.ts";
import type { Token } from "../entities/application.ts";

/** A token as it is told once (Mastodon contract 11.30). */
export function presentToken({ token, scopes, created }: IssuedBearer): z.infer<typeof Token> {
  return {
    access_token: token,
    token_type: "Bearer",
    scope: scopes.join(" "),
    created_at: Math.floor(storedMoment(created).getTime() / 1000),
  };
}
