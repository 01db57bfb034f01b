// Menus close by Escape, and when something else is pressed.

const openOnes = "details.menu[open], details.more[open], details.audience[open]";

document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target instanceof Element && event.target.closest(openOnes);
  if (!(menu instanceof HTMLDetailsElement)) return;
  menu.open = false;
  menu.querySelector("summary")?.focus();
});

document.addEventListener("click", ({ target }) => {
  for (const menu of document.querySelectorAll(openOnes))
    if (target instanceof Node && !menu.contains(target)) menu.removeAttribute("open");
});
