import type { z } from "zod";
import type { Status } from "../entities/status.ts";

export type StatusObject = z.infer<typeof Status>;
