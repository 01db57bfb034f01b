import { html } from "../../html.ts";
import type { Html } from "../../page.ts";

/** A text as a picture that cameras read: black on white in any colours, with the margin that they need. */
export async function qrCode(text: string, label: string): Promise<Html> {
  const { encodeQR } = await import("qr");
  const dots = encodeQR(text, "raw", { border: 4 });
  const path = dots.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join("");
  return html`<svg
    class="qr-code"
    role="img"
    aria-label="${label}"
    viewBox="0 0 ${dots.length} ${dots.length}"
    width="240"
    height="240"
    shape-rendering="crispEdges"
  >
    <rect width="100%" height="100%" fill="#fff" />
    <path d="${path}" fill="#000" />
  </svg>`;
}
