import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "./support/app.ts";
import type { TestApp } from "./support/app.ts";
import type { Client } from "./support/client.ts";
import { befriend } from "./support/people.ts";

/** Refusals of the native API, word for word: status, reason, the parameter at fault, and text. */

let world: TestApp;
const people = new Map<string, Client>();
const ids: Record<string, string | number> = { NONE: 987_654, LONG: "x".repeat(300), FAR: "x".repeat(20_000) };

beforeAll(async () => {
  world = await openTestApp();
  const [ann, bob] = [await world.person("ann"), await world.person("bob")];
  for (const person of [ann, bob]) people.set(person.nick, person);
  people.set("nobody", world.anonymous);
  await befriend(world.hub, ann.channel, bob.channel);
  const post = async (body: string, more = {}) => (await ann.post("/api/z/1.0/item/update", { body, ...more })).json;
  const made = await post("Public");
  ids["PUBLIC"] = made.item_id;
  ids["MID"] = encodeURIComponent(made.item.mid);
  ids["CLOSED"] = (await post("Closed", { nocomment: 1 })).item_id;
  await post("Page", { webpage: 3, pagetitle: "taken" });
  const rows = (await ann.get("/api/z/1.0/abook")).json as { abook_id: string; abook_self: string }[];
  ids["SELF"] = rows.find((row) => row.abook_self === "1")!.abook_id;
  ids["BOB"] = rows.find((row) => row.abook_self === "0")!.abook_id;
  await world.work();
  ids["HEARD"] = (await bob.get("/api/z/1.0/network/stream")).json[0].id;
});
afterAll(() => world.close());

