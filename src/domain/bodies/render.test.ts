import { describe, expect, test } from "vitest";
import { faultOf } from "./html-fault.ts";
import { renderBody } from "./render.ts";

const site = { baseUrl: "https://hub.example", name: "Hub & Co" };
const away = 'rel="nofollow noopener"';
const bbcode = (body: string): string => renderBody(body, "text/bbcode", site);

const table: [string, string][] = [
  ["[b]x[/b]", "<strong>x</strong>"],
  ["[B]x[/b]", "<strong>x</strong>"],
  ["[i]x[/i]", "<em>x</em>"],
  ["[u]x[/u]", "<u>x</u>"],
  ["[s]x[/s]", "<s>x</s>"],
  ["[o]x[/o]", '<span style="text-decoration:overline">x</span>'],
  ["[sup]x[/sup]", "<sup>x</sup>"],
  ["[sub]x[/sub]", "<sub>x</sub>"],
  ["[mark]x[/mark]", "<mark>x</mark>"],
  ["[mark=red]x[/mark]", '<mark style="background-color:red">x</mark>'],
  ["[hl]x[/hl]", '<span style="background-color:yellow">x</span>'],
  ["[hl=#0f0]x[/hl]", '<span style="background-color:#0f0">x</span>'],
  ["[bdi]x[/bdi]", "<bdi>x</bdi>"],
  ["[color=red]x[/color]", '<span style="color:red">x</span>'],
  ["[color=#a1b2c3]x[/color]", '<span style="color:#a1b2c3">x</span>'],
  ["[color=red;float:left]x[/color]", "[color=red;float:left]x[/color]"],
  ["[size=12]x[/size]", '<span style="font-size:12px">x</span>'],
  ["[size=1]x[/size]", '<span style="font-size:6px">x</span>'],
  ["[size=999]x[/size]", '<span style="font-size:60px">x</span>'],
  ["[size=xx-large]x[/size]", '<span style="font-size:xx-large">x</span>'],
  ["[font=Courier New]x[/font]", '<span style="font-family:Courier New">x</span>'],
  ...[1, 2, 3, 4, 5, 6].map((n): [string, string] => [`[h${n}]x[/h${n}]`, `<h${n}>x</h${n}>`]),
  ["[center]x[/center]", '<div style="text-align:center">x</div>'],
  ["[footer]x[/footer]", "<footer><small>x</small></footer>"],
  ["a[hr]b", "a<hr>b"],
  ["[quote]x[/quote]", "<blockquote>x</blockquote>"],
  ["[quote=Ann]\nx\n[/quote]\ny", "<blockquote><cite>Ann</cite><br>x</blockquote>y"],
  ["[quote='Ann B']x[/quote]", "<blockquote><cite>Ann B</cite><br>x</blockquote>"],
  ["[code]a [b]<[/b] :-)[/code]", "<code>a [b]&lt;[/b] :-)</code>"],
  ["[code=js]\na\nb[/code]", '<pre><code class="language-js">a\nb</code></pre>'],
  ["[nobb][b]x[/b] :smile:[/nobb]", "[b]x[/b] :smile:"],
  ["[noparse][b]x[/b][/noparse]", "[b]x[/b]"],
  ["[pre]a  [i]b[/i]\nc[/pre]", "<pre>a  [i]b[/i]\nc</pre>"],
  ["[list]\n[*] a\n[*] b\n[/list]", "<ul><li>a</li><li>b</li></ul>"],
  ["[ul][li]a[/li]\n[li]b[/li][/ul]", "<ul><li>a</li><li>b</li></ul>"],
  ["[ol][*]a[/ol]", "<ol><li>a</li></ol>"],
  ["[list=1][*]a[/list]", "<ol><li>a</li></ol>"],
  ["[list=i][*]a[/list]", '<ol style="list-style-type:lower-roman"><li>a</li></ol>'],
  ["[list=I][*]a[/list]", '<ol style="list-style-type:upper-roman"><li>a</li></ol>'],
  ["[list=a][*]a[/list]", '<ol style="list-style-type:lower-alpha"><li>a</li></ol>'],
  ["[list=A][*]a[/list]", '<ol style="list-style-type:upper-alpha"><li>a</li></ol>'],
  ["[list][*]a[list][*]b[/list][/list]", "<ul><li>a<ul><li>b</li></ul></li></ul>"],
  ['[dl terms="b"][*= T]d[/dl]', "<dl><dt><strong>T</strong></dt><dd>d</dd></dl>"],
  ['[dl terms="h"][*=T] d[*=U] e[/dl]', '<dl class="dl-horizontal"><dt>T</dt><dd>d</dd><dt>U</dt><dd>e</dd></dl>'],
  [
    "[checklist]\n[] a\n[x] b\n[/checklist]",
    '<ul class="checklist"><li><input type="checkbox" disabled> a</li><li><input type="checkbox" disabled checked> b</li></ul>',
  ],
  [
    "[table border=1]\n[tr]\n[th]a[/th]\n[td]b[/td]\n[/tr]\n[/table]",
    '<table border="1"><tbody><tr><th>a</th><td>b</td></tr></tbody></table>',
  ],
  ["[table][tr][td]b[/td][/tr][/table]", "<table><tbody><tr><td>b</td></tr></tbody></table>"],
  ["[td]b[/td]", "[td]b[/td]"],
  [
    "[url]https://a.example/?b=1&c[/url]",
    `<a href="https://a.example/?b=1&amp;c" ${away}>https://a.example/?b=1&amp;c</a>`,
  ],
  ["[url=https://hub.example/x]t[/url]", '<a href="https://hub.example/x">t</a>'],
  ["[url=a.example]t[/url]", `<a href="https://a.example" ${away}>t</a>`],
  ["[url=/x]t[/url]", '<a href="https://hub.example/x">t</a>'],
  ["[url=javascript:alert(1)]t[/url]", "t"],
  ["[url=https://a.example]https://b.example[/url]", `<a href="https://a.example" ${away}>https://b.example</a>`],
  ["[zrl=https://a.example]t[/zrl]", `<a class="zrl" href="https://a.example" ${away}>t</a>`],
  ["@[zrl=https://a.example]Ann[/zrl]", `<a class="mention zrl" href="https://a.example" ${away}>@Ann</a>`],
  ["@![zrl=https://a.example]Ann[/zrl]", `<a class="mention zrl" href="https://a.example" ${away}>@!Ann</a>`],
  ["![zrl=https://a.example]F[/zrl]", `<a class="mention zrl" href="https://a.example" ${away}>!F</a>`],
  ["Look![zrl=https://a.example]F[/zrl]", `Look!<a class="zrl" href="https://a.example" ${away}>F</a>`],
  [
    "#[zrl=https://hub.example/search?tag=x]x[/zrl]",
    '<a class="hashtag zrl" href="https://hub.example/search?tag=x">#x</a>',
  ],
  ["#^[url=https://a.example]B[/url]", `<a class="bookmark" href="https://a.example" ${away}>B</a>`],
  ["#^[url]https://a.example[/url]", `<a class="bookmark" href="https://a.example" ${away}>https://a.example</a>`],
  ["[mail]a@b.example[/mail]", '<a href="mailto:a@b.example">a@b.example</a>'],
  ["[mail=a@b.example]t[/mail]", '<a href="mailto:a@b.example">t</a>'],
  ["[img]https://a.example/i.png[/img]", '<img src="https://a.example/i.png" alt="">'],
  ["[img=10x20]https://a.example/i.png[/img]", '<img src="https://a.example/i.png" alt="" width="10" height="20">'],
  [
    "[img=2048x1024]https://a.example/i.png[/img]",
    '<img src="https://a.example/i.png" alt="" width="1024" height="512">',
  ],
  [
    "[img=2048x1024]https://hub.example/i.png[/img]",
    '<img src="https://hub.example/i.png" alt="" width="2048" height="1024">',
  ],
  ['[img=https://a.example/i.png]a "b"[/img]', '<img src="https://a.example/i.png" alt="a &quot;b&quot;">'],
  [
    "[img width='10' height='20' alt='a' title='t' style='float:left']https://a.example/i.png[/img]",
    '<img src="https://a.example/i.png" alt="a" title="t" width="10" height="20" style="float:left">',
  ],
  [
    "[zmg=10x20]https://a.example/i.png[/zmg]",
    '<img class="zrl" src="https://a.example/i.png" alt="" width="10" height="20">',
  ],
  ["[video]https://a.example/v[/video]", '<video controls preload="none" src="https://a.example/v"></video>'],
  [
    '[audio title="A & B sing"]https://a.example/s[/audio]',
    '<audio controls preload="none" title="A &amp; B sing" src="https://a.example/s"></audio>',
  ],
  [
    "[zvideo poster='https://a.example/p']https://a.example/v[/zvideo]",
    '<video controls preload="none" poster="https://a.example/p" src="https://a.example/v"></video>',
  ],
  ["[audio]https://a.example/v[/audio]", '<audio controls preload="none" src="https://a.example/v"></audio>'],
  ["[zaudio]https://a.example/v[/zaudio]", '<audio controls preload="none" src="https://a.example/v"></audio>'],
  ["[embed]https://a.example/[/embed]", `<a class="embed" href="https://a.example/" ${away}>https://a.example/</a>`],
  ["a[attachment]hash,1[/attachment]", "a"],
  [
    "[share author='Ann+B' profile='https://a.example' avatar='https://a.example/p' link='https://a.example/1' posted='2020-01-01 00:00:00' message_id='m']x[/share]",
    `<article class="shared"><header><img class="avatar" src="https://a.example/p" alt="" width="32" height="32"> <a href="https://a.example" ${away}>Ann B</a> <a href="https://a.example/1" ${away}>2020-01-01 00:00:00</a></header><div class="shared-body">x</div></article>`,
  ],
  ["[spoiler]x[/spoiler]", '<details class="spoiler"><summary>Spoiler</summary>x</details>'],
  ["[spoiler=End]x[/spoiler]", '<details class="spoiler"><summary>End</summary>x</details>'],
  ["[open=More]x[/open]", "<details><summary>More</summary>x</details>"],
  ["[summary]a[/summary]b", '<div class="summary">a</div><details><summary>Read more</summary>b</details>'],
  ["[observer=1]x[/observer]", "<!--viewer if observer=1-->x<!--viewer end-->"],
  ["[observer=0]x[/observer]", "<!--viewer if observer=0-->x<!--viewer end-->"],
  ["[observer=2]x[/observer]", "[observer=2]x[/observer]"],
  ["[observer.language=en]x[/observer]", "<!--viewer if language=en-->x<!--viewer end-->"],
  ["[observer.language!=de]x[/observer.language]", "<!--viewer if language!=de-->x<!--viewer end-->"],
  ["[channel=1]x[/channel]", "<!--viewer if channel=1-->x<!--viewer end-->"],
  ["[observer.name]", "<!--viewer name-->"],
  ["[observer.address]", "<!--viewer address-->"],
  ["[observer.url]", "<!--viewer url-->"],
  ["[observer.baseurl]", "<!--viewer baseurl-->"],
  ["[observer.webname]", "<!--viewer webname-->"],
  ["[observer.photo]", "<!--viewer photo-->"],
  ["[baseurl] [sitename]", "https://hub.example Hub &amp; Co"],
  ["[map]A b[/map]", `<a class="map" href="https://www.openstreetmap.org/search?query=A%20b" ${away}>A b</a>`],
  [
    "[map=1.5,-2]",
    `<a class="map" href="https://www.openstreetmap.org/?mlat=1.5&amp;mlon=-2#map=16/1.5/-2" ${away}>1.5, -2</a>`,
  ],
  ["[map]", `<a class="map" href="https://www.openstreetmap.org/" ${away}>Map</a>`],
  [
    "[event-summary]S[/event-summary]\n[event-start]2020-01-01 10:00:00[/event-start]\n[event-id]1[/event-id]",
    '<div class="event"><h4>S</h4><div><time datetime="2020-01-01T10:00:00">2020-01-01 10:00:00</time></div></div>',
  ],
  ["[question]x[/question]", "[question]x[/question]"],
  ["[rpost=T]a b[/rpost]", '<a class="rpost" href="https://hub.example/rpost?title=T&amp;body=a+b">T</a>'],
  ["[crypt alg='a' hint='h']xyz[/crypt]", '<div class="crypt" data-alg="a" data-hint="h">xyz</div>'],
  ["[qr]x[/qr]", "[qr]x[/qr]"],
  [":-) [nosmile] :smile:", ":-)  :smile:"],
  [":-) :smile: 10:30:45 http:/", "🙂 😄 10:30:45 http:/"],
  ["[&euro;] [&lt;]", "€ &lt;"],
  ["a\nb\r\n\nc", "a<br>b<br><br>c"],
  ["[b]open", "[b]open"],
  ["close[/b]", "close[/b]"],
  ["[b][i]x[/b]y[/i]", "<strong>[i]x</strong>y[/i]"],
  ["(https://a.example/b_(c)).", `(<a href="https://a.example/b_(c)" ${away}>https://a.example/b_(c)</a>).`],
  ["<b>&amp;", "&lt;b&gt;&amp;amp;"],
];

