import sharp from "sharp";

/** Pictures for screenshots, painted here, so that they are nobody else's. */

/** A picture of 1200 by 900 pixels in shades around a hue (degrees): hills one behind another, or a shore. */
export function landscape(hue: number, of: "hills" | "water"): Promise<Buffer> {
  const [width, height] = [1200, 900];
  const ridges = [0, 1, 2, 3].map((n) => {
    const base = of === "hills" ? 420 + n * 120 : 380 + n * 40;
    const points = Array.from({ length: 13 }, (_, x) => {
      const y = base + 70 * Math.sin(hue + n * 2.1 + x * (0.5 + n * 0.13)) * (1 - n * 0.15);
      return `${x * 100},${y.toFixed(0)}`;
    });
    return `<polygon points="0,${height} ${points.join(" ")} ${width},${height}" fill="hsl(${hue + n * 8} 35% ${62 - n * 13}%)"/>`;
  });
  const sea = `<rect y="560" width="${width}" height="340" fill="url(#sea)"/><path d="M430 640 h300 l-50 60 h-200 z M570 640 v-190 l120 150 h-120" fill="hsl(${hue} 40% 18%)"/>`;
  return paint(
    width,
    height,
    `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${hue} 60% 72%)"/><stop offset="1" stop-color="hsl(${hue - 40} 75% 90%)"/></linearGradient>
    <linearGradient id="sea" x2="0" y2="1"><stop stop-color="hsl(${hue - 20} 50% 70%)"/><stop offset="1" stop-color="hsl(${hue} 55% 35%)"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/><circle cx="${300 + (hue % 5) * 140}" cy="250" r="70" fill="hsl(${hue - 60} 90% 94%)"/>${ridges.join("")}${of === "water" ? sea : ""}`,
  );
}

/** A face of few shapes, square. */
export function portrait(hue: number): Promise<Buffer> {
  return paint(
    400,
    400,
    `<rect width="400" height="400" fill="hsl(${hue} 45% 70%)"/><ellipse cx="200" cy="430" rx="170" ry="150" fill="hsl(${hue + 30} 50% 35%)"/>
    <circle cx="200" cy="190" r="95" fill="hsl(28 45% ${45 + (hue % 4) * 10}%)"/><path d="M105 190 a95 95 0 0 1 190 0 q-60 -70 -190 0" fill="hsl(${hue - 30} 40% 20%)"/>`,
  );
}

function paint(width: number, height: number, drawing: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${drawing}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 88 }).toBuffer();
}
