/** Access lists belong to groups, but channels have default ones, so the code stands in identity. */
export { formatList, listNames, parseList } from "../identity/records/access-list.ts";