test.each(table)("bbcode %s", (body, html) => {
  expect(bbcode(body)).toBe(html);
  expect(faultOf(bbcode(body))).toBe("");
});

test("a contents list links the headings", () => {
  const html = bbcode("[toc]\n[h1]A[/h1]\n[h2]B & C[/h2]");
  expect(html).toMatch(/<ul class="toc"><li><a href="#(body-section-\w+-1)">A<\/a><\/li>.*<h1 id="\1">A<\/h1>/s);
});

describe("Markdown", () => {
  const markdown = (body: string): string => renderBody(body, "text/markdown", site).trim();

  test.each([
    ["# A *b*", "<h1>A <em>b</em></h1>"],
    ["~~a~~ :tada:", "<p><s>a</s> 🎉</p>"],
    ["`:tada: https://a.example`", "<p><code>:tada: https://a.example</code></p>"],
    ["```js\na<b\n```", '<pre><code class="language-js">a&lt;b\n</code></pre>'],
    ["https://hub.example/a_b_c", '<p><a href="https://hub.example/a_b_c">https://hub.example/a_b_c</a></p>'],
    ["[l](https://hub.example) <u>x</u><script>y</script>", '<p><a href="https://hub.example">l</a> <u>x</u></p>'],
    ["[l](javascript:alert(1))", "<p>[l](javascript:alert(1))</p>"],
    [
      "- [x] a",
      '<ul class="contains-task-list">\n<li class="task-list-item"><input type="checkbox" disabled checked class="task-list-item-checkbox"> a</li>\n</ul>',
    ],
  ])("%s", (body, html) => expect(markdown(body)).toBe(html));

  test("tables and footnotes", () => {
    expect(markdown("|a|\n|-|\n|b|")).toContain("<td>b</td>");
    expect(markdown("a[^1]\n\n[^1]: note")).toMatch(/href="#(body-fn-\w+-1)".*id="\1"/s);
  });
});