/** Who, method, endpoint with its parameters, status, reason, field, text. */
const rows = `
nobody | GET | group | 401 | unauthorized | - | This API requires login
nobody | POST | item/update?body=x | 401 | unauthorized | - | This API requires login
ann | GET | group?channel=bob | 403 | wrong_channel | - | This is not an active channel of the account.
ann | GET | nothing/here | 404 | not_implemented | - | not implemented
ann | GET | abook?abook_id=x | 400 | bad_parameter | abook_id | The parameter abook_id is not a whole number.
ann | POST | abook?closeness=5 | 400 | missing_parameter | abook_id | The parameter abook_id is missing.
ann | POST | abook?abook_id=NONE | 404 | not_found | - | Connection not found.
ann | POST | abook?abook_id=BOB&closeness=100 | 400 | bad_parameter | closeness | The parameter closeness must be from 0 to 99.
ann | POST | abook?abook_id=SELF&closeness=5 | 400 | bad_parameter | closeness | This cannot be changed for the channel itself.
ann | POST | abook?abook_id=BOB&pending=1 | 400 | bad_parameter | pending | A connection cannot become a request.
ann | POST | abook?abook_id=BOB&profile=none | 400 | bad_parameter | profile | This is not a profile of the channel.
ann | POST | abconfig?abook_id=BOB&cat=their_perms&k=x&v=1 | 403 | permission_denied | - | permission denied
ann | POST | abconfig?abook_id=BOB&cat=LONG&k=x&v=1 | 400 | bad_parameter | cat | This value is empty or too long.
ann | POST | abconfig?abook_id=BOB&cat=my_perms&k=x&v=1 | 400 | bad_parameter | k | This is not the name of a permission.
ann | POST | abconfig?abook_id=BOB&cat=my_perms&k=chat&v=2 | 400 | bad_parameter | v | A permission is 1 or 0.
ann | GET | group_members | 400 | missing_parameter | group_id | One of group_id and group_name is needed.
ann | GET | group_members?group_id=NONE | 404 | not_found | - | Group not found.
ann | GET | group_members?group_name=none | 404 | not_found | - | Group not found.
ann | GET | xchan | 400 | missing_parameter | hash | One of hash, guid and address is needed.
ann | GET | xchan?hash=none | 404 | not_found | - | Identity not found.
ann | POST | xchan?name=x | 400 | missing_parameter | hash | A hash or a guid is needed.
ann | POST | xchan?hash=a%20b | 400 | bad_parameter | hash | A hash has no spaces and no brackets.
ann | POST | xchan?hash=abc&url=ftp%3A%2F%2Fx | 400 | bad_parameter | url | This is not an http or https address.
ann | POST | xchan?hash=abc&photo=http%3A%2F%2F10.0.0.1%2Fa.png | 400 | bad_parameter | photo | This address is not public.
ann | POST | xchan?hash=abc&network=Not%20one | 400 | bad_parameter | network | This is not the name of a network.
ann | POST | xchan?hash=abc&network=zot | 400 | bad_parameter | guid_sig | The signature does not fit guid and key.
ann | POST | xchan?hash=abc&name=FAR | 400 | bad_parameter | name | This value is too long.
ann | GET | perm_allowed | 400 | missing_parameter | hash | One of hash, guid and address is needed.
ann | GET | perm_allowed?hash=none | 404 | not_found | - | Identity not found.
ann | GET | perm_allowed?abook_id=BOB&perm=fly | 400 | bad_parameter | perm | The parameter perm must be one of view_stream, send_stream, view_profile, view_contacts, view_storage, write_storage, view_pages, view_wiki, write_pages, write_wiki, post_wall, post_comments, post_mail, post_like, tag_deliver, chat, republish, delegate.
ann | POST | channel/moved?url=x&nick=ann | 400 | bad_parameter | url | This is not the address of another hub.
ann | POST | channel/moved?url=https%3A%2F%2Fother.example&nick=9 | 400 | bad_parameter | nick | A nick has 1 to 64 characters of a-z, 0-9, - and _, and begins with a letter.
ann | POST | item/update | 400 | no_content | - | no content
ann | POST | item/update?body=x&mimetype=text%2Fodd | 400 | bad_parameter | mimetype | Unknown content type.
ann | POST | item/update?body=x&mimetype=application%2Fx-php | 403 | forbidden_content_type | - | forbidden content type
ann | POST | item/update?body=x&group_allow=NONE | 400 | bad_parameter | group_allow | Unknown privacy group.
ann | POST | item/update?body=x&parent=NONE | 404 | not_found | - | invalid post id
ann | POST | item/update?body=x&parent=CLOSED | 403 | comments_closed | - | This thread takes no more comments.
ann | POST | item/update?body=x&message_id=MID | 409 | conflict | - | duplicate post
ann | POST | item/update?body=x&message_id=a%20b | 400 | bad_parameter | message_id | Unusable message id.
ann | POST | item/update?body=x&post_id=NONE | 404 | not_found | - | invalid post id
bob | POST | item/update?body=x&post_id=HEARD | 403 | permission_denied | - | permission denied
ann | POST | item/update?body=x&public_policy=odd | 400 | bad_parameter | public_policy | Unknown scope word.
ann | POST | item/update?body=x&remote_xchan=none | 400 | bad_parameter | remote_xchan | Unknown author.
ann | POST | item/update?body=x&plink=ftp%3A%2F%2Fx | 400 | bad_parameter | plink | The permalink is no web address.
ann | POST | item/update?body=x&webpage=3&pagetitle=taken | 409 | conflict | - | There is a page of that name already.
ann | POST | item/update?body=x&created=never | 400 | bad_parameter | created | The parameter created is not a date.
ann | POST | item/update?body=x&verb=http%3A%2F%2Factivitystrea.ms%2Fschema%2F1.0%2Flike | 400 | bad_parameter | parent | A reaction needs a parent.
ann | POST | item/update?body=x&category=a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a1,b1,c1,d1,e1,f1,g1,h1,i1,j1,k1,l1,m1,n1,o1,p1,q1,r1,s1,t1,u1,v1,w1,x1,y1,z1,a2,b2,c2,d2,e2,f2,g2,h2,i2,j2,k2,l2,m2,n2,o2,p2,q2,r2,s2,t2,u2,v2,w2,x2,y2,z2,a3,b3,c3,d3,e3,f3,g3,h3,i3,j3,k3,l3,m3,n3,o3,p3,q3,r3,s3,t3,u3,v3,w3,x3,y3,z3 | 400 | bad_parameter | category | A post can have at most 100 categories.
ann | POST | channel/stream | 400 | no_content | - | no content
ann | POST | channel/stream?body=x&obj=5x | 400 | bad_parameter | obj | The parameter obj is not JSON.
ann | POST | channel/stream?body=x&attach=5x | 400 | bad_parameter | attach | The parameter attach is not JSON.
ann | POST | channel/stream?body=x&obj=%5B1%5D | 400 | bad_parameter | obj | obj is not an object.
ann | POST | channel/stream?body=x&attach=%7B%22a%22%3A1%7D | 400 | bad_parameter | attach | attach is not a list of files.
ann | GET | item/full | 400 | missing_parameter | mid | One of mid and item_id is needed.
ann | GET | item/full?item_id=NONE | 404 | not_found | - | Item not found.
bob | GET | item/full?mid=none | 404 | not_found | - | Item not found.
ann | GET | network/stream?gid=NONE | 404 | not_found | - | Group not found.
ann | GET | network/stream?cid=NONE | 404 | not_found | - | Connection not found.
ann | GET | network/stream?records=x | 400 | bad_parameter | records | The parameter records is not a whole number.
ann | GET | filemeta | 400 | missing_parameter | file_id | The parameter file_id is missing.
ann | GET | filemeta?file_id=none | 404 | not_found | - | File not found.
ann | GET | file?file_id=none | 404 | not_found | - | File not found.
ann | GET | filedata?file_id=none | 404 | not_found | - | File not found.
ann | GET | file/export?file_id=none | 404 | not_found | - | File not found.
ann | GET | photo?photo_id=none | 404 | not_found | - | Photo not found.
ann | GET | channel/export/basic?sections=none | 400 | bad_parameter | sections | None of these sections is known.
ann | GET | item/export_page?records=x | 400 | bad_parameter | records | The parameter records is not a whole number.`
  .trim()
  .split("\n")
  .map((line) => {
    const [who = "", method = "", call = "", status = "", reason = "", field = "", text = ""] = line.split(" | ");
    const [path = "", query = ""] = call.split("?");
    return { call, who, method, path, query, status: Number(status), reason, field, text };
  });

const filled = (text: string): string => text.replace(/\b[A-Z]{3,}\b/g, (word) => String(ids[word] ?? word));

test.each(rows)("$who: $method $call", async ({ who, method, path, query, status, reason, field, text }) => {
  const client = people.get(who)!;
  const given = new URLSearchParams(filled(query));
  const answer =
    method === "GET"
      ? await client.get(`/api/z/1.0/${path}?${String(given)}`)
      : await client.post(`/api/z/1.0/${path}`, Object.fromEntries(given));
  expect(answer.json).toEqual({
    success: false,
    error: filled(text),
    message: filled(text),
    reason,
    code: status,
    request: `/api/z/1.0/${path}`,
    ...(field !== "-" && { field }),
  });
  expect(answer.status).toBe(status);
});
