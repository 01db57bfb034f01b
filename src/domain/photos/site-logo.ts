import { buffer } from "node:stream/consumers";
import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Staged } from "../../storage/blobs/store.ts";
import { keepLogo } from "../identity/site/site-look.ts";
import { carefully, headLength, imageType, inTurn, openImages } from "./images.ts";
import { noImage } from "./renditions.ts";

/** Edges of the logo, in pixels: beside the name of the hub, and where it stands alone. */
const edges = { small: 192, large: 512 } as const;
const mostBytes = 5 * 2 ** 20;

/** Draws the logo of the hub from an uploaded picture. Throws invalid for what is none, and too-large. */
export async function changeLogo(hub: Hub, staged: Staged): Promise<void> {
  if (staged.size > mostBytes) throw refusal("image_too_large", { name: "logo", most: mostBytes, size: staged.size });
  const bytes = await buffer(await hub.blobs.read(staged));
  if (!imageType(bytes.subarray(0, headLength))) throw noImage();
  const draw = (edge: number): Promise<Buffer> =>
    inTurn(hub, async () => {
      const sharp = await openImages();
      const clear = { r: 0, g: 0, b: 0, alpha: 0 };
      return sharp(bytes, carefully)
        .autoOrient()
        .resize(edge, edge, { fit: "contain", background: clear })
        .png({ palette: true })
        .toBuffer();
    });
  try {
    const [small, large] = [await draw(edges.small), await draw(edges.large)];
    await keepLogo(hub, { small, large });
  } catch (cause) {
    throw noImage(cause);
  }
}
