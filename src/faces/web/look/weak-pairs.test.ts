import { expect, test } from "vitest";
import onThisDay from "../../../../examples/on-this-day/on-this-day.ts";
import type { Theme } from "../../../extensions/extension.ts";
import { weakPairs } from "./weak-pairs.ts";

/** What is said of the colours of themes. */

function saidOf(light: Theme["light"], dark: Theme["dark"] = {}): string[] {
  const themes = [{ name: "pale", label: "Pale", light, dark }];
  return weakPairs([{ interface: 1, name: "own", summary: "", themes }]);
}

test("the hub's own colours and those of the example can be read", () => {
  expect(saidOf({})).toEqual([]);
  expect(weakPairs([onThisDay])).toEqual([]);
});

test("each pair that is too weak is named with what it has and what it needs", () => {
  expect(saidOf({ "--soft": "#999999" })).toEqual(
    [
      "--bg (#eef3f0) has a contrast of 2.5",
      "--surface (#ffffff) has a contrast of 2.8",
      "--sunken (#f4f8f5) has a contrast of 2.6",
    ].map(
      (ground) => `The theme own/pale is hard to read in the light: --soft (#999999) on ${ground}, and words need 4.5.`,
    ),
  );
  expect(saidOf({}, { "--on-accent": "#FFFFFF" })).toEqual([
    "The theme own/pale is hard to read in the dark: --on-accent (#ffffff) on --accent (#7dd3b0) has a contrast of 1.7, and words need 4.5.",
  ]);
  expect(saidOf({ "--edge": "#eeeeee" })[0]).toContain("and edges need 3.");
});

test("the accents that are chosen stand on the grounds of the theme that is", () => {
  const themes = [{ name: "night", label: "Night", light: { "--bg": "#d8d8d8" }, dark: {} }];
  const accents = { light: "#257a5e", dark: "#7dd3b0" };
  const said = (theme: string) => weakPairs([{ interface: 1, name: "own", summary: "", themes }], { theme, accents });
  expect(said("own/night")).toContainEqual(
    expect.stringContaining("The theme own/night is hard to read in the light: --accent (#257a5e) on --bg (#d8d8d8)"),
  );
  expect(said("").filter((one) => one.includes("#257a5e"))).toEqual([]);
});

test("what is written otherwise is not judged", () => {
  expect(saidOf({ "--soft": "color-mix(in srgb, white, black 10%)" })).toEqual([]);
});
