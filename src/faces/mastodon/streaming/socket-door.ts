import type { SocketDoor } from "../../../http/upgrades.ts";
import { mastodonFace } from "../face.ts";

/** Where applications read streams by WebSocket (Mastodon contract 14.1). */
export const streamingDoor: SocketDoor = {
  path: "/api/v1/streaming",
  face: mastodonFace,
  open: async (hub, knock) => (await import("./socket.ts")).openStreaming(hub, knock),
};
