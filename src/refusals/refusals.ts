import { applicationsRefusals } from "./applications.ts";
import { connectionsRefusals } from "./connections.ts";
import { eventsRefusals } from "./events.ts";
import { filesRefusals } from "./files.ts";
import { hubRefusals } from "./hub.ts";
import { identityRefusals } from "./identity.ts";
import { importsRefusals } from "./imports.ts";
import { itemsRefusals } from "./items.ts";
import { mailRefusals } from "./mail.ts";
import { pagesRefusals } from "./pages.ts";
import { peersRefusals } from "./peers.ts";
import { pushRefusals } from "./push.ts";
import { reportsRefusals } from "./reports.ts";
import { textsRefusals } from "./texts.ts";
import { requestRefusals } from "./requests.ts";
import { xchansRefusals } from "./xchans.ts";
import { webhookRefusals } from "./webhooks.ts";
import type { Row } from "./row.ts";

/** Every reason for which the hub refuses something: its kind, the parameter that it is usually about, and what faces need to know to say it. */
export const refusals = {
  ...hubRefusals,
  ...identityRefusals,
  ...xchansRefusals,
  ...peersRefusals,
  ...applicationsRefusals,
  ...connectionsRefusals,
  ...filesRefusals,
  ...textsRefusals,
  ...itemsRefusals,
  ...pagesRefusals,
  ...mailRefusals,
  ...eventsRefusals,
  ...importsRefusals,
  ...pushRefusals,
  ...reportsRefusals,
  ...requestRefusals,
  ...webhookRefusals,
};

export type Code = keyof typeof refusals;
export type DataOf<C extends Code> = (typeof refusals)[C] extends Row<infer D> ? D : never;
