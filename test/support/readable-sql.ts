/**
 * Statements by their names as a file for people, which the test beside it keeps true: set as one would set them by hand. Names
 * lose their quotes, and a long part that comes again is not repeated; where it comes first it has a number.
 */
export function sqlFile(test: string, statements: Record<string, string>): string {
  const all = Object.entries(statements).map(([name, statement]) => ({ name, group: wholeGroup(statement) }));
  const repeated: Repeated = new Map();
  for (const { group } of all) countParts(group, repeated);
  const head = `-- What ${test} finds; run it with -u to write it again. \`(as at 1)\` is the part that begins at \`-- 1\`.\n`;
  return [head, ...all.map(({ name, group }) => `-- ${name}\n${lines(group, 0, repeated).join("\n")};\n`)].join("\n");
}

function wholeGroup(statement: string): Group {
  const { group } = groupsOf(tokensOf(statement), 0);
  const whole = lines(group, 0, new Map()).join("\n");
  if (bare(whole) !== bare(statement)) throw new Error(`The statement was not only set: ${whole}`);
  return group;
}

function bare(statement: string): string {
  return statement.replaceAll(/[\s"]/g, "");
}

/** Parts that come several times, whatever the numbers of their parameters, each with its own number once it has one. */
type Repeated = Map<string, { times: number; number?: number }>;

/** A part that is longer than this need not be read twice. */
const long = 400;

function countParts(group: Group, found: Repeated): void {
  for (const part of group) {
    if (!("inside" in part)) continue;
    const key = keyOf(part.inside);
    const known = found.get(key);
    if (known) known.times++;
    else {
      if (key.length > long) found.set(key, { times: 1 });
      countParts(part.inside, found);
    }
  }
}

function keyOf(group: Group): string {
  return flat(group).replaceAll(/\$\d+/g, "$");
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

function lines(group: Group, indent: number, repeated: Repeated): string[] {
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
    return setClause(clause, indent + 2 * steps, repeated);
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
function setClause(clause: Group, indent: number, repeated: Repeated): string[] {
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
    const again = repeated.get(keyOf(part.inside));
    if (again?.number !== undefined) {
      add(`(as at ${again.number})`, part.spaced);
      continue;
    }
    add("(", part.spaced);
    if (again && again.times > 1) {
      again.number = 1 + Math.max(0, ...[...repeated.values()].map(({ number = 0 }) => number));
      line += ` -- ${again.number}`;
    }
    done.push(line, ...lines(part.inside, indent + 2, repeated));
    line = `${" ".repeat(indent)})`;
  }
  return [...done, line];
}
