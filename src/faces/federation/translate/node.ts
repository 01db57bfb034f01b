import { isForeignId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { everybody } from "../everybody.ts";
import { Context } from "./context.ts";
import type { Json } from "./json.ts";
import { isObject } from "./json.ts";

/** Of a list in a document so many members are used, and of one that says whom it is for so many (federation contract 13). */
export const mostItems = 1000;
export const mostRecipients = 5000;
const namesOfRecipients: ReadonlySet<string> = new Set(["to", "cc", "audience"]);

export type Text = { text: string; language?: string };

/** One object of a document. Every value may be a single one or a list, a text or an object; what cannot be read is not there. */
export class Node {
  /** As it was written: signatures are made over that. */
  readonly written: { [key: string]: Json };
  readonly #values = new Map<string, Json[]>();
  readonly #context: Context;

  private constructor(value: { [key: string]: Json }, context: Context) {
    this.written = value;
    this.#context = context.with(value["@context"]);
    for (const [term, member] of Object.entries(value)) {
      const name = term === "@context" ? undefined : this.#context.nameOf(term);
      if (name === undefined) continue;
      const members = listOf(member, namesOfRecipients.has(name) ? mostRecipients : mostItems);
      const before = this.#values.get(name);
      this.#values.set(name, before ? [...before, ...members] : members);
    }
  }

  /** The object that a document consists of; undefined where it is none, or several. */
  static of(value: Json | undefined, context: Context = Context.usual): Node | undefined {
    if (value === undefined || value === null || typeof value !== "object") return undefined;
    if (Array.isArray(value)) return value.length === 1 ? Node.of(value[0], context) : undefined;
    const graph = value["@graph"];
    return graph === undefined ? new Node(value, context) : Node.of(graph, context.with(value["@context"]));
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Where a node says two different things about who or what it is, it says nothing. */
  get id(): string | undefined {
    const [id, ...others] = this.#all("id");
    return typeof id === "string" && others.length === 0 && isForeignId(id) ? id : undefined;
  }

  /** The types that the hub knows. */
  get types(): string[] {
    const texts = this.#all("type").filter((type) => typeof type === "string");
    return texts.map((type) => this.#context.nameOf(type) ?? capital(type)).filter((type) => type !== undefined);
  }

  /** The ids that a property names, by themselves or as objects; addresses of links count as well. */
  ids(name: string): string[] {
    return this.#all(name).flatMap((value) => {
      if (typeof value === "string")
        return this.#context.nameOf(value) === "Public" ? [everybody] : isForeignId(value) ? [value] : [];
      const node = Node.of(value, this.#context);
      const id = node?.id ?? node?.address;
      return id === undefined ? [] : [id];
    });
  }

  /** The one id that a property names: the first. */
  oneId(name: string): string | undefined {
    return this.ids(name)[0];
  }

  /** Where a link leads. */
  get address(): string | undefined {
    return this.has("href") ? this.ids("href")[0] : undefined;
  }

  /** The objects in a property; ids by themselves are passed over. */
  nodes(name: string): Node[] {
    return this.#all(name)
      .map((value) => Node.of(value, this.#context))
      .filter((node) => node !== undefined);
  }

  /** Each member of a property: what is written out there, or the id where there is nothing but that. */
  members(name: string): (Node | string)[] {
    return this.#all(name).flatMap((value): (Node | string)[] => {
      if (typeof value === "string") return isForeignId(value) ? [value] : [];
      const node = Node.of(value, this.#context);
      if (!node) return [];
      return node.id !== undefined && node.#values.size === 1 ? [node.id] : [node];
    });
  }

  /** All texts of a property, with their languages where these are said. */
  texts(name: string): Text[] {
    const plain = this.#all(name).flatMap((value) => {
      if (typeof value === "string") return [{ text: value }];
      const { "@value": text, "@language": language } = isObject(value) ? value : {};
      if (typeof text !== "string") return [];
      return [typeof language === "string" ? { text, language } : { text }];
    });
    const mapped = this.#all(`${name}Map`)
      .filter(isObject)
      .flatMap((map) => Object.entries(map));
    const languages = mapped.flatMap(([language, value]) =>
      listOf(value).flatMap((text) =>
        typeof text === "string" ? [language === "@none" ? { text } : { text, language }] : [],
      ),
    );
    return [...plain, ...languages];
  }

  text(name: string): string | undefined {
    return this.texts(name)[0]?.text;
  }

  number(name: string): number | undefined {
    return this.numbers(name)[0];
  }

  /** All of a list, without what is none. */
  numbers(name: string): number[] {
    const found = this.#literals(name).map((value) => (typeof value === "string" ? numberIn(value) : value));
    return found.filter((value): value is number => typeof value === "number" && Number.isFinite(value));
  }

  /** Undefined where nothing, or something else, is said. */
  flag(name: string): boolean | undefined {
    const [value] = this.#literals(name);
    if (typeof value === "boolean") return value;
    return value === "true" || value === "false" ? value === "true" : undefined;
  }

  /** A moment, as a date with time and offset says it. */
  date(name: string): Date | undefined {
    const [value] = this.#literals(name);
    const at = typeof value === "string" && moment.test(value) ? Date.parse(value) : Number.NaN;
    return Number.isNaN(at) ? undefined : new Date(at);
  }

  #literals(name: string): Json[] {
    return this.#all(name).map((value) => (isObject(value) && "@value" in value ? value["@value"]! : value));
  }

  #all(name: string): Json[] {
    return this.#values.get(name) ?? [];
  }
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i;

/** Lists and sets as plain lists, single values as lists of one; nothing is no member. */
function listOf(value: Json, most = mostItems): Json[] {
  if (Array.isArray(value))
    return value.slice(0, most).flatMap((member) => (Array.isArray(member) ? [member] : listOf(member, most)));
  if (isObject(value)) {
    const inner = value["@list"] ?? value["@set"];
    if (inner !== undefined) return listOf(inner, most);
  }
  return value === null ? [] : [value];
}

function numberIn(text: string): number | undefined {
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
}

/** Some spell their types in small letters. */
function capital(type: string): string | undefined {
  return /^[a-z]+$/.test(type) ? Context.usual.nameOf(type[0]!.toUpperCase() + type.slice(1)) : undefined;
}
