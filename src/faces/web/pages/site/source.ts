import { oncePerHub } from "../../../../caches.ts";
import { tooMany } from "../../../../http/rate-limits.ts";
import { version } from "../../../../version.ts";
import { download, show } from "../../answers.ts";
import { html } from "../../html.ts";
import type { Page, PageContext } from "../../page.ts";

/** The program's own source, which its licence (AGPL, section 13) has every hub offer to whoever uses it. */
export const sourcePages: Page[] = [
  { path: "/source", access: "anybody", get: page },
  { path: "/source.tar.gz", access: "anybody", get: archive },
];

function page(context: PageContext): Promise<Response> {
  const { say } = context;
  const { sourceUrl } = context.hub.config;
  const main = html`<h1>${say("site.source-title")}</h1>
    <section class="card">
      <p>
        ${say.html("site.source-licence", { version, licence: (words) => html`<a href="https://www.gnu.org/licenses/agpl-3.0.html" rel="license">${words}</a>` })}
      </p>
      ${
        sourceUrl === undefined
          ? html`<p><a class="button" href="/source.tar.gz" download>${say("site.source-download")}</a></p>
              <p>${say("site.source-changed")}</p>`
          : html`<p><a class="button" href="${sourceUrl}">${say("site.source-get")}</a></p>`
      }
    </section>`;
  return show(context, { title: say("site.source"), main });
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
