import type { Locator, Page } from "playwright-core";

/** Somebody who has a keyboard and no pointer. */

/** Goes on with the tabulator until this has the focus, which is to be seen at each stop. */
export async function tabTo(page: Page, aim: Locator): Promise<void> {
  await aim.first().waitFor({ state: "attached" });
  const aimed = await aim.first().elementHandle();
  const stops: string[] = [];
  for (let presses = 0; presses < 500; presses++) {
    await page.keyboard.press("Tab");
    const [{ words, fault }, there] = await Promise.all([
      page.evaluate<{ words: string; fault: string }>(stop),
      aimed.evaluate((element) => element === element.ownerDocument?.activeElement),
    ]);
    stops.push(words);
    if (fault !== "") throw new Error(`The focus is not to be seen: ${fault}.`);
    if (there) return;
  }
  throw new Error(`The focus does not come to ${String(aim)}, but to ${stops.join(", ")}.`);
}

/** Goes there and presses the key. */
export async function pressAt(page: Page, aim: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, aim);
  await page.keyboard.press(key);
}

/** What has the focus, and why it is not to be seen there: no outline, on it or what stands for it, or something above it. */
const stop = `(() => {
  const element = document.activeElement;
  const words = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().replace(/\\s+/g, " ").slice(0, 40);
  const name = element.localName + "." + element.className + " " + (element.name ?? "") + " “" + words + "”";
  if (element === document.body) return { words: "body", fault: "" };
  const isOutlined = (one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    const { width, height } = one.getBoundingClientRect();
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 1 && width > 4 && height > 4;
  };
  const shown = [element, ...(element.labels ?? [])].find(isOutlined);
  if (!shown) return { words, fault: "no outline of " + name };
  const { left, right, top, bottom } = shown.getBoundingClientRect();
  if (right <= 0 || left >= innerWidth || bottom <= 0 || top >= innerHeight) return { words, fault: "out of the window: " + name };
  const [x, y] = [(Math.max(left, 0) + Math.min(right, innerWidth)) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
  const above = document.elementFromPoint(x, y);
  const isFree = above === null || above.contains(shown) || shown.contains(above) || above.closest("label")?.control === element;
  return { words, fault: isFree ? "" : above.localName + "." + above.className + " above " + name };
})()`;
