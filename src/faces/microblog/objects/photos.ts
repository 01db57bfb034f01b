import { z } from "zod";
import { bit, count, digits, id, stored, text, truth, words } from "./kinds.ts";
import { Activities, ActivitiesWithShares, Status } from "./status.ts";

/** Photos, albums and uploads. */

const address = /^https?:\/\/\S+\/photo\/[\w-]+-\d\.(jpg|png|gif|webp)$/;
const image = (description: string) =>
  z
    .string()
    .regex(address)
    .meta({ description, examples: ["https://hub.example/photo/6c2f80b5-2.jpg"] });
const entries = (description: string) =>
  z
    .string()
    .regex(/^(<[^<>]+>)*$/)
    .meta({ description, examples: [""] });

const Scale = z.strictObject({
  id: id("Id of the rendition.", 310),
  scale: z
    .int()
    .min(0)
    .max(9)
    .meta({ description: "Its scale: 0 is the original.", examples: [2] }),
  link: image("Where it is."),
  width: id("Pixels from side to side.", 640),
  height: id("Pixels from top to bottom.", 480),
  size: id("How many bytes it has.", 52_310),
});

/** A photo; the last part are the alias fields of microblog contract 2.4. */
export const Photo = z.strictObject({
  id: words("Id of the photo.", "6c2f80b5"),
  created: stored("When it was stored."),
  edited: stored("When it was changed."),
  title: text("Its caption."),
  desc: text("What is to be seen, in words.", "An old tree"),
  album: words("Its album; `/` is the top level.", "2026-03"),
  filename: words("Name of its file.", "tree.jpg"),
  type: z
    .string()
    .regex(/^image\/(jpeg|png|gif|webp)$/)
    .meta({ description: "Its type.", examples: ["image/jpeg"] }),
  height: id("Pixels of the shown scale from top to bottom.", 768),
  width: id("Pixels of the shown scale from side to side.", 1024),
  profile: bit("It is a profile photo."),
  link: z
    .union([z.record(z.string().regex(/^\d$/), image("Where it is.")), z.array(image("Where it is.")).min(1)])
    .optional()
    .meta({
      description:
        "Where each scale is, by its number; below `friendica/` a list. Photos of an album have `thumb` instead.",
      examples: [{ 2: "https://hub.example/photo/6c2f80b5-2.jpg" }],
    }),
  thumb: image("Of a photo in an album: a small version.").optional(),
  datasize: id("With `scale`: how many bytes it has.", 52_310).optional(),
  data: z.base64().optional().meta({ description: "With `scale`: its bytes in base64." }),
  "media-id": count("Id of its file, for `media_ids`.", 88),
  scales: z.array(Scale).min(1).meta({ description: "All of its scales." }),
  allow_cid: entries("Ids of the connections who may see it."),
  deny_cid: entries("Ids of the connections who may not see it."),
  allow_gid: entries("Ids of the groups that may see it."),
  deny_gid: entries("Ids of the groups that may not see it."),
  svc_activities: Activities.meta({ description: "Who reacted how." }),
  svc_comments: z.array(Status).meta({ description: "What was said about it." }),
  rights_mismatch: truth("It is for others than the item that stands for it."),
  friendica_activities: ActivitiesWithShares.optional().meta({
    description: "As `svc_activities`, and who shared it.",
  }),
  friendica_comments: z.array(Status).optional().meta({ description: "The same as `svc_comments`." }),
});

/** Microblog contract 7.12. */
export const PhotoEntry = z.strictObject({
  id: words("Id of the photo.", "6c2f80b5"),
  album: words("Its album; `/` is the top level.", "2026-03"),
  filename: words("Name of its file.", "tree.jpg"),
  type: z
    .string()
    .regex(/^image\//)
    .meta({ description: "Its type.", examples: ["image/jpeg"] }),
  thumb: image("A small version."),
  created: stored("When it was stored."),
  edited: stored("When it was changed."),
  desc: text("What is to be seen, in words.", "An old tree"),
});

/** An upload, and what one in pieces says on its way (microblog contract 8.11). */
export const Media = z.strictObject({
  media_id: id("Id of the upload, for `media_ids`.", 88),
  media_id_string: digits("The same as text.", "88"),
  size: id("How many bytes it has.", 183_746),
  image: z
    .strictObject({
      w: id("Pixels from side to side.", 1024),
      h: id("Pixels from top to bottom.", 768),
      image_type: words("Its type.", "image/jpeg"),
      svc_preview_url: image("A smaller version."),
      friendica_preview_url: image("The same.").optional(),
    })
    .optional()
    .meta({ description: "Of an image: what it is." }),
  expires_after_secs: id("For how many seconds it is kept when nothing uses it.", 86_400),
  processing_info: z
    .strictObject({
      state: z
        .enum(["succeeded", "pending"])
        .meta({ description: "Whether all of it is here.", examples: ["succeeded"] }),
      progress_percent: z
        .int()
        .min(0)
        .max(100)
        .meta({ description: "How much of it is here.", examples: [100] }),
      check_after_secs: id("When to ask again.", 1).optional(),
    })
    .optional()
    .meta({ description: "With `command` STATUS: how far it is." }),
});

/** Microblog contract 8.11. */
export const Nothing = z.strictObject({}).meta({ description: "Nothing: it worked." });

/** Microblog contract 7.13. */
export const Album = z.strictObject({
  name: words("Its name; `/` is the top level.", "2026-03"),
  created: stored("When its first photo was stored."),
  count: id("How many photos it holds.", 11),
});

/** Microblog contract 9.4 and 9.5. */
export const PhotoResult = z.strictObject({
  result: z.enum(["updated", "cancelled", "deleted"]).meta({ description: "What was done.", examples: ["updated"] }),
  message: words("The same in words.", "Image id `6c2f80b5` has been updated."),
});
