import type { Area } from "../../http/face.ts";
import { connectionRows } from "./connections.ts";
import { exportRows } from "./export.ts";
import { fileRows } from "./files.ts";
import { groupRows } from "./groups.ts";
import { identityRows } from "./identities.ts";
import { itemRows } from "./items.ts";
import { photoRows } from "./photos.ts";
import { programRows } from "./program.ts";
import { streamRows } from "./streams.ts";
import { webhookRows } from "./webhooks.ts";

/** The endpoints of the native API. */
export const areas: readonly Area[] = [
  { title: "Program and channel", rows: programRows },
  { title: "Identities", rows: identityRows },
  { title: "Groups", rows: groupRows },
  { title: "Connections", rows: connectionRows },
  { title: "Streams", rows: streamRows },
  { title: "Items", rows: itemRows },
  { title: "Photos", rows: photoRows },
  { title: "Files", rows: fileRows },
  { title: "Export", rows: exportRows },
  { title: "Webhooks", rows: webhookRows },
];
