import { HubError } from "../errors.ts";

/** What happens to text that is not UTF-8; NUL goes as all control characters do, unless it is refused, too. */
export type BadText = "refuse" | "refuse-nul" | "replace";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
// Tab and newline are text; carriage returns are handled with line ends.
const control = /[\0-\x08\x0b-\x1f]/;
const eachControl = /[\0-\x08\x0b\x0c\x0e-\x1f]/g;
const plainName = /^[\w.~-]*$/;

/** The bytes as text. A refusal names the parameter `field` that they were sent as. */
export function decodeUtf8(bytes: Uint8Array, badText: BadText, field: string): string {
  if (badText === "replace") return lenient.decode(bytes);
  try {
    return strict.decode(bytes);
  } catch (cause) {
    throw notUtf8(field, cause);
  }
}

/** Are the bytes UTF-8? */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Text from JSON, which can name halves of characters that UTF-8 cannot write. */
export function wellFormed(text: string, badText: BadText, field: string): string {
  if (text.isWellFormed()) return text;
  if (badText === "replace") return text.toWellFormed();
  throw notUtf8(field);
}

/** The name of a parameter in a query or form, as `decodeForm` reads it; one that cannot be read is its own `field`. */
export function decodeFormName(part: string, badText: BadText): string {
  if (plainName.test(part)) return part;
  const bytes = percentBytes(part);
  return decodeUtf8(bytes, badText, lenient.decode(bytes));
}

/** A part of a query or form: `+` is a space, `%XX` a byte; each character of the input is one byte. */
export function decodeForm(part: string, badText: BadText, field: string): string {
  if (plainName.test(part)) return part;
  return decodeUtf8(percentBytes(part), badText, field);
}

/** Line ends become `\n`, other control characters go. */
export function cleanText(text: string): string {
  if (!control.test(text)) return text;
  return text.replace(/\r\n?/g, "\n").replace(eachControl, "");
}

/** The value of the parameter `field`, cleaned. */
export function cleanValue(text: string, badText: BadText, field: string): string {
  if (badText === "refuse-nul" && text.includes("\0"))
    throw new HubError("invalid", `The parameter ${field} holds a NUL.`, { reason: "nul", field });
  return cleanText(text);
}

function percentBytes(part: string): Uint8Array {
  const bytes = Buffer.allocUnsafe(part.length);
  let length = 0;
  for (let at = 0; at < part.length; at++) {
    const code = part.charCodeAt(at);
    const escaped = code === 37 ? hexByte(part, at + 1) : -1;
    if (escaped >= 0) at += 2;
    bytes[length++] = escaped >= 0 ? escaped : code === 43 ? 32 : code;
  }
  return bytes.subarray(0, length);
}

/** The byte that two hexadecimal digits name, or -1: then the percent sign stands for itself. */
function hexByte(part: string, at: number): number {
  const high = hexDigit(part.charCodeAt(at));
  const low = hexDigit(part.charCodeAt(at + 1));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** The refusal of text that is not UTF-8; `field` is the parameter that holds it. */
export function notUtf8(field: string, cause?: unknown): HubError {
  const sentence = "The request holds text that is not UTF-8.";
  return new HubError("invalid", sentence, { reason: "bad_parameter", field: field.toWellFormed(), cause });
}
