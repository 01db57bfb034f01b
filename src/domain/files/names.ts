import type { HubError } from "../../errors.ts";
import { refusal } from "../../errors.ts";
import { hiddenSigns } from "../identity/hidden-signs.ts";

/** Characters of a name. */
const longest = 191;

/** Longer ones are no extensions. */
const longestExtension = 20;

/** The name that a person chose for a file or directory, in its stored form. Throws invalid. */
export function checkName(text: string): string {
  const name = plainName(text);
  if (name === "" || name === "." || name === "..") throw refusal("file_name_needed");
  if (name.includes("/")) throw refusal("file_name_slash");
  if (lengthOf(name) > longest) throw refusal("file_name_too_long", { most: longest });
  return name;
}

/** The name that an upload brings along, made fit: nobody typed it, so nothing about it is refused. */
export function tidyName(text: string): string {
  const name = plainName(plainName(text).split("/").at(-1) ?? "");
  if (name === "" || name === "." || name === "..") return "file";
  return shorten(name, "");
}

/** The same name with a number, before the extension: `tree(1).jpg`. */
export function numberedName(name: string, number: number): string {
  return shorten(name, `(${number})`);
}

/** What follows the last dot, in small letters; empty when there is no extension. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  const extension = dot <= 0 ? "" : name.slice(dot + 1);
  return extension.length <= longestExtension ? extension.toLowerCase() : "";
}

/** The refusal of a name that another entry of the directory has. */
export function nameTaken(): HubError {
  return refusal("file_name_taken");
}

function plainName(text: string): string {
  return text.toWellFormed().normalize("NFC").replace(hiddenSigns, "").trim();
}

/** Puts a mark before the extension and cuts what is too long from the part before it. */
function shorten(name: string, mark: string): string {
  const extension = extensionOf(name);
  const end = extension === "" ? "" : name.slice(-extension.length - 1);
  const stem = name.slice(0, name.length - end.length);
  const room = longest - lengthOf(mark + end);
  return `${[...stem].slice(0, room).join("")}${mark}${end}`.trim();
}

function lengthOf(text: string): number {
  return [...text].length;
}
