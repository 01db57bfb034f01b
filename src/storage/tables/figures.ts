/** Something that was counted or measured in the hour that begins at the moment: how often, the sum, and the most. */
export type FigureTable = { name: string; moment: string; n: number; total: number; most: number };
