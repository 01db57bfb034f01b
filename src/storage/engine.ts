import type { Kysely } from "kysely";
import type { DatabaseSettings } from "../config/database.ts";
import type { Tables } from "./tables/index.ts";

export type Engine = DatabaseSettings["engine"];
export type Database = Kysely<Tables>;
