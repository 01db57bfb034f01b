/** SQL as a person would set it. Names lose their quotes; nothing else is changed but white space. */
export function readableSql(statement: string): string {
  const { group } = groupsOf(tokensOf(statement), 0);
  const text = lines(group, 0).join("\n");
  if (bare(text) !== bare(statement)) throw new Error(`The statement was not only set: ${text}`);
  return text;
}

function bare(statement: string): string {
  return statement.replaceAll(/[\s"]/g, "");
}

type Token = { text: string; spaced: boolean };
/** What stands between two brackets, or on its own. */
type Group = (Token | { inside: Group; spaced: boolean })[];

const width = 110;
/** A query as short as this stays in its line. */
const short = 70;

function tokensOf(statement: string): Token[] {
  const found = statement.matchAll(
    /(\s*)('(?:[^']|'')*'|"[^"]*"|\$\d+|[A-Za-z_]\w*|\d+|<>|<=|>=|\|\||::|->>|->|&&|@>|<@|\S)/g,
  );
  return [...found].map(([, space, text = ""]) => ({ text: text.replace(/^"(\w+)"$/, "$1"), spaced: space !== "" }));
}

function groupsOf(tokens: readonly Token[], from: number): { group: Group; end: number } {
  const group: Group = [];
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.text === ")") return { group, end: at };
    if (token.text !== "(") {
      group.push(token);
      continue;
    }
    const inner = groupsOf(tokens, at + 1);
    group.push({ inside: inner.group, spaced: token.spaced });
    at = inner.end;
  }
  return { group, end: tokens.length };
}

function flat(group: Group): string {
  return group.reduce((text, part) => {
    const own = "inside" in part ? `(${flat(part.inside)})` : part.text;
    return text + (part.spaced && text !== "" ? " " : "") + own;
  }, "");
}

/** What begins a line of its own, and how much further it is set in. */
const beginnings = /^(select|from|where|order by|group by|having|limit|union all|union|with|values|set|returning)$/;
const continuations = /^(and|or|inner join|left join|cross join|join)$/;

function lines(group: Group, indent: number): string[] {
  const here = " ".repeat(indent);
  if (!holdsQuery(group) && flat(group).length + indent <= width) return [here + flat(group)];
  const isQuery = holdsQuery(group);
  let [inJoin, cases] = [false, 0];
  return clausesOf(group).flatMap((clause) => {
    const first = firstWords(clause);
    const isJoin = first.endsWith("join");
    if (isJoin || beginnings.test(first)) inJoin = isJoin;
    const isCondition = /^(and|or)$/.test(first);
    const steps = (isQuery && (isJoin || isCondition) ? 1 : 0) + (isCondition && (inJoin || cases > 0) ? 1 : 0);
    cases += count(clause, "case") - count(clause, "end");
    return setClause(clause, indent + 2 * steps);
  });
}

function count(group: Group, word: string): number {
  return group.filter((part) => !("inside" in part) && part.text === word).length;
}

function holdsQuery(group: Group): boolean {
  return group.some((part) => !("inside" in part) && /^(select|with)$/i.test(part.text));
}

/** Up to two words, where two make one keyword. */
function firstWords(group: Group): string {
  const [one, two] = group.map((part) => ("inside" in part ? "" : part.text));
  const both = `${one} ${two}`;
  return /^(order by|group by|union all|inner join|left join|cross join)$/.test(both) ? both : (one ?? "");
}

function clausesOf(group: Group): Group[] {
  const clauses: Group[] = [];
  let skip = 0;
  group.forEach((part, at) => {
    const ahead = firstWords(group.slice(at, at + 2));
    const begins = skip === 0 && (beginnings.test(ahead) || continuations.test(ahead));
    if (begins || clauses.length === 0) clauses.push([]);
    if (skip > 0) skip--;
    else if (begins && ahead.includes(" ")) skip = 1;
    clauses.at(-1)!.push(part);
  });
  return clauses;
}

/** One clause: brackets that do not fit open onto lines of their own, lists are broken at their commas. */
function setClause(clause: Group, indent: number): string[] {
  const done: string[] = [];
  let line = " ".repeat(indent);
  let isEmpty = true;
  const add = (text: string, spaced: boolean): void => {
    line += (spaced && !isEmpty ? " " : "") + text;
    isEmpty = false;
  };
  for (const part of clause) {
    if (!("inside" in part)) {
      add(part.text, part.spaced);
      if (part.text === "," && line.length > width - 30) {
        done.push(line);
        line = " ".repeat(indent + 4);
        isEmpty = true;
      }
      continue;
    }
    const text = `(${flat(part.inside)})`;
    const fits = line.length + text.length <= width;
    if (fits && (text.length <= short || !holdsQuery(part.inside))) {
      add(text, part.spaced);
      continue;
    }
    add("(", part.spaced);
    done.push(line, ...lines(part.inside, indent + 2));
    line = `${" ".repeat(indent)})`;
  }
  return [...done, line];
}
