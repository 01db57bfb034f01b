/** What the piece of work below costs, in ms of CPU time, on the machine for which bars of CPU time were set. */
const usual = 22;

const texts = Array.from({ length: 400 }, (_, n) => `${n} "words" & <b>more</b>\n`.repeat(80));

/** Did it take no longer (in ms) than this bar, on that machine? On a slower one the bar is longer by as much. */
export function isWithin(bar: number, milliseconds: number): boolean {
  return milliseconds <= bar || milliseconds <= bar * slowness();
}

/** How many times slower than that machine this one is just now; at least 1. */
function slowness(): number {
  const costs = Array.from({ length: 10 }, costOfTexts);
  return Math.max(1, Math.min(...costs) / usual);
}

/** Texts are packed, unpacked and escaped, as in answers. */
function costOfTexts(): number {
  const before = process.threadCpuUsage();
  const text = (JSON.parse(JSON.stringify(texts)) as string[]).join("");
  text.replaceAll(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
