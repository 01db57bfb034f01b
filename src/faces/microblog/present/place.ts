type Point = { type: "Point"; coordinates: [number, number] };

/** Where a status was written, as `latitude longitude` in decimal degrees; null when it does not say. */
export function pointOf(coord: string): { geo: Point; coordinates: Point } | undefined {
  if (coord === "") return undefined;
  const [lat = Number.NaN, long = Number.NaN] = coord.split(" ").map(Number);
  if (Number.isNaN(lat) || Number.isNaN(long)) return undefined;
  // The old field has the latitude first, GeoJSON the longitude (microblog contract 7.2).
  return { geo: { type: "Point", coordinates: [lat, long] }, coordinates: { type: "Point", coordinates: [long, lat] } };
}
