import type { Address } from "./address.ts";
import { hostMeta } from "./discovery/host-meta.ts";
import { nodeInfo } from "./discovery/node-info.ts";
import { webFinger } from "./discovery/web-finger.ts";
import { actorDocuments } from "./documents/actor.ts";
import { approvalDocuments } from "./documents/approvals.ts";
import { collections } from "./documents/collections.ts";
import { fileDocuments } from "./documents/files.ts";
import { followDocuments } from "./documents/follows.ts";
import { itemDocuments } from "./documents/item.ts";
import { siteDocuments } from "./documents/site.ts";

/** Every address with a document. */
export const addresses: readonly Address[] = [
  ...webFinger,
  ...hostMeta,
  ...nodeInfo,
  ...siteDocuments,
  ...actorDocuments,
  ...collections,
  ...itemDocuments,
  ...approvalDocuments,
  ...followDocuments,
  ...fileDocuments,
];
