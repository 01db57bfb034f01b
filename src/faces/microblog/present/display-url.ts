/** An address or label as it is shown: without its scheme, and not longer than 26 characters. */
export function displayUrl(url: string, label: string): string {
  const bare = (label === "" || label === url ? url : label).replace(/^[a-z]+:\/\//i, "").replace(/^www\./i, "");
  const characters = [...bare];
  return characters.length > 26 ? `${characters.slice(0, 26).join("")}…` : bare;
}
