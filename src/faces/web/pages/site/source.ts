import { html } from "hono/html";
import { oncePerHub } from "../../../../caches.ts";
import { tooMany } from "../../../../http/rate-limits.ts";
import { version } from "../../../../version.ts";
import { download, show } from "../../answers.ts";
import type { Page, PageContext } from "../../page.ts";

/** The program's own source, which its licence (AGPL, section 13) has every hub offer to whoever uses it. */
export const sourcePages: Page[] = [
  { path: "/source", access: "anybody", get: page },
  { path: "/source.tar.gz", access: "anybody", get: archive },
];

function page(context: PageContext): Promise<Response> {
  const { sourceUrl } = context.hub.config;
  const main = html`<h1>The source of this hub</h1>
    <section class="card">
      <p>
        This site runs Hubbub ${version}, which is free software. You may use, read, change and pass it on under the
        <a href="https://www.gnu.org/licenses/agpl-3.0.html" rel="license">GNU Affero General Public License</a>,
        version 3 or later. It comes without any warranty.
      </p>
      ${
        sourceUrl === undefined
          ? html`<p><a class="button" href="/source.tar.gz" download>Download the source</a></p>
              <p>It is what runs here, with whatever the people who run this site have changed.</p>`
          : html`<p><a class="button" href="${sourceUrl}">Get the source</a></p>`
      }
    </section>`;
  return show(context, { title: "Source", main });
}

/** Packing takes half a second of a processor, so only so many are sent at once. */
const mostAtOnce = 2;
const underWay = oncePerHub(() => ({ count: 0 }));

async function archive(context: PageContext): Promise<Response> {
  const { sourceArchive } = await import("./source-archive.ts");
  const now = underWay(context.hub);
  if (now.count >= mostAtOnce) throw tooMany(10);
  const bytes = (): ReadableStream<Uint8Array> => {
    now.count++;
    return sourceArchive(() => void now.count--);
  };
  return download(context, { name: `hubbub-${version}.tar.gz`, type: "application/gzip", bytes });
}