describe("multicode", () => {
  const multicode = (body: string): string => renderBody(body, "text/x-multicode", site).trim();

  test.each([
    ["**a** [b]b[/b] <u>c</u>", "<p><strong>a</strong> <strong>b</strong> <u>c</u></p>"],
    ["`[b]a[/b]` [code]**b**[/code]", "<p><code>[b]a[/b]</code> <code>**b**</code></p>"],
    ["```\n[b]a[/b]\n```", "<pre><code>[b]a[/b]\n</code></pre>"],
    ["[url=https://hub.example/_a_]*b*[/url]", '<p><a href="https://hub.example/_a_"><em>b</em></a></p>'],
    ["[quote]\na\n[/quote]\nb", "<blockquote><p>a</p></blockquote><p>b</p>"],
    ["[list][*]a[*]b[/list]", "<ul><li>a</li><li>b</li></ul>"],
    ["a [quote] b", "<p>a [quote] b</p>"],
    [
      "@[zrl=https://hub.example/a]A_b_c[/zrl]",
      '<p><a class="mention zrl" href="https://hub.example/a">@A_b_c</a></p>',
    ],
    ['<a title="[b]">x</a>', '<p><a title="[b]">x</a></p>'],
    ["[observer=1]<b>[/observer]</b>x", "<p><!--viewer if observer=1--><b></b><!--viewer end-->x</p>"],
  ])("%s", (body, html) => expect(multicode(body)).toBe(html));
});

test("plain text, HTML and unknown types", () => {
  expect(renderBody("<b>\nhttps://hub.example/", "text/plain", site)).toBe(
    '&lt;b&gt;<br><a href="https://hub.example/">https://hub.example/</a>',
  );
  expect(renderBody('<p id="x" class="modal">a<fieldset>b</fieldset>', "text/html", site)).toBe("<p>a</p>b");
  expect(renderBody("[b]<i>", "application/x-pdl", site)).toBe("[b]&lt;i&gt;");
  expect(renderBody("<i>", "no/type", site)).toBe("&lt;i&gt;");
});
