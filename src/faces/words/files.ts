import type { filesRefusals } from "../../refusals/files.ts";
import type { Messages } from "../../refusals/messages.ts";

export const filesWords: Messages<typeof filesRefusals> = {
  directory_in_itself: "A directory cannot be moved into itself.",
  file_name_needed: "A name is needed.",
  file_name_slash: "A name cannot contain a slash.",
  file_name_too_long: ({ most }) => `The name is longer than ${most} characters.`,
  file_name_taken: "This name is taken in the directory.",
  storage_full: "The storage of this account is used up.",
  hash_of_another: "Its hash belongs to a file of somebody else here.",
  file_hash_wrong: "Its hash cannot be read.",
  no_picture_there: "There is no picture at this address.",
  image_too_large: ({ name, most }) => `The image ${name} is larger than ${most} bytes.`,
  not_an_image: "This is not a picture in JPEG, PNG, GIF or WebP format.",
  image_unreadable: "This picture cannot be read.",
  image_replaced: "The image has just been replaced.",
  uploads_unused: ({ most }) => `${most} files that you have uploaded wait for a post already.`,
  uploads_unfinished: "Too many uploads are not finished.",
  upload_finished: "This upload is finished.",
  pieces_too_large: "The pieces are larger than total_bytes.",
  pieces_too_many: "These are too many pieces.",
  upload_incomplete: "The upload is not complete.",
  unknown_media: "Media not found.",
};
