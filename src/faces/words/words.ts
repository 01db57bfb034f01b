import type { Messages } from "../../refusals/messages.ts";
import type { refusals } from "../../refusals/refusals.ts";
import { applicationsWords } from "./applications.ts";
import { connectionsWords } from "./connections.ts";
import { eventsWords } from "./events.ts";
import { filesWords } from "./files.ts";
import { hubWords } from "./hub.ts";
import { identityWords } from "./identity.ts";
import { importsWords } from "./imports.ts";
import { itemsWords } from "./items.ts";
import { mailWords } from "./mail.ts";
import { pagesWords } from "./pages.ts";
import { peersWords } from "./peers.ts";
import { pushWords } from "./push.ts";
import { reportsWords } from "./reports.ts";
import { requestWords } from "./requests.ts";
import { textsWords } from "./texts.ts";
import { xchansWords } from "./xchans.ts";
import { webhookWords } from "./webhooks.ts";

/** Every refusal in plain words, from which each face starts. */
export const words: Messages<typeof refusals> = {
  ...hubWords,
  ...identityWords,
  ...xchansWords,
  ...peersWords,
  ...applicationsWords,
  ...connectionsWords,
  ...filesWords,
  ...textsWords,
  ...itemsWords,
  ...pagesWords,
  ...mailWords,
  ...eventsWords,
  ...importsWords,
  ...pushWords,
  ...reportsWords,
  ...requestWords,
  ...webhookWords,
};
