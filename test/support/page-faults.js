// Runs in a page and answers what keeps people from using it, one line per fault: names of controls, headings,
// landmarks, ids, contrast (WCAG 2.2 AA), words that are cut off or in two lines, and targets that are too small for a finger.
(() => {
  const faults = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const fault = (what, element) => faults.push(`${what}: ${element.outerHTML.replace(/\s+/g, " ").slice(0, 140)}`);
  const isShown = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ checkOpacity: true, visibilityProperty: true });
  };
  // What people write has its own rules.
  const isOurs = (element) => !element.closest(".body");

  function nameOf(element) {
    const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(" ");
    const pictures = [...element.querySelectorAll("img")].map((image) => image.alt).join(" ");
    const own = element.getAttribute("aria-label") ?? element.title;
    return `${own}${labels}${pictures}${element.textContent}`.trim();
  }

  function names() {
    for (const image of all("img:not([alt])")) fault("A picture without alt", image);
    for (const control of all("input:not([type=hidden], [hidden]), select, textarea"))
      if (!control.labels.length && !control.hasAttribute("aria-label")) fault("A field without a label", control);
    for (const control of all("a[href], button, summary").filter(isOurs))
      if (!control.closest("[hidden]") && nameOf(control) === "") fault("A control without a name", control);
    for (const group of all("fieldset:not([aria-label])"))
      if (!group.querySelector(":scope > legend")) fault("A group without a legend", group);
    for (const nav of all("nav").filter(isOurs))
      if (!nav.hasAttribute("aria-label")) fault("A navigation without a name", nav);
    for (const inner of all("a a, a button, button a, button button")) fault("A control in a control", inner);
  }

  function structure() {
    if (document.title === "") faults.push("No title");
    if (all("main").length !== 1) faults.push("Not one main part");
    const headings = all("h1, h2, h3, h4, h5, h6").filter(isOurs);
    if (headings.filter(({ tagName }) => tagName === "H1").length !== 1) faults.push("Not one h1");
    let before = 0;
    for (const heading of headings) {
      const level = Number(heading.tagName[1]);
      if (level > before + 1) fault("A heading that skips a level", heading);
      if (heading.textContent.trim() === "") fault("An empty heading", heading);
      before = level;
    }
    const ids = all("[id]").map(({ id }) => id);
    for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) faults.push(`An id twice: ${id}`);
    for (const attribute of ["for", "aria-describedby", "aria-labelledby"])
      for (const element of all(`[${attribute}]`))
        for (const id of element.getAttribute(attribute).split(" "))
          if (!ids.includes(id)) fault(`${attribute} names nothing`, element);
    for (const child of all("ul > :not(li), ol > :not(li)")) fault("A list with something else", child);
  }

  const numbers = (color) => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
    return { red, green, blue, alpha };
  };
  const over = (front, back) => {
    const mix = (name) => front[name] * front.alpha + back[name] * (1 - front.alpha);
    return { red: mix("red"), green: mix("green"), blue: mix("blue"), alpha: 1 };
  };
  function groundOf(element) {
    const color = element && numbers(getComputedStyle(element).backgroundColor);
    if (!element) return numbers(getComputedStyle(document.body).backgroundColor);
    return color.alpha === 1 ? color : over(color, groundOf(element.parentElement));
  }
  function light({ red, green, blue }) {
    const [r, g, b] = [red, green, blue].map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  function contrast(one, other) {
    const [dark, bright] = [light(one), light(other)].toSorted((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  }

  function colors() {
    const seen = new Set();
    // What is written in fields is no text of the document.
    const colored = all(
      "input:not([type=hidden], [type=checkbox], [type=radio], [type=color], [type=range], :disabled)",
    );
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) if (texts.currentNode.data.trim() !== "") colored.push(texts.currentNode.parentElement);
    for (const element of colored.filter(isShown)) {
      const { color, fontSize, fontWeight } = getComputedStyle(element);
      const ground = groundOf(element);
      const key = `${color} ${JSON.stringify(ground)} ${fontSize} ${fontWeight}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const size = parseFloat(fontSize);
      const least = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
      if (contrast(over(numbers(color), ground), ground) < least) fault("Too little contrast", element);
    }
  }

  function room() {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`${scrollWidth - clientWidth} pixels too wide`);
    if (!matchMedia("(pointer: coarse)").matches) return;
    for (const control of all("button, summary, select, input:not([type=hidden], :disabled), a.button, a.act").filter(
      isShown,
    )) {
      const target = /checkbox|radio/.test(control.type) && control.labels.length ? control.labels[0] : control;
      const { width, height } = target.getBoundingClientRect();
      if (Math.min(width, height) < 43.5) fault(`Only ${Math.round(width)} by ${Math.round(height)} pixels`, control);
    }
  }

  /** Neither a part of an address nor longer than a line. */
  const plainWord = /(?<![\p{L}\p{N}/_.:@-])\p{L}{2,14}(?![\p{L}\p{N}/_:@-]|\.\p{L})/gu;

  function words() {
    const range = document.createRange();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      const found = [...data.matchAll(plainWord)];
      if (found.length === 0 || !isOurs(parentElement) || !isShown(parentElement)) continue;
      for (const { 0: word, index } of found) {
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        const [first, ...rest] = [...range.getClientRects()].map(({ top }) => top);
        if (rest.some((top) => top > first + 4)) fault(`"${word}" in two lines`, parentElement);
      }
    }
  }

  for (const check of [names, structure, colors, room, words]) check();
  return faults;
})();
