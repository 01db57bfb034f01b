import * as events from "./objects/events.ts";
import * as messages from "./objects/messages.ts";
import * as people from "./objects/people.ts";
import * as photos from "./objects/photos.ts";
import * as site from "./objects/site.ts";
import * as status from "./objects/status.ts";

/** What the endpoints answer: the objects with what is put around them. */
export const answers = { ...status, ...people, ...messages, ...photos, ...events, ...site } as const;
