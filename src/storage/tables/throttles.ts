/**
 * What all processes have counted of somebody, by a digest that tells nobody who it is. Times are milliseconds: until when it counts
 * (where something flows back steadily: until when it is all back), and when it was counted last, where that matters.
 */
export type TallyTable = { key: string; count: number; ends_at: number; last_at: number };
