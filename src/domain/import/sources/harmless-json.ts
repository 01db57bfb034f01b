/** Under these names objects carry addresses. */
const addressNames = new Set(["href", "url", "src", "icon", "image", "photo", "link"]);

/** The JSON text without addresses of kinds that a browser might run; what has none stays as it is. */
export function harmlessJson(json: string): string {
  let isChanged = false;
  const reviver = (name: string, value: unknown): unknown => {
    if (typeof value !== "string" || !addressNames.has(name) || !isStrange(value)) return value;
    isChanged = true;
    return "";
  };
  try {
    const value: unknown = JSON.parse(json, reviver);
    return isChanged ? JSON.stringify(value) : json;
  } catch {
    return json;
  }
}

/** Browsers read over control characters. */
function isStrange(address: string): boolean {
  const text = address.replaceAll(/\p{Cc}/gu, "").trim();
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^(?:https?|mailto|acct|tag|urn):/i.test(text);
}
