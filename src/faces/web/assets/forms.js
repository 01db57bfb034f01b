// A form that is on its way is not sent a second time; one that is answered with a file leaves the page as it is, and
// one that is answered in place is sent by htmx.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== "post") return;
  if (form.dataset["answer"] === "file" || form.hasAttribute("hx-post")) return;
  if (form.dataset["sent"]) event.preventDefault();
  form.dataset["sent"] = "1";
});
addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset["sent"];
});

document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && field instanceof HTMLTextAreaElement)
    field.form?.requestSubmit();
});

// Where somebody begins to write, the form shows the rest of itself; one that was answered in place begins anew under the focus.
// Not where a button of it is pressed, which would move away under the finger.
for (const begins of ["focusin", "pointerdown"])
  document.addEventListener(begins, ({ target }) => {
    if (target instanceof Element && target.matches("input, textarea, select"))
      target.closest(".composer")?.classList.add("begun");
  });
