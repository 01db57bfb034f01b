import type { Slot } from "../../../../domain/upkeep/figures.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import { exactTime } from "../times.ts";

const [width, height] = [600, 120];

type Plotted = {
  /** Names the plot on its page. */
  id: string;
  title: string;
  slots: readonly Slot[];
  /** What is plotted of a slot; undefined leaves a gap. */
  value: (slot: Slot) => number | undefined;
  /** The value in words. */
  words: (value: number) => string;
};

/** Figures over time: drawn, in a sentence, and as a table for whoever wants to read them. */
export function plot(context: PageContext, { id, title, slots, value, words }: Plotted): Html {
  const { say } = context;
  const values = slots.map(value);
  const known = values.filter((one) => one !== undefined);
  const [last, most] = [known.at(-1), Math.max(0, ...known)];
  return html`<figure class="card plot" aria-labelledby="plot-${id}">
    <figcaption id="plot-${id}">
      <h2>${title}</h2>
      <p class="meta">
        ${last === undefined ? say("admin.plot-nothing") : say.html("admin.plot-now", { now: words(last), most: words(most) })}
      </p>
    </figcaption>
    ${last === undefined ? "" : drawing(values, most)}
    <details>
      <summary>${say("admin.plot-table")}<span class="unseen">: ${title}</span></summary>
      <table>
        <thead>
          <tr>
            <th scope="col">${say("admin.plot-since")}</th>
            <th scope="col">${title}</th>
          </tr>
        </thead>
        <tbody>
          ${slots.map(
            ({ moment }, at) =>
              html`<tr>
                <th scope="row">${exactTime(context, moment)}</th>
                <td>${values[at] === undefined ? "–" : words(values[at])}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </details>
  </figure>`;
}

/** Bars, since each of them stands for a time of its own. The table says the same. */
function drawing(values: readonly (number | undefined)[], most: number): Html {
  const step = width / values.length;
  const scale = most === 0 ? 0 : (height - 4) / most;
  return html`<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    ${values.map((value, at) => {
      if (value === undefined) return "";
      const tall = Math.max(1.5, value * scale);
      return html`<rect
        x="${(at * step + step * 0.1).toFixed(1)}"
        y="${(height - tall).toFixed(1)}"
        width="${(step * 0.8).toFixed(1)}"
        height="${tall.toFixed(1)}"
      />`;
    })}
  </svg>`;
}
