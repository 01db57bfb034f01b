import type { Config } from "../../../config/config.ts";
import type { SiteSettings } from "../../../domain/identity/site/site-settings.ts";
import { version } from "../../../version.ts";

/** The highest level of the extension protocol that is spoken here. */
const protocol = "1.0";
const tablesLevel = 1;

/** The configuration (microblog contract 7.17). Some flags are texts on purpose: old clients read texts there. */
export function presentConfig(config: Config, site: SiteSettings, email: string): object {
  const isSecure = config.baseUrl.startsWith("https://");
  const svc = { PLATFORM: "Hubbub", VERSION: version, PROTOCOL_VERSION: protocol, DB_UPDATE_VERSION: tablesLevel };
  return {
    site: {
      name: site.name,
      server: config.host,
      theme: "default",
      path: "",
      logo: `${config.baseUrl}/assets/logo-64.png`,
      fancy: true,
      language: "en",
      email,
      broughtby: "",
      broughtbyurl: "",
      timezone: "UTC",
      closed: String(site.registration === "closed"),
      inviteonly: false,
      private: String(site.blockPublic),
      textlimit: String(config.limits.body),
      ssl: String(isSecure),
      sslserver: isSecure ? config.baseUrl : "",
      shorturllength: "30",
      svc,
      friendica: config.aliasFields ? aliasOf(svc) : undefined,
    },
    attachments: { uploads: true, file_quota: config.limits.upload },
  };
}

function aliasOf({ PLATFORM, VERSION, PROTOCOL_VERSION, DB_UPDATE_VERSION }: Record<string, string | number>): object {
  return {
    FRIENDICA_PLATFORM: PLATFORM,
    FRIENDICA_VERSION: VERSION,
    DFRN_PROTOCOL_VERSION: PROTOCOL_VERSION,
    DB_UPDATE_VERSION,
  };
}
