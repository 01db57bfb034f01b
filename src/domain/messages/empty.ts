/** Every text of a message, emptied. */
export const empty = { title: "", body: "", html: "", plain: "", sig: "", attach: "", fed_meta: "" };
