/** The HTML of a filtered body, where boxes of task lists have names, and code that is wider than the page can be moved by keys. */
export function withNamedBoxes(html: string): string {
  return html
    .replaceAll(/<input type="checkbox"([^>]*)>/g, (_, rest: string) => {
      const name = /\bchecked\b/.test(rest.replace(/class="[^"]*"/, "")) ? "Done" : "Not done";
      return `<input type="checkbox" aria-label="${name}"${rest}>`;
    })
    .replaceAll("<pre>", '<pre tabindex="0">');
}
